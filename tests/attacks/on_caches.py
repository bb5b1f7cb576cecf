"""What somebody tries at what caches between the dashboard and a page may keep and hand on."""

import json
import re
import time
from collections.abc import Callable, Sequence
from functools import partial

from tests.attacks.attack import DELAY_S, OUT_S, Severity, Target, attack, status
from tests.attacks.public_sources import GAME, sources
from tests.eventually import eventually

_CANARY = "canary.example"
_OF_WHO_ASKS = (
    f"X-Forwarded-Host: {_CANARY}",
    f"X-Host: {_CANARY}",
    f"Forwarded: for=1.2.3.4;host={_CANARY};proto=https",
    f"X-Forwarded-Prefix: /{_CANARY}",
    f"X-Original-URL: /{_CANARY}",
    f"X-Rewrite-URL: /{_CANARY}",
    "X-HTTP-Method-Override: POST",
    f"Origin: https://{_CANARY}",
    f"Referer: https://{_CANARY}/",
    f"User-Agent: {_CANARY}",
    f"Accept-Language: {_CANARY}",
    f"Accept: text/{_CANARY}",
    f"Cookie: session={_CANARY}",
    f"Authorization: Bearer {_CANARY}",
)
_TIMES = re.compile(r"\d{13}")
_KEPT = re.compile(r"(?im)^cache-control: (?!no-store)")
_TABLE = 2


def _header(answer: str, name: str) -> str:
    """What one line of the head says, or nothing."""
    found = re.search(rf"(?im)^{name}: (.*?)\r?$", answer.partition("\r\n\r\n")[0])
    return found[1] if found else ""


def _said(answer: str) -> str:
    """What a cache keeps of an answer: its text without times, its mark, where it leads."""
    text = _TIMES.sub("*", answer.partition("\r\n\r\n")[2])
    marks = (_header(answer, name) for name in ("etag", "location", "content-type"))
    return f"{status(answer)} {' '.join(marks)} {text}"


def _kept(target: Target) -> list[str]:
    """The public addresses whose answers may be kept, and what the pages are made of."""
    script = re.search(r'type="module" src="([^"]+)"', target.get("/watch"))
    pages, _, _ = sources()
    kept = [page for page in (*pages, script[1]) if _KEPT.search(target.get(page))]
    assert {"/public/tables.json", "/public/table/1.json", "/public/games.json"} <= set(kept)
    assert script[1] in kept
    return kept


def _finished(target: Target) -> str:
    """The address that leads to the newest version of a finished game of table 2."""
    director, order = target.session("director"), {"type": "order.end", "data": {}}
    words = json.dumps({**order, "id": f"end-{time.monotonic_ns()}", "table": _TABLE})
    target.post("/api/order", words, target.origin, session=director)  # refused where it is over
    address = f"/public/game/{_TABLE}/{GAME}.json"
    eventually(lambda: status(target.get(address)) == 307, "the public knows that it is over")
    return address


def _as_for_others(target: Target, path: str, said: str, ask: Callable[[], str]) -> tuple[str, str]:
    """The answer that is asked for, and what everybody gets; AssertionError where they differ.

    A game goes on meanwhile: what everybody gets a moment later is no poison.
    """
    for _ in range(5):
        answer = ask()
        if _said(answer) == said:
            return answer, said
        said = _said(target.get(path))
    raise AssertionError(f"{path}: {_said(answer)} and not {said}")


@attack(Severity.HIGH)
def poison_what_a_cache_keeps_for_others(target: Target) -> None:
    """By headers, sessions and questions that are no part of an address: the bytes are the same."""
    director = target.session("director")
    for path in _kept(target):
        said = _said(target.get(path))
        for line in _OF_WHO_ASKS:
            asked = partial(target.request, f"GET {path} HTTP/1.1\r\n{line}")
            answer, said = _as_for_others(target, path, said, asked)
            assert _CANARY not in answer, (path, line)
        asked = partial(target.get, path, session=director)
        answer, said = _as_for_others(target, path, said, asked)
        assert not _header(answer, "set-cookie"), path
        question = f"{'&' if '?' in path else '?'}lang={_CANARY}&theme={_CANARY}&{_CANARY}=1"
        assert _CANARY not in target.get(path + question), path
        assert _CANARY not in target.get(path), path


