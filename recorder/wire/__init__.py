"""The one place for MQTT topics and versioned JSON, for bus messages and log rows alike.

Pure codecs: no broker, no clock, no files. Whatever is malformed, too long, of another version or
under another device's name raises ``DeviceError`` naming the fault. ``docs/wire.md`` describes
every topic and message; a test compares the two.
"""
