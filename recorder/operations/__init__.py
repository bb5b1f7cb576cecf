"""What anyone who runs a program reads of it: figures, health, logs that machines read."""
