"""Setting a venue up: what is asked, which files follow from it, and how they come into place."""
