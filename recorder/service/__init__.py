"""The recorder as a process: who is admitted, what time it is, every table kept going."""
