"""What is on air: slots, files of the event, fields for text sources."""
