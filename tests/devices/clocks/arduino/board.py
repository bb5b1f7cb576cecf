"""The Arduino clock, built by Debian's avr-gcc from the sketch as it is, on a board in simavr."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from devices.tcc1.framing import Damage, LineReader, TccFrame
from devices.tcc1.messages import Body
from tests.eventually import BUSY_S

SKETCH = Path(__file__).parents[4] / "devices" / "firmware" / "tcc1_clock"
CORE = Path("/usr/share/arduino/hardware/arduino/avr")
NAME = "clock-1"
_BUILT_FOR = [
    "-mmcu=atmega328p",
    "-DF_CPU=16000000L",
    "-DARDUINO=10819",
    "-DARDUINO_AVR_UNO",
    "-DARDUINO_ARCH_AVR",
    "-Os",
    "-ffunction-sections",
    "-fdata-sections",
    f"-I{CORE / 'cores' / 'arduino'}",
    f"-I{CORE / 'variants' / 'standard'}",
    f"-I{CORE / 'libraries' / 'EEPROM' / 'src'}",
    f"-I{SKETCH}",
]
# The core is written for a newer compiler, which knows this name by itself.
_CPP = ["-std=gnu++11", "-fpermissive", "-fno-exceptions", "-fno-threadsafe-statics"]
_CPP += ["-DDECIMAL_DIG=__DECIMAL_DIG__"]


def lacking() -> str:
    """What is not installed here for building and running the clock, or nothing."""
    programs = {"avr-g++": "gcc-avr", "avr-nm": "binutils-avr", "gcc": "gcc"}
    files = {
        CORE: "arduino-core-avr",
        Path("/usr/lib/avr/include/avr/io.h"): "avr-libc",
        Path("/usr/include/simavr/sim_avr.h"): "libsimavr-dev",
        Path("/usr/include/libelf.h"): "libelf-dev",
    }
    gone = [package for program, package in programs.items() if not shutil.which(program)]
    gone += [package for path, package in files.items() if not path.exists()]
    return " ".join(gone)


def build(folder: Path) -> None:
    sketch = folder / "sketch.cpp"
    shutil.copy(SKETCH / "tcc1_clock.ino", sketch)
    core = CORE / "cores" / "arduino"
    own = [sketch, *SKETCH.glob("*.cpp")]
    _run(folder, ["avr-g++", *_BUILT_FOR, *_CPP, "-Wall", "-Wextra", "-Werror", "-c"], own)
    _run(folder, ["avr-g++", *_BUILT_FOR, *_CPP, "-w", "-c"], core.glob("*.cpp"))
    _run(folder, ["avr-gcc", *_BUILT_FOR, "-std=gnu11", "-w", "-c"], core.glob("*.c"))
    linked = ["avr-gcc", "-mmcu=atmega328p", "-Wl,--gc-sections", "-o", "clock.elf"]
    _run(folder, linked, folder.glob("*.o"))
    board = Path(__file__).with_name("board.c")
    _run(folder, ["gcc", "-O2", "-o", "board", str(board), "-lsimavr", "-lelf", "-lutil", "-lm"])


def _run(folder: Path, command: list[str], files: Iterable[Path] = ()) -> None:
    done = subprocess.run(
        [*command, *map(str, files)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def _millis_at(folder: Path) -> str:
    """Where the core keeps its milliseconds, as avr-nm says it."""
    symbols = subprocess.run(
        ["avr-nm", str(folder / "clock.elf")], capture_output=True, text=True, check=True
    ).stdout
    (line,) = (line for line in symbols.splitlines() if line.endswith(" timer0_millis"))
    return hex(int(line.split()[0], 16) - 0x800000)


class Board:
    """A board with power. Its time passes in ``wait`` alone, until ``live``."""

    def __init__(self, folder: Path, millis: int | None = None) -> None:
        started_at = [] if millis is None else [_millis_at(folder), str(millis)]
        self._process = subprocess.Popen(
            [str(folder / "board"), str(folder / "clock.elf"), *started_at],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self._process.stdout
        self.path = self._process.stdout.readline().strip()
        self._reader = LineReader()
        self._line: int | None = None
        self.damaged: list[Damage] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._line is not None:
            os.close(self._line)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait(BUSY_S)
        self._process.stdout.close()

    def do(self, line: str) -> str:
        """A line of ``board.c``, and its answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def wait(self, ms: int) -> list[TccFrame]:
        """Time passes; what the clock says in it."""
        said = []
        for begun in range(0, ms, 1000):  # the terminal holds 4 KB
            self.do(f"wait {min(1000, ms - begun)}")
            said += self._read()
        return said

    def press(self, *buttons: str, ms: int = 60) -> list[TccFrame]:
        """A finger on a button, or on several at once."""
        for button in buttons:
            self.do(f"close {button}")
        said = self.wait(ms)
        for button in buttons:
            self.do(f"open {button}")
        return said + self.wait(40)

    def say(self, body: Body, name: str = NAME) -> None:
        self.write(TccFrame(dev=name, boot="9c31f0aa", seq=0, t_ms=1, body=body).to_bytes())

    def write(self, data: bytes) -> None:
        """Bytes on the line, as they are."""
        os.write(self._port(), data)

    def _port(self) -> int:
        if self._line is None:
            self._line = os.open(self.path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        return self._line

    def _read(self) -> list[TccFrame]:
        try:
            found = self._reader.feed(os.read(self._port(), 65536))
        except BlockingIOError:
            return []
        self.damaged += [line for line in found if isinstance(line, Damage)]
        return [line for line in found if isinstance(line, TccFrame)]
