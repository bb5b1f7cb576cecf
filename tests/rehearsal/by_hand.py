"""A venue as the README's "By hand" makes it: the example files, edited, and a Mosquitto that runs.

That Mosquitto is Debian's: its own configuration, as its service starts it, nothing of ours.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from recorder.bus.broker import find_mosquitto, free_port
from tests.eventually import eventually
from tests.rehearsal.hall import Hall, listens

CONFIGURATION = Path("/etc/mosquitto/mosquitto.conf")
PORT = 1883
"""Where Mosquitto listens when its configuration names nothing."""
_PROGRAM = (sys.executable, "-m", "tilecast")


def lacks() -> str:
    """What is missing on this machine for it, with the remedy; empty when nothing."""
    if find_mosquitto() is None or not CONFIGURATION.is_file():
        return "apt install mosquitto"
    if listens(PORT):
        return "something listens at port 1883: sudo systemctl stop mosquitto"
    return "" if os.geteuid() == 0 else "Mosquitto as a service is started by root"


@contextmanager
def debians_mosquitto() -> Iterator[None]:
    """Started as ``mosquitto.service`` starts it, its folders made as it makes them."""
    for folder in (Path("/run/mosquitto"), Path("/var/log/mosquitto")):
        folder.mkdir(mode=0o740, exist_ok=True)
        shutil.chown(folder, "mosquitto")
    program = str(find_mosquitto())
    with subprocess.Popen([program, "-c", str(CONFIGURATION)]) as process:
        try:
            eventually(lambda: listens(PORT), "Mosquitto answers")
            yield
        finally:
            process.terminate()


def open_by_hand(stack: ExitStack, folder: Path, camera: str, port: str, tiles: str) -> Hall:
    """The programs, each by its example file with camera, port and tiles put in."""
    stack.enter_context(debians_mosquitto())
    folder.mkdir()
    german = ('tiles = "english"', f'tiles = "{tiles}"')
    _example(folder / "venue.toml", "record", [german, ('"auto"', f'"mqtt://127.0.0.1:{PORT}"')])
    local = [german, ('source = "0"', f'source = "{camera}"'), ("/dev/ttyUSB0", port)]
    _example(folder / "table-1.toml", "agent", local)
    page = free_port()
    log = folder / "record" / "tilecast.db"
    recorder = _start(stack, folder, "record", "venue.toml")
    eventually(log.exists, "the recorder has its log")
    _start(stack, folder, "agent", "table-1.toml")
    _start(stack, folder, "dashboard", "--log", str(log), "--port", str(page))
    eventually(lambda: listens(page), "the pages answer")
    return Hall(folder, recorder, PORT, page)


def _example(file: Path, command: str, edits: Sequence[tuple[str, str]]) -> None:
    shown = subprocess.run([*_PROGRAM, command, "--example"], check=True, capture_output=True)
    text = shown.stdout.decode()
    for before, after in edits:
        assert before in text, (command, before)
        text = text.replace(before, after, 1)
    file.write_text(text, "utf-8")


def _start(stack: ExitStack, folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    with (folder / f"{words[0]}.log").open("wb") as output:
        process = subprocess.Popen([*_PROGRAM, *words], cwd=folder, stdout=output, stderr=output)
    stack.callback(process.wait, 60)
    stack.callback(process.terminate)
    return process
