"""What comes in from devices and consoles, up to the row that it becomes or its refusal."""
