"""The event on the screens: what is shown of it, to whom, and the orders of its page."""
