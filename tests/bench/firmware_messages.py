"""Messages for the reference clock: ``python -m tests.bench.firmware_messages 40000``."""

import sys
import tempfile
from pathlib import Path

from tests.devices.clocks.test_firmware_messages import hear_many

if __name__ == "__main__":
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    with tempfile.TemporaryDirectory() as folder:
        hear_many(Path(folder), many, 1)
    print(f"{many} messages heard, 0 exceptions")