@attack(Severity.HIGH)
def have_a_fault_or_a_foreign_name_kept(target: Target) -> None:
    """A name of another site, a version that is not, a table or game that is not: never kept."""
    (script,) = (path for path in _kept(target) if path.startswith("/static/"))
    version = script.split("/")[2]
    for path in ("/watch", "/public/tables.json", script):
        for host in (_CANARY, f"127.0.0.1.{_CANARY}", f"{_CANARY}#127.0.0.1", ""):
            answer = target.request(f"GET {path} HTTP/1.1\r\nHost: {host}")
            assert status(answer) >= 400, (path, host)
            assert not _KEPT.search(answer), (path, host)
    for path in (
        script.replace(version, "0" * len(version)),
        "/public/game/0123456789abcdef/1/nobody.json",
        "/public/table/9999999.json",
        "/public/table/1.json/x.css",
        "/public/tables.json;x.css",
        "/api/event/x.css",
        "/director;x.css",
        "/public/../api/event",
        "/static/../api/event",
        "/public/%2e%2e/api/event",
        f"/static/{version}/%2e%2e/%2e%2e/director",
        "//public/tables.json",
    ):
        answer = target.get(path, session=target.session("director"))
        assert not _KEPT.search(answer), path
        assert status(answer) != 200, path


def _at_rest(target: Target, asked: Sequence[str]) -> dict[str, str]:
    """What each address says once nothing that was there before is still to come out."""
    said = {path: _said(target.get(path)) for path in asked}
    for _ in range(5):
        time.sleep(OUT_S)
        later = {path: _said(target.get(path)) for path in asked}
        if later == said:
            return said
        said = later
    raise AssertionError(f"{asked}: what they say goes on changing by itself")


def _told_early(target: Target, asked: Sequence[str], points: int) -> dict[str, tuple[str, str]]:
    """What changes of the addresses after a correction and before its time, with what it was."""
    before = _at_rest(target, asked)
    order = {"type": "order.time_penalty", "data": {"player": 1, "points": points}}
    words = json.dumps({**order, "id": f"late-{time.monotonic_ns()}", "table": _TABLE})
    ends, director = time.monotonic() + DELAY_S, target.session("director")
    assert '"accepted"' in target.post("/api/order", words, target.origin, session=director)
    passes = 0
    while True:
        now = {path: _said(target.get(path)) for path in asked}
        if time.monotonic() >= ends:
            break
        passes += 1
        early = {path: (before[path], now[path]) for path in asked if now[path] != before[path]}
        if early:
            return early
    assert passes, "not everything was asked in time"
    return {}


@attack(Severity.HIGH)
def see_a_finished_game_corrected_early(target: Target) -> None:
    """Neither its address, which has its version, nor a mark of a list says so before time.

    A device that has not spoken since the start changes pages too, once: what reports
    corrections reports each.
    """
    finished = _finished(target)
    lists = (f"/watch/game/{_TABLE}/{GAME}", "/public/games.json", "/public/tables.json")
    for points in (30, 40, 50):
        _at_rest(target, (finished,))
        for_ever = _header(target.get(finished), "location")
        assert "immutable" in _header(target.get(for_ever), "cache-control")
        asked = (finished, for_ever, *lists, f"/public/table/{_TABLE}.json")
        early = _told_early(target, asked, points)
        if not early:
            break
    assert early == {}, "three times"
    eventually(lambda: _header(target.get(finished), "location") != for_ever, "late, it is out")
    led = target.get(for_ever)
    assert (status(led), "immutable" in led) == (307, False), "what was before is kept no more"


@attack(Severity.HIGH)
def reach_files_by_the_names_of_public_games(target: Target) -> None:
    """By every spelling of a path, at the addresses that a cache asks."""
    found = re.search(r"/static/[^/\"]+/", target.get("/watch"))
    up = ("..", "%2e%2e", "%252e%252e", "..%2f..", "..%5c..", "%00", "g1%0d%0aX-Canary:%201", "%0a")
    roots = (f"{found[0]}joined/", found[0], "/public/game/1/", "/public/table/", "/watch/game/1/")
    for root in (*roots, "/public/game/0123456789abcdef/1/", "/public/", "/watch/"):
        for way in up:
            for goal in ("keys.env", "etc/passwd", ".json", "g1.json", "app.py"):
                for path in (f"{root}{f'{way}/' * 6}{goal}", f"{root}{way}{goal}"):
                    answer = target.get(path)
                    assert status(answer) in (307, 400, 404, 405, 422), (path, answer[:200])
                    assert not _header(answer, "x-canary"), path
                    assert "TILECAST_" not in answer, path
                    assert "root:" not in answer, path
                    assert not _KEPT.search(answer), path
