"""``make rehearsal``: photographed games at venues made by ``tilecast init``, with parts of others.

Each game has a camera and a clock that we did not write, and a trouble. The truth is that of the
photographs. Says by game what was recorded, and at the end the figures that a venue must keep.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.log.sqlite import SqliteEventLog
from tests.rehearsal import by_hand, clocks
from tests.rehearsal.account import Account, PressAnswer, Span, account, p95, press_answers
from tests.rehearsal.cameras import MAKERS, Camera, camera_on, lens_in
from tests.rehearsal.hall import Hall, open_hall
from tests.rehearsal.photographs import PhotographedGame, read_game
from tests.rehearsal.players import Jolt, Outage, PlayedTable
from tests.rehearsal.troubles import (
    BROKER,
    WallClock,
    Wifi,
    agent_of,
    kill_broker,
    killed,
    lid_shut,
    switched_off,
)

SHARED = Path("..", "shared", "photos", "games")
SETTLE_S = 30.0
PAGE = Path("docs", "outages.md")
BEGIN, END = "<!-- figures of make rehearsal -->\n", "<!-- end of figures -->\n"
"""Around the table in it."""


class Cause(StrEnum):
    """Of an outage at one table."""

    CAMERA = "camera off"
    AGENT = "agent killed"
    WIFI = "Wi-Fi lost"
    BROKER = "broker killed"
    LID = "lid shut"
    AGENTS_LID = "lid of the agent's laptop shut"


@dataclass(frozen=True, slots=True)
class Planned:
    """An outage of the programme: it lasts so long, and players take so many turns in it."""

    cause: Cause
    lasts_s: int
    turns: int

    def __str__(self) -> str:
        return f"{self.cause} for {self.lasts_s} s, {self.turns} turn{'s' * (self.turns > 1)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What is rehearsed at one venue: a game for each table, one kind of camera and of clock.

    ``outages``: one at each table. ``jolt``: what happens to the first table besides.
    ``broker``: ours with passwords and access list, or with certificates for anyone who comes over
    the network; or Debian's own, as its package starts it, and the programs by their example files.
    """

    games: Sequence[str]
    camera: str
    clock: str
    outages: Sequence[Planned] = ()
    jolt: str = ""
    broker: str = "passwords"

    def troubles(self, table: int) -> str:
        """In words, those of a table (from 0)."""
        found = [*map(str, self.outages[table : table + 1]), self.jolt if not table else ""]
        return ", and ".join(filter(None, found)) or "no trouble"


PROGRAMME = (
    Evening(
        games=("game12",),
        camera="mjpeg",
        clock="mqtt",
        outages=[Planned(Cause.BROKER, 20, 3)],
        jolt="twice for a moment",
    ),
    Evening(
        games=("game01",),
        camera="snapshot",
        clock="serial",
        outages=[Planned(Cause.CAMERA, 30, 4)],
        jolt="camera moved",
    ),
    Evening(games=("game03",), camera="rtsp", clock="serial", outages=[Planned(Cause.LID, 20, 3)]),
    Evening(
        games=("game05",),
        camera="mjpeg",
        clock="phone",
        outages=[Planned(Cause.AGENT, 15, 2)],
        jolt="time jumps an hour",
    ),
    Evening(
        games=("game15", "game06"),
        camera="snapshot",
        clock="mqtt",
        outages=[Planned(Cause.WIFI, 90, 5), Planned(Cause.CAMERA, 60, 5)],
    ),
    Evening(
        games=("game12",),
        camera="rtsp",
        clock="mqtt",
        outages=[Planned(Cause.WIFI, 10, 1)],
        broker="certificates",
    ),
    Evening(
        games=("game06",),
        camera="snapshot",
        clock="serial",
        outages=[Planned(Cause.AGENTS_LID, 180, 6)],
        broker="Debian's own",
    ),
)


def lacking(evening: Evening) -> str:
    """What is missing on this machine for it, with the remedy; empty when nothing."""
    needs = [MAKERS[evening.camera].needs(), clocks.lacks(evening.clock)]
    if evening.broker == "certificates" and shutil.which("openssl") is None:
        needs.append("apt install openssl")
    if evening.broker == "Debian's own":
        needs.append(by_hand.lacks())
    if evening.jolt == "time jumps an hour" and not WallClock.library():
        needs.append("apt install libfaketime")
    return "; ".join(filter(None, needs))


