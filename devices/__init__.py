"""Everything that touches the physical table: cameras, clocks, and the simulator below them.

Libraries that write on our terminal by themselves are quiet, and the one that would send figures
to its makers sends none, unless the environment says otherwise.
"""

import os

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
