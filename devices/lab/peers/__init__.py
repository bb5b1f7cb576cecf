"""The other end of every line: clocks and sensors that speak bytes or MQTT."""