def rehearse(
    evening: Evening, folder: Path, most: int | None, keep: Path | None = None
) -> list[Account]:
    """Play an evening's games, all tables at once; the account of each.

    What the venue wrote is left in a new folder below ``keep``.
    """
    games = [read_game(folder / name, most) for name in evening.games]
    with ExitStack() as stack:
        place = _place(stack, "-".join(evening.games), keep)
        wall = WallClock(place)
        begun = time.monotonic()
        stands = _open(stack, evening, games, place, wall)
        first_s = _first_event_s(stands[0].played.hall, begun)
        spans: list[list[Span]] = [[] for _ in games]
        plays = [
            partial(
                stand.played.play,
                game.turns,
                {} if n else _jolts(evening.jolt, stand.played, wall, len(game.turns)),
                {
                    len(game.turns) // 3 + 1: Outage(
                        planned.lasts_s, planned.turns, partial(_outage, planned, stand, spans[n])
                    )
                    for planned in evening.outages[n : n + 1]
                },
            )
            for n, (stand, game) in enumerate(zip(stands, games, strict=True))
        ]
        others = [threading.Thread(target=play) for play in plays[1:]]
        for other in others:
            other.start()
        plays[0]()  # here, for Chromium knows one thread
        for other in others:
            other.join()
        return [
            replace(
                _settled(stand.played.hall, game, n + 1, spans[n]),
                first_event_s=first_s,
                trouble=evening.troubles(n),
            )
            for n, (stand, game) in enumerate(zip(stands, games, strict=True))
        ]


def _place(stack: ExitStack, name: str, keep: Path | None) -> Path:
    if keep is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
    keep.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=keep.absolute()))


@dataclass(frozen=True, slots=True)
class _Stand:
    """A table that is played at, and what can be taken from it."""

    played: PlayedTable
    camera: Camera
    wifi: Wifi


def _open(
    stack: ExitStack,
    evening: Evening,
    games: Sequence[PhotographedGame],
    place: Path,
    wall: WallClock,
) -> list[_Stand]:
    lenses, cameras, wifis = [], list[Camera](), list[Wifi]()
    words = ["--tables", str(len(games)), "--tiles", games[0].tiles]
    for number in range(1, len(games) + 1):
        corner = place / f"corner-{number}"
        corner.mkdir()
        lens = stack.enter_context(lens_in(corner))
        camera = stack.enter_context(camera_on(MAKERS[evening.camera], lens, corner))
        words += ["--camera", camera.address]
        lenses.append(lens)
        cameras.append(camera)
        wifis.append(stack.enter_context(closing(Wifi())))
        if evening.clock == "serial":
            cable = place / f"cable-{number}"
            cable.mkdir()
            words += ["--serial", str(stack.enter_context(closing(clocks.SerialLine(cable))).ours)]

    def go_by_wifi(folder: Path) -> None:
        for number, wifi in enumerate(wifis, 1):
            wifi.lay(folder / f"table-{number}.toml")

    if evening.broker == "Debian's own":
        ours = str(place / "cable-1" / "tty-ours")
        hall = by_hand.open_by_hand(stack, place / "hall", cameras[0].address, ours, games[0].tiles)
    else:
        words += ["--clock", evening.clock]
        is_sealed = evening.broker == "certificates"
        words += ["--tls", "--address", "127.0.0.1"] if is_sealed else []
        jumps = evening.jolt == "time jumps an hour"
        times = wall.environment() if jumps else {}
        hall = open_hall(stack, place / "hall", *words, environment=times, edit=go_by_wifi)
    made = clocks.KINDS[evening.clock]
    stands = []
    for number, (lens, camera, wifi) in enumerate(zip(lenses, cameras, wifis, strict=True), 1):
        over_wifi = replace(hall, broker_port=wifi.way_to(hall.broker_port))
        clock = stack.enter_context(made(over_wifi, number, place))
        stands.append(_Stand(PlayedTable(hall, lens, clock, number), camera, wifi))
    return stands


