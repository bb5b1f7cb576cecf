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
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from recorder.domain.errors import RecorderError
from recorder.log.sqlite import SqliteEventLog
from tests.rehearsal import by_hand, clocks
from tests.rehearsal.account import Account, Asleep, PressAnswer, account, p95, press_answers
from tests.rehearsal.cameras import MAKERS, lens_in, switched_on
from tests.rehearsal.hall import Hall, open_hall
from tests.rehearsal.photographs import PhotographedGame, read_game
from tests.rehearsal.players import PlayedTable, Trouble
from tests.rehearsal.troubles import WallClock, kill_broker, put_to_sleep

SHARED = Path("..", "shared", "photos", "games")
SETTLE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What is rehearsed at one venue: a game for each table, one kind of camera and of clock.

    ``broker``: ours with passwords and access list, or with certificates for anyone who comes over
    the network; or Debian's own, as its package starts it, and the programs by their example files.
    """

    games: Sequence[str]
    camera: str
    clock: str
    trouble: str = ""
    broker: str = "passwords"


PROGRAMME = (
    Evening(games=("game12",), camera="mjpeg", clock="mqtt", trouble="broker killed"),
    Evening(games=("game01",), camera="snapshot", clock="serial", trouble="camera moved"),
    Evening(games=("game03",), camera="rtsp", clock="serial", trouble="laptop asleep"),
    Evening(games=("game05",), camera="mjpeg", clock="phone", trouble="time jumps an hour"),
    Evening(games=("game15", "game06"), camera="snapshot", clock="mqtt"),
    Evening(games=("game12",), camera="rtsp", clock="mqtt", broker="certificates"),
    Evening(games=("game06",), camera="snapshot", clock="serial", broker="Debian's own"),
)


def lacking(evening: Evening) -> str:
    """What is missing on this machine for it, with the remedy; empty when nothing."""
    needs = [MAKERS[evening.camera].needs(), clocks.lacks(evening.clock)]
    if evening.broker == "certificates" and shutil.which("openssl") is None:
        needs.append("apt install openssl")
    if evening.broker == "Debian's own":
        needs.append(by_hand.lacks())
    if evening.trouble == "time jumps an hour" and not WallClock.library():
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
        tables = _open(stack, evening, games, place, wall)
        hall = tables[0].hall
        first_s = _first_event_s(hall, begun)
        asleep: list[Asleep] = []
        troubles = _troubles(evening.trouble, tables[0], wall, len(games[0].turns), asleep)
        players = [
            threading.Thread(target=table.play, args=(game.turns, troubles if not n else None))
            for n, (table, game) in enumerate(zip(tables, games, strict=True))
        ]
        for player in players[1:]:
            player.start()
        tables[0].play(games[0].turns, troubles)  # here, for Chromium knows one thread
        for player in players[1:]:
            player.join()
        accounts = [_settled(hall, game, n, asleep) for n, game in enumerate(games, 1)]
    return [replace(found, first_event_s=first_s, trouble=evening.trouble) for found in accounts]


def _place(stack: ExitStack, name: str, keep: Path | None) -> Path:
    if keep is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rehearsal-")))
    keep.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=keep.absolute()))


def _open(
    stack: ExitStack,
    evening: Evening,
    games: Sequence[PhotographedGame],
    place: Path,
    wall: WallClock,
) -> list[PlayedTable]:
    """The venue runs, the cameras and clocks are there."""
    lenses, words = [], ["--tables", str(len(games)), "--tiles", games[0].tiles]
    for number in range(1, len(games) + 1):
        corner = place / f"corner-{number}"
        corner.mkdir()
        lens = stack.enter_context(lens_in(corner))
        address = stack.enter_context(switched_on(MAKERS[evening.camera], lens, corner))
        words += ["--camera", address]
        lenses.append(lens)
        if evening.clock == "serial":
            cable = place / f"cable-{number}"
            cable.mkdir()
            words += ["--serial", str(stack.enter_context(closing(clocks.SerialLine(cable))).ours)]
    if evening.broker == "Debian's own":
        ours = str(place / "cable-1" / "tty-ours")
        hall = by_hand.open_by_hand(stack, place / "hall", address, ours, games[0].tiles)
    else:
        words += ["--clock", evening.clock]
        is_sealed = evening.broker == "certificates"
        words += ["--tls", "--address", "127.0.0.1"] if is_sealed else []
        jumps = evening.trouble == "time jumps an hour"
        times = wall.environment() if jumps else {}
        hall = open_hall(stack, place / "hall", *words, environment=times)
    made = clocks.KINDS[evening.clock]
    return [
        PlayedTable(hall, lens, stack.enter_context(made(hall, number, place)), number)
        for number, lens in enumerate(lenses, 1)
    ]


def _first_event_s(hall: Hall, begun: float) -> float:
    while not _has_event(hall):
        time.sleep(0.1)
    return time.monotonic() - begun


def _has_event(hall: Hall) -> bool:
    try:
        return any(row.key for row in hall.read_log())
    except RecorderError:
        return False  # the file is there, and is made a log just now


def _troubles(
    what: str, table: PlayedTable, wall: WallClock, turns: int, asleep: list[Asleep]
) -> Mapping[int, Trouble]:
    """When in the game it happens: a third through it, and over two thirds through."""
    early, late = turns // 3, 2 * turns // 3
    match what:
        case "broker killed":
            return dict.fromkeys((early, late), lambda: kill_broker(table.hall))
        case "camera moved":
            return {early: table.lens.knock}
        case "laptop asleep":
            return dict.fromkeys((early, late), lambda: asleep.append(put_to_sleep(table.hall)))
        case "time jumps an hour":
            return {early: lambda: wall.set(3600), late: lambda: wall.set(0)}
        case _:
            return {}


def _settled(hall: Hall, game: PhotographedGame, table: int, asleep: Sequence[Asleep]) -> Account:
    """The account, as soon as it is exact or nothing is likely to change any more."""
    played = [turn.event for turn in game.turns]
    end = time.monotonic() + SETTLE_S
    while True:
        found = account(game.name, played, hall.read_log(), table, game.tiles, asleep)
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
    args = parser.parse_args()
    if not args.photos.is_dir():
        print(f"SKIPPED: no photographs in {args.photos}; --photos names their folder")
        return 0
    accounts = []
    given = {"trouble": ""} if args.quiet else {}
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
    return _sum(accounts, with_demo=args.demo, as_json=args.json)


def _told(evening: Evening, accounts: list[Account]) -> list[Account]:
    parts = f"{evening.broker}, {MAKERS[evening.camera].what}, {clocks.NAMES[evening.clock]}"
    for found in accounts:
        print(
            f"{found.name}: {found.right} of {found.turns} right, {found.silent} silent errors,"
            f" {found.doubts} doubts ({found.unsaid} whether exchange or pass),"
            f" {found.lost} lost, {found.doubled} doubled,"
            f" press to row p95 {_ms(p95(found.delays_ms))}{_slept_over(found)}, first event after"
            f" {found.first_event_s:.0f} s; {parts}; {evening.trouble or 'no trouble'}",
            flush=True,
        )
        for line in found.wrong:
            print(f"  {line}", flush=True)
    return accounts


def _ms(delay: int | None) -> str:
    return "not measured" if delay is None else f"{delay} ms"


def _slept_over(found: Account) -> str:
    """The presses that waited for a laptop to wake: they are in no delay."""
    if not found.slept_over_ms:
        return ""
    longest = max(found.slept_over_ms)
    return f" (without {len(found.slept_over_ms)} slept over: {longest} ms after waking)"


def _sum(accounts: Sequence[Account], *, with_demo: bool, as_json: bool) -> int:
    if not accounts:
        return 0
    turns = sum(found.turns for found in accounts)
    delays = [delay for found in accounts for delay in found.delays_ms]
    slept_over = [delay for found in accounts for delay in found.slept_over_ms]
    figures: dict[str, int | float | None] = {
        "games": len(accounts),
        "turns": turns,
        "right": sum(found.right for found in accounts),
        "silent": sum(found.silent for found in accounts),
        "doubts": sum(found.doubts for found in accounts),
        "doubts_exchange_or_pass": sum(found.unsaid for found in accounts),
        "lost": sum(found.lost for found in accounts),
        "doubled": sum(found.doubled for found in accounts),
        "press_to_row_p95_ms": p95(delays),
        "seen_before_p95_ms": p95([ms for found in accounts for ms in found.seen_before_ms]),
        "presses_slept_over": len(slept_over),
        "waking_to_row_longest_ms": max(slept_over, default=None),
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
