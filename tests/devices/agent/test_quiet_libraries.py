"""Libraries neither write on our terminal by themselves nor call home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

READS = """
from devices.cameras.live.capture import LiveCapture
from devices.vision.eyes import Eyes
import cv2, numpy, sys, time

Eyes("english").read(numpy.full((720, 1280, 3), 128, numpy.uint8))
camera = LiveCapture("rtsp://127.0.0.1:9/board", lambda: round(time.monotonic() * 1000))
camera.read(1.0)
camera.close()
cv2.VideoCapture(sys.argv[1]).read()
"""


def test_eyes_and_cameras_write_nothing_by_themselves(tmp_path: Path) -> None:
    """Where no home can be written, no stream answers and a file is no video."""
    broken = tmp_path / "final.mp4"
    broken.write_bytes(b"\0\0\0\x18ftypmp42" + bytes(4000))
    home = {"HOME": "/proc/none", "XDG_CACHE_HOME": "/proc/none"}
    own = ("ORT_DISABLE_TELEMETRY", "OPENCV_LOG_LEVEL", "OPENCV_FFMPEG_LOGLEVEL")
    env = {name: value for name, value in os.environ.items() if name not in own}
    done = subprocess.run(
        [sys.executable, "-c", READS, str(broken)],
        env={**env, **home},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == ""
    said = [line for line in done.stderr.splitlines() if "tilecast" not in line]
    assert [line for line in said if "is lost, trying again" not in line] == []
