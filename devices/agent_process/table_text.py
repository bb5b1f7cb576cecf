"""The text of an agent's file: the example that is printed, and one for a camera and a clock."""

EXAMPLE = """\
# The devices at one table. Start with: tilecast agent table.toml
# Ports and cameras of this machine: tilecast devices

[venue]
name = "main"                  # the same at every table and in the recorder

[broker]
url = "mqtt://127.0.0.1:1883"  # or mqtts://user:password@host; may be left out when the
                               # environment has TILECAST_MQTT_URL

[agent]
folder = "agent"               # outboxes and evidence; must survive a restart

[[device]]
kind = "board-camera"
name = "cam-1"
source = "0"                   # camera number, /dev/video0, rtsp://..., http://phone:8080/shot.jpg,
                               # phone://... (a phone's browser), a video file, or a folder of
                               # photographs
tiles = "english"
# profile = "cam-1.json"       # from: tilecast calibrate camera table.toml
# interval_ms = 250            # between two requests to a snapshot address
# still_frames = 2             # so many like frames in a row: the hands are gone
# latency_ms = 0               # what a stream always needs from lens to here
# divides_turns = true         # at a table without a clock: reports who reaches over the board

[[device]]
kind = "serial-clock"
name = "clock-1"
port = "/dev/ttyUSB0"          # or socket://host:port, rfc2217://host:port
# baud = 115200

# The rest is optional; take the # away from what the table has.

# [[device]]
# kind = "rack-camera"
# name = "rack-left"
# source = "1"                 # as for a board camera
# side = "L"                   # on this half of the clock sits the player whose rack it sees
# tiles = "english"
# profile = "rack-left.json"   # from: tilecast calibrate racks table.toml

# [[device]]
# kind = "slip-camera"         # for slips from: tilecast printables --slip english
# name = "slip-1"
# source = "/dev/video2"
# tiles = "english"

# [[device]]
# kind = "bag-scale"
# name = "scale-1"
# port = "/dev/ttyUSB1"
# profile = "scale-1.json"     # from: tilecast calibrate scale table.toml

# [[device]]
# kind = "rack-counter"
# name = "rack-count-left"
# port = "/dev/ttyUSB2"
# side = "L"

# [[device]]
# kind = "dgt-clock"           # instead of a serial clock: a clock on a DGT e-board
# name = "clock-2"
# port = "/dev/ttyACM0"
"""
