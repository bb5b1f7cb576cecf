"""What goes out to an open page: the messages of its channel, and what changed in between."""
