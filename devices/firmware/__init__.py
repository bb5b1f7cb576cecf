"""Reference firmware of a table clock that speaks MQTT itself: MicroPython, for an ESP32 or Pico W.

``clock_core``, ``outbox_file`` and ``mqtt_clock`` import nothing but ``json`` and ``os`` and run
under CPython as they are, where they are tested; ``main`` is for the board alone.
"""