def _first_event_s(hall: Hall, begun: float) -> float:
    while not _has_event(hall):
        time.sleep(0.1)
    return time.monotonic() - begun


def _has_event(hall: Hall) -> bool:
    try:
        return any(row.key for row in hall.read_log())
    except RecorderError:
        return False  # the file is there, and is made a log just now


def _jolts(what: str, table: PlayedTable, wall: WallClock, turns: int) -> Mapping[int, Jolt]:
    """When in the game it happens: before the outage, and after it."""
    early, late = turns // 4, 3 * turns // 4
    match what:
        case "twice for a moment":
            return dict.fromkeys((early, late), lambda: kill_broker(table.hall))
        case "camera moved":
            return {early: table.lens.knock}
        case "time jumps an hour":
            return {early: lambda: wall.set(3600), late: lambda: wall.set(0)}
        case _:
            return {}


@contextmanager
def _outage(planned: Planned, stand: _Stand, spans: list[Span]) -> Iterator[None]:
    begun_ms = time.time_ns() // 1_000_000
    with _begun(planned.cause, stand):
        yield
    spans.append((begun_ms, time.time_ns() // 1_000_000))


def _begun(cause: Cause, stand: _Stand) -> AbstractContextManager[None]:
    hall, agent = stand.played.hall, agent_of(stand.played.number)
    match cause:
        case Cause.CAMERA:
            return switched_off(stand.camera)
        case Cause.AGENT:
            return killed(hall, agent)
        case Cause.WIFI:
            return stand.wifi.lost()
        case Cause.BROKER:
            return killed(hall, BROKER)
        case Cause.LID:
            return lid_shut([int(number) for number, *_ in hall.processes()])
        case Cause.AGENTS_LID:
            return lid_shut(hall.pids_of(agent))


def _settled(hall: Hall, game: PhotographedGame, table: int, outages: Sequence[Span]) -> Account:
    """The account, as soon as it is exact or nothing is likely to change any more."""
    played = [turn.event for turn in game.turns]
    end = time.monotonic() + SETTLE_S
    while True:
        found = account(game.name, played, hall.read_log(), table, game.tiles, outages)
        if (found.is_exact and not found.doubts) or time.monotonic() > end:
            return found
        time.sleep(0.5)


def demo_answers(folder: Path) -> list[PressAnswer]:
    """Press to row in the demonstration, measured alike: what rehearsals are held against."""
    command = [sys.executable, "-m", "tilecast", "demo", "--once", "--port", "0"]
    subprocess.run(
        [*command, "--sensors", "clock-camera", "--folder", str(folder)],
        check=True,
        capture_output=True,
    )
    (place,) = folder.rglob("tilecast.db")
    with closing(SqliteEventLog.open_reader(place)) as log:
        return press_answers(list(log.read_from(1)))


def main() -> int:
    """Play the programme; 1 when a game was recorded otherwise than its photographs say."""
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsal", description=__doc__)
    parser.add_argument("games", nargs="*", help="only evenings with one of these, as game12")
    parser.add_argument("--photos", type=Path, default=SHARED, help="folder of the games' folders")
    parser.add_argument("--turns", type=int, metavar="N", help="so many of each game at most")
    parser.add_argument("--camera", choices=MAKERS, help="instead of the programme's")
    parser.add_argument("--clock", choices=clocks.KINDS, help="instead of the programme's")
    parser.add_argument("--broker", metavar="KIND", help="only evenings with it, as certificates")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave logs and files in DIR")
    parser.add_argument("--quiet", action="store_true", help="without troubles: to measure delays")
    parser.add_argument("--demo", action="store_true", help="measure the demonstration too")
    parser.add_argument("--json", action="store_true", help="one JSON document at the end")
    parser.add_argument("--table", action="store_true", help=f"put the table into {PAGE}")
    args = parser.parse_args()
    if not args.photos.is_dir():
        print(f"SKIPPED: no photographs in {args.photos}; --photos names their folder")
        return 0
    accounts = []
    given: dict[str, object] = {"jolt": "", "outages": ()} if args.quiet else {}
    given |= {key: getattr(args, key) for key in ("camera", "clock") if getattr(args, key)}
    for planned in PROGRAMME:
        evening = replace(planned, **given)
        if args.games and not set(args.games) & set(evening.games):
            continue
        if args.broker and args.broker != evening.broker:
            continue
        if needs := lacking(evening):
            print(f"SKIPPED: {', '.join(evening.games)}: {needs}")
            continue
        accounts += _told(evening, rehearse(evening, args.photos, args.turns, args.keep))
    if args.table:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{_table(accounts)}{END}{after}", "utf-8")
    return _sum(accounts, with_demo=args.demo, as_json=args.json)


def _table(accounts: Sequence[Account]) -> str:
    columns = ("turns", "right", "in a hole", "silent errors", "notices against players")
    lines = [f"| game | what happened | {' | '.join(columns)} |", f"|---{'|---' * 6}|"]
    for found in accounts:
        counts = (found.turns, found.right, found.in_holes, found.silent, len(found.accusing))
        lines.append(f"| {found.name} | {found.trouble} | {' | '.join(map(str, counts))} |")
    return "\n".join(lines) + "\n"


def _told(evening: Evening, accounts: list[Account]) -> list[Account]:
    parts = f"{evening.broker}, {MAKERS[evening.camera].what}, {clocks.NAMES[evening.clock]}"
    for found in accounts:
        print(
            f"{found.name}: {found.right} of {found.turns} right, {found.in_holes} in a hole,"
            f" {found.silent} silent errors, {len(found.accusing)} notices against players,"
            f" {found.doubts} doubts ({found.unsaid} whether exchange or pass),"
            f" {found.lost} lost, {found.doubled} doubled,"
            f" press to row p95 {_ms(p95(found.delays_ms))}{_waited(found)}, first event after"
            f" {found.first_event_s:.0f} s; {parts}; {found.trouble}",
            flush=True,
        )
        for line in (*found.wrong, *found.accusing):
            print(f"  {line}", flush=True)
    return accounts


def _ms(delay: int | None) -> str:
    return "not measured" if delay is None else f"{delay} ms"


def _waited(found: Account) -> str:
    """The presses that waited for an outage to end: they are in no delay."""
    if not found.waited_ms:
        return ""
    longest = max(found.waited_ms)
    return f" (without {len(found.waited_ms)} in an outage: {longest} ms after its end)"


def _sum(accounts: Sequence[Account], *, with_demo: bool, as_json: bool) -> int:
    if not accounts:
        return 0
    turns = sum(found.turns for found in accounts)
    delays = [delay for found in accounts for delay in found.delays_ms]
    waited = [delay for found in accounts for delay in found.waited_ms]
    figures: dict[str, int | float | None] = {
        "games": len(accounts),
        "turns": turns,
        "right": sum(found.right for found in accounts),
        "in_holes": sum(found.in_holes for found in accounts),
        "silent": sum(found.silent for found in accounts),
        "accusing": sum(len(found.accusing) for found in accounts),
        "doubts": sum(found.doubts for found in accounts),
        "doubts_exchange_or_pass": sum(found.unsaid for found in accounts),
        "lost": sum(found.lost for found in accounts),
        "doubled": sum(found.doubled for found in accounts),
        "press_to_row_p95_ms": p95(delays),
        "seen_before_p95_ms": p95([ms for found in accounts for ms in found.seen_before_ms]),
        "presses_in_outages": len(waited),
        "outage_to_row_longest_ms": max(waited, default=None),
        "first_event_s": round(max(found.first_event_s for found in accounts), 1),
    }
    if with_demo:
        with tempfile.TemporaryDirectory() as folder:
            answers = demo_answers(Path(folder))
        demo = p95([found.delay_ms for found in answers])
        figures["demo_press_to_row_p95_ms"] = demo
        figures["demo_seen_before_p95_ms"] = p95([a.delay_ms for a in answers if not a.looks])
        rehearsed = p95(delays)
        if demo and rehearsed is not None:
            figures["times_the_demo"] = round(rehearsed / demo, 2)
    for what, figure in figures.items():
        print(
            f"{what:28}{'not measured' if figure is None else figure}",
            file=sys.stderr if as_json else sys.stdout,
        )
    if as_json:
        print(json.dumps({**figures, "accounts": [asdict(found) for found in accounts]}))
    return 0 if all(found.is_exact for found in accounts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
