"""What directors have ruled, resolved against the record and laid over the reading."""
