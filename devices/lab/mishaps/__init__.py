"""What goes wrong at a table, as verbs."""
