"""The message bus: its port with an in-memory twin, MQTT, the broker, the outbox on disk."""
