"""What Linux, macOS and Windows do differently, with a twin where one of them has no such thing.

Whatever only POSIX has is called here and nowhere else, so that the rest runs on all three.
"""

import contextlib
import errno
import logging
import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import subprocess


log = logging.getLogger("tilecast")
NO_FILE = "is no file, but a pipe or a device"


def replace_file(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write a file again, on the disk when this returns.

    Readers, and the next start after a power cut, see the old file or the new one whole.
    """
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open(  # noqa: PTH123 - a Path opens nothing with a mode
        os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb"
    ) as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    flush_folder(path.parent)


MOST_READ_BYTES = 512 * 1024 * 1024


def read_file(path: Path, most_bytes: int = MOST_READ_BYTES) -> bytes:
    """The content of a file. OSError for a pipe, a device or a longer one: it never waits."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(file)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, NO_FILE, str(path))
        if status.st_size > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        with os.fdopen(file, "rb", closefd=False) as opened:
            return opened.read(most_bytes)
    finally:
        os.close(file)


def open_to_append(path: Path) -> BinaryIO:
    """A file to write at its end. OSError for a pipe or a device: it never waits for a reader."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, NO_FILE, str(path))
    return os.fdopen(file, "ab")


def open_log_of_program(path: Path) -> BinaryIO:
    """Where a program's output goes: a program also runs where its log cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return open_to_append(path)
    except OSError as fault:
        log.warning("%s cannot be written (%s): what the program says is lost", path, fault)
        return open(os.devnull, "ab")  # noqa: PTH123 - not a path of ours


@contextlib.contextmanager
def handled(handler: Callable[[int, FrameType | None], object], *numbers: int) -> Iterator[None]:
    """Signals go to a handler while the block runs, then to those before it."""
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, other in before.items():
            signal.signal(number, other)


def is_special(path: Path) -> bool:
    """Whether a pipe, a device or a link that leads to itself is in the place of a file."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def tail(path: Path, most: int) -> str:
    """The last bytes of a file as text; empty where there is none."""
    with contextlib.suppress(OSError):
        if not is_special(path):
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - most))
                return file.read(most).decode("utf-8", "replace")
    return ""


if sys.platform == "win32":
    STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGBREAK)
    OUT_OF_CTRL_C: dict[str, Any] = {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP

    def flush_folder(_path: Path) -> None:
        """Keep the names in a folder: Windows does that by itself."""

    def kill(pid: int) -> None:
        """End a process at once."""
        os.kill(pid, signal.SIGTERM)  # no signal is sent there: it ends the process

    def kill_session(process: "subprocess.Popen[bytes]") -> None:
        """End what a process that leads a session has left: here the process alone."""
        process.kill()

    def is_superuser() -> bool:
        """Whether files of the system are ours to read; no service here asks for it."""
        return False

    def give_way(_steps: int) -> None:
        """Let others have the processor first: the system's scheduler decides that here."""

    def machine_ms() -> int:
        """Milliseconds since the machine started, sleep left out."""
        return time.monotonic_ns() // 1_000_000

    def processor_ms(_pid: int) -> float | None:
        """Processor time that a process has had; nobody says so here."""
        return None

    def open_terminal() -> tuple[int, int, str]:
        """OSError: there are no pseudo-terminals here."""
        raise OSError("pseudo-terminals do not exist on Windows")

else:
    STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    OUT_OF_CTRL_C: dict[str, Any] = {"process_group": 0}
    """How ``Popen`` starts a child that Ctrl-C at a terminal leaves for us to end."""
    _COUNTS_SLEEP: int | None = getattr(time, "CLOCK_BOOTTIME", None)

    def flush_folder(path: Path) -> None:
        """Keep the names in a folder through a power cut."""
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def kill(pid: int) -> None:
        """End a process at once."""
        os.kill(pid, signal.SIGKILL)

    def kill_session(process: "subprocess.Popen[bytes]") -> None:
        """End whatever is left of a session that a process leads."""
        os.killpg(process.pid, signal.SIGKILL)

    def is_superuser() -> bool:
        """Whether we run as root."""
        return os.geteuid() == 0

    def give_way(steps: int) -> None:
        """Let others have the processor first."""
        os.nice(steps)

    def machine_ms() -> int:
        """Milliseconds since the machine started, with its sleep where the system counts it."""
        if _COUNTS_SLEEP is None:
            return time.monotonic_ns() // 1_000_000
        return time.clock_gettime_ns(_COUNTS_SLEEP) // 1_000_000

    def processor_ms(pid: int) -> float | None:
        """Processor time that a process has had; None where the system does not say."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
        except OSError:
            return None
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def open_terminal() -> tuple[int, int, str]:
        """A raw pseudo-terminal: the device's end, the host's end, and the host's path.

        Raw on both sides, or it echoes and mangles CR LF. The device's end never blocks. OSError:
        none is left, or a container has no /dev/pts.
        """
        import tty

        device_end, host_end = os.openpty()
        tty.setraw(device_end)
        tty.setraw(host_end)
        os.set_blocking(device_end, False)
        return device_end, host_end, os.ttyname(host_end)
