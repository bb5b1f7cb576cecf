"""A fault that comes without end fills no disk."""

import logging
import resource
import subprocess
import sys
from pathlib import Path

from recorder.operations.process_logs import FewTraces

SCRIPT = """
import asyncio, logging, os, socket, time
from recorder.operations.process_logs import begin_logs
begin_logs("text")
async def main():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    place = server.sockets[0].getsockname()
    held = []
    while True:
        try:
            held.append(os.open("/dev/null", os.O_RDONLY))
        except OSError:
            break
    os.close(held.pop())
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(place)
    for _ in range(300):
        try:
            raise OSError(24, "Too many open files")
        except OSError:
            logging.getLogger("asyncio").error("accept() out of system resource", exc_info=True)
    await asyncio.sleep(0.5)
asyncio.run(main())
"""


def test_one_fault_is_written_once_a_minute() -> None:
    """With how many there were; another fault, and what is no fault, pass."""
    now_s = [0.0]
    few = FewTraces(lambda: now_s[0])

    def logged(text: str, fault: Exception | None) -> str:
        trace = None if fault is None else (type(fault), fault, fault.__traceback__)
        record = logging.LogRecord("asyncio", logging.ERROR, "x", 1, text, (), trace)
        return record.getMessage() if few.filter(record) else ""

    assert [logged("out of files", OSError(24, "x")) for _ in range(1000)].count("") == 999
    assert logged("out of files", ValueError("y")) == "out of files"
    assert [logged("plain", None) for _ in range(3)] == ["plain"] * 3
    calls = [f"Exception in callback begin(<socket {n}>)\nhandle: <Timer {n}>" for n in range(9)]
    assert [logged(call, OSError(9, "z")) for call in calls] == [calls[0], *[""] * 8]
    now_s[0] = 61.0
    assert logged("out of files", OSError(24, "x")) == "out of files (and 999 more like it before)"


def test_a_process_without_descriptors_says_so_in_few_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path.cwd(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    )
    assert 1 <= done.stderr.count("Traceback") <= 3
    assert len(done.stderr) < 20_000
