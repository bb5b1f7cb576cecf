"""Power is cut by the thousand: ``python -m tests.bench.power_cuts [ROUNDS] [TIMES]``.

A recorder with a venue's other files works for ROUNDS rounds under strace; the power is cut after
every call in four ways, and the files are judged. Then, as root on Linux, it works TIMES on an ext4
of its own, which is shut down at some moment with all that was not flushed lost, and mounted again.
Ends with status 1 where something acknowledged is missing or a file does not open.
"""

import fcntl
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.recorder.log.power import JUDGES, Acknowledged, cuts, fault_of, traced

_SHUTDOWN, _WITHOUT_ITS_LOG = 0x8004587D, 2
"""EXT4_IOC_SHUTDOWN, and its way that writes nothing more: linux/fs/ext4/ext4.h."""
_IMAGE_BYTES = 64 << 20


def lost_writes(folder: Path, times: int, chance: random.Random) -> Iterator[str]:
    """Cut the power of a real file system; what failed each time, empty where nothing did."""
    image, disk = folder / "image", folder / "disk"
    disk.mkdir()
    for _ in range(times):
        image.write_bytes(b"")
        os.truncate(image, _IMAGE_BYTES)
        _run("mkfs.ext4", "-q", "-F", str(image))
        _run("mount", "-o", "loop", str(image), str(disk))
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.recorder.log.power", str(disk), "400"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        first = program.stdout.readline()
        time.sleep(chance.uniform(0, 4))
        place = os.open(disk, os.O_RDONLY)
        fcntl.ioctl(place, _SHUTDOWN, struct.pack("I", _WITHOUT_ITS_LOG))
        os.close(place)
        program.send_signal(signal.SIGKILL)
        said, _ = program.communicate()
        _run("umount", str(disk))
        kept = Acknowledged()
        kept.hear((first + said).decode())
        _run("mount", "-o", "loop", str(image), str(disk))
        faults = [fault_of(judge, disk, kept) for judge, _ in JUDGES.values()]
        _run("umount", str(disk))
        yield next(filter(None, faults), "")


def _run(*words: str) -> None:
    subprocess.run(words, check=True)


def main() -> int:
    """The command: how many rounds, and how many real file systems."""
    given = [int(word) for word in sys.argv[1:]]
    rounds, times = (given + [40, 10][len(given) :])[:2]
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in ("work", "room"):
            (folder / place).mkdir()
        fault = traced(folder / "work", rounds, folder / "trace")
        if fault:
            raise SystemExit(f"the recorder did not work: {fault}")
        places = (folder / "trace", folder / "work", folder / "room")
        for way, fault in cuts(*places, random.Random(37)):
            found[f"{way}: {fault or 'held'}"] += 1
        if os.name == "posix" and os.geteuid() == 0:
            for fault in lost_writes(folder, times, random.Random(37)):
                found[f"ext4: {fault or 'held'}"] += 1
    for what, count in sorted(found.items()):
        print(f"{count:8} {what}")
    return int(any(not what.endswith((": held", ": seen")) for what in found))


if __name__ == "__main__":
    raise SystemExit(main())
