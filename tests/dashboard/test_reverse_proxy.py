"""A reverse proxy that caches, as docs/viewers.md has it, before a real dashboard."""

import gzip
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from pathlib import Path

import pytest

from recorder.bus.broker import free_port
from recorder.domain.game import EndRackPoints
from tests.browser.conftest import Server
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.slow

CONF = Path(__file__).parents[2] / "docker" / "nginx.conf"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
CROWD, ROUNDS = 8, 40


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard for pages behind a cache."""
    running = Server(tmp_path / "log.db", free_port())
    yield running
    running.kill()


@pytest.fixture
def proxy(tmp_path: Path, server: Server) -> Iterator[str]:
    """The address of nginx with our file, in a folder and at ports of its own."""
    if NGINX is None:
        pytest.skip("nginx is not installed: apt install nginx-light")
    port, home = free_port(), tmp_path / "nginx"
    home.mkdir()
    site = CONF.read_text("utf-8").replace("listen 80;", f"listen 127.0.0.1:{port};")
    site = site.replace("/var/cache/nginx/tilecast", str(home / "cache"))
    site = site.replace("127.0.0.1:8015", f"127.0.0.1:{server.port}")
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    own = "".join(f"{name}_temp_path {home / name};\n" for name in places)
    conf = home / "nginx.conf"
    user = "user root;\n" if os.getuid() == 0 else ""  # else its workers cannot enter our folder
    whole = f"{user}pid {home / 'pid'};\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
    conf.write_text(f"{whole}{own}{site}}}\n", "utf-8")
    words = [NGINX, "-e", "stderr", "-p", str(home), "-c", str(conf), "-g", "daemon off;"]
    with (home / "error.log").open("wb") as said:
        process = subprocess.Popen(words, stderr=said)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def asked(address: str) -> tuple[int, Message, bytes]:
    """Status, headers and body of an answer, as a browser that takes gzip."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            body = answer.read()
            packed = answer.headers.get("Content-Encoding") == "gzip"
            return answer.status, answer.headers, gzip.decompress(body) if packed else body
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, b""
    except OSError:
        return 0, Message(), b""


def wait_for(is_so: Callable[[], bool]) -> None:
    """Poll until something is so."""
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_crowd_behind_a_cache_costs_the_dashboard_one_page_a_second(
    server: Server, proxy: str
) -> None:
    """Most answers are the cache's own; a play arrives; without the dashboard the frame stays."""
    table = TableWriter(server.log, at=time.time_ns() // 1_000_000 - 60_000)
    table.start(("Anna", "Ben"))
    server.start("--cached", "--proxy", "127.0.0.1")
    frame = f"{proxy}/public/table/1.json"
    wait_for(lambda: asked(frame)[0] == 200)
    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(crowd.map(asked, [frame] * CROWD * ROUNDS))
    assert {status for status, _, _ in answers} == {200}
    by = Counter(headers["X-Cache"] for _, headers, _ in answers)
    assert by["HIT"] + by["STALE"] + by["UPDATING"] > CROWD * ROUNDS * 0.9, by
    table.play(0, OPENING[0])
    wait_for(lambda: b"ZEPHYR" in asked(frame)[2])
    table.record(EndRackPoints(1, 12, "QY"))
    wait_for(lambda: asked(f"{proxy}/public/game/1/g1.json")[0] == 200)
    server.kill()
    status, headers, body = asked(frame)
    assert status == 200, headers
    assert json.loads(body)["frame"]["players"][0]["name"] == "Anna"
    table.log.close()
