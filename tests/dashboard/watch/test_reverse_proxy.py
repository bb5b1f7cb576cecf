"""A reverse proxy that caches, as docs/viewers.md has it, before a real dashboard."""

import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from pathlib import Path

import pytest

from recorder.bus.broker import free_port
from recorder.domain.game import EndRackPoints
from recorder.domain.tile_text import read_tiles
from tests.browser.conftest import KEY, Server
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually

pytestmark = pytest.mark.slow

CONF = Path(__file__).parents[3] / "docker" / "nginx.conf"
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
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read()
            packed = answer.headers.get("Content-Encoding") == "gzip"
            return answer.status, answer.headers, gzip.decompress(body) if packed else body
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, b""
    except OSError:
        return 0, Message(), b""


def test_a_crowd_behind_a_cache_costs_the_dashboard_one_page_a_second(
    server: Server, proxy: str
) -> None:
    """Most answers are the cache's own; a play arrives; without the dashboard the frame stays."""
    table = TableWriter(server.log, at=time.time_ns() // 1_000_000 - 60_000)
    table.start(("Anna", "Ben"))
    server.start("--cached", "--proxy", "127.0.0.1")
    frame = f"{proxy}/public/table/1.json"
    eventually(lambda: asked(frame)[0] == 200)
    with ThreadPoolExecutor(CROWD) as crowd:
        answers = list(crowd.map(asked, [frame] * CROWD * ROUNDS))
    assert {status for status, _, _ in answers} == {200}
    by = Counter(headers["X-Cache"] for _, headers, _ in answers)
    assert by["HIT"] + by["STALE"] + by["UPDATING"] > CROWD * ROUNDS * 0.9, by
    table.play(0, OPENING[0])
    eventually(lambda: b"ZEPHYR" in asked(frame)[2])
    table.record(EndRackPoints(1, 12, read_tiles("QY")))
    eventually(lambda: asked(f"{proxy}/public/game/1/g1.json")[0] == 200)
    server.kill()
    status, headers, body = asked(frame)
    assert status == 200, headers
    assert json.loads(body)["frame"]["players"][0]["name"] == "Anna"
    table.log.close()


CANARY = "canary.example"
POISON = (
    {"X-Forwarded-Host": CANARY, "X-Forwarded-Proto": CANARY, "X-Forwarded-Prefix": f"/{CANARY}"},
    {"Forwarded": f"for=1.2.3.4;host={CANARY}", "X-Original-URL": "/director"},
    {"X-Rewrite-URL": "/api/desk", "X-HTTP-Method-Override": "POST"},
    {"Host": CANARY},
    {"Range": "bytes=0-9"},
    {"Range": "bytes=0-0,5-9", "If-Range": '"x"'},
    {"Accept-Encoding": "identity;q=1, *;q=0"},
    {"Accept-Encoding": CANARY, "Accept": f"text/{CANARY}", "Accept-Language": CANARY},
    {"If-None-Match": "*"},
    {"If-Modified-Since": "Mon, 01 Jan 2040 00:00:00 GMT"},
    {"Cookie": f"tilecast_session={CANARY}; lang={CANARY}", "Authorization": f"Bearer {CANARY}"},
    {"Cache-Control": "no-cache", "Pragma": "no-cache", "X-Cache": CANARY},
    {"Origin": f"https://{CANARY}", "Referer": f"https://{CANARY}/"},
)
"""Of each header it has happened somewhere that what it said was kept for everybody."""
PRIVATE = ("/director", "/api/desk", "/api/access", "/api/event", "/director/event", "/commentator")


def say(address: str, line: str, **headers: str) -> tuple[int, str]:
    """Status and whole text of an answer to a request as it is written; HTTP/1.0 has no chunks."""
    host, _, port = address.removeprefix("http://").partition(":")
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [] if "Host" in headers else [f"Host: {host}:{port}"]
    with socket.create_connection((host, int(port)), 10) as caller:
        caller.sendall("\r\n".join([line, *lines, "Connection: close", "", ""]).encode())
        text = b"".join(iter(lambda: caller.recv(65_536), b"")).decode("utf-8", "replace")
    word = text.split(" ", 2)[1:2]
    return (int(word[0]) if word else 0), text


def body_of(text: str) -> str:
    """What a page gets, without the times in it."""
    return re.sub(r"\d{13}", "*", text.partition("\r\n\r\n")[2])


def without_host(answer: str) -> str:
    """A page without the address under which it was asked: pictures for chats are named in full."""
    return re.sub(r"http://127\.0\.0\.1:\d+", "", body_of(answer))


@pytest.mark.further
def test_nobody_gets_from_a_cache_what_somebody_else_put_there(server: Server, proxy: str) -> None:
    """By headers, parts, methods and spellings; what is for one is not kept for another."""
    table = TableWriter(server.log, at=time.time_ns() // 1_000_000 - 60_000)
    table.start(("Anna", "Ben"))
    for number, play in enumerate(OPENING[:4]):
        table.play(number % 2, play)
    table.record(EndRackPoints(1, 12, read_tiles("QY")))
    server.start("--cached", "--proxy", "127.0.0.1")
    eventually(lambda: asked(f"{proxy}/public/game/1/g1.json")[0] == 200)
    public = ("/watch", "/watch/1", "/public/tables.json", "/public/table/1.json",
              "/public/games.json", "/event/data.json", "/watch/game/1/g1")  # fmt: skip
    for path in public:
        clean = say(f"http://127.0.0.1:{server.port}", f"GET {path} HTTP/1.0")
        assert clean[0] == 200, path
        for number, headers in enumerate(POISON):  # each into an empty place of the cache
            fresh = f"{path}?{number}"
            said = say(proxy, f"GET {fresh} HTTP/1.0", **headers)
            after = say(proxy, f"GET {fresh} HTTP/1.0")
            assert after[0] == 200, (fresh, headers)
            assert without_host(after[1]) == without_host(clean[1]), (fresh, headers)
            for text in (said[1], after[1]):
                assert CANARY not in text or said[0] == 400, (fresh, headers)
        for number, method in enumerate(("HEAD", "POST", "OPTIONS", "PURGE", "DELETE", "TRACE")):
            fresh = f"{path}?m{number}"
            say(proxy, f"{method} {fresh} HTTP/1.0", Content_Length="0")
            again = say(proxy, f"GET {fresh} HTTP/1.0")[1]
            assert without_host(again) == without_host(clean[1]), method
    cookie = re.search(r"(?im)^set-cookie: ([^;]+)", say(proxy, f"GET /enter/{KEY} HTTP/1.0")[1])
    for path in PRIVATE:
        for spelt in (
            path, f"/watch/..{path}", f"/watch/%2e%2e{path}", f"/public/..%2f{path[1:]}",
            f"{path}/%2e%2e/watch", f"{path}%2f..%2f..%2fwatch", f"//{path[1:]}", f"{path};/watch",
            f"{path}/watch.css", f"/static/..{path}", f"{path}?.css", f"/x/..{path}",
        ):  # fmt: skip
            for _ in range(2):
                mine = say(proxy, f"GET {spelt} HTTP/1.0", Cookie=cookie[1], Accept="text/html")
                other = say(proxy, f"GET {spelt} HTTP/1.0", Accept="text/html")
                if mine[0] == 200 and mine[1].partition("\r\n\r\n")[2] != "":
                    assert other[0] != 200 or body_of(other[1]) == body_of(mine[1]), spelt
                assert other[0] != 200 or "X-Cache" in other[1], spelt
                assert "set-cookie" not in other[1].lower(), spelt
    assert say(proxy, "GET /director HTTP/1.0", Cookie=cookie[1])[0] == 200
    guesses = [
        say(proxy, f"GET /enter/guess-{n} HTTP/1.0", X_Forwarded_For=f"10.0.0.{n}")[0]
        for n in range(12)
    ]
    assert 429 in guesses, "whoever says to come from elsewhere waits all the same"
    form = "POST /login HTTP/1.0"
    assert say(proxy, form, Origin=proxy, Content_Length="0")[0] in (401, 429), "it is our own page"
    assert say(proxy, form, Origin="https://evil.example", Content_Length="0")[0] == 403
    table.log.close()
