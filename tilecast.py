"""The composition root: assembles the sub-commands of the packages and wires what crosses them."""

import argparse
import gc
import importlib.util
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.venue.tournament_demo import TournamentDemo
    from devices.lab.demonstration import Demonstration
    from devices.watching.watched_source import Watched
    from recorder.lab.scenario.play import SensesOf
    from recorder.log.port import Row
    from recorder.photo_replay import Series

PACKAGES = ("recorder", "devices", "dashboard", "calibration")
QUIET_S, LONGEST_QUIET_S = 4.0, 60.0
EPILOG = """try it without any hardware:   tilecast demo
read a game from photographs:  tilecast replay FOLDER
exit status: 0 done, 1 the input is at fault, 2 wrong usage"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status (0 done, 1 input at fault, 2 wrong usage)."""
    try:
        _check_packages()
        _check_language()
    except (ImportError, ValueError) as wrong:
        print(f"tilecast: {wrong}", file=sys.stderr)
        return 1
    from recorder.commands.command_line import status_of, without_colours

    gc.set_threshold(20_000, 20, 20)  # what is loaded stays: looking through it took a tenth
    given = without_colours(sys.argv[1:] if argv is None else argv)
    return status_of(partial(_run, given))


def _run(given: list[str]) -> int:
    args = _parser(*given[:1]).parse_args(given)
    status: int = args.run(args)
    return status


def _check_packages() -> None:
    """ImportError when Python would take a package of ours from somebody else.

    Their names are plain words (decision 0012), and what comes first on the path wins.
    """
    home = Path(__file__).resolve().parent
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        place = Path(found.origin or "").resolve() if found is not None else None
        if place != home / name / "__init__.py":
            raise ImportError(
                f"Python takes {name!r} from {place or 'nowhere'}, not from {home / name}. Start"
                f" Tilecast where no other {name!r} is in the way, and install it into an"
                " environment of its own (pipx install, or a container)"
            )


def _check_language() -> None:
    """NotationError, a ValueError, where the language that was chosen has no texts."""
    from recorder.texts import LANGUAGE, load_catalogue

    if os.environ.get(LANGUAGE):
        load_catalogue()


def _parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or, in a third of the time, of one with its neighbours."""
    from recorder.commands.command_line import NO_COLOUR, AnyOrderParser, register_completion

    parser: argparse.ArgumentParser = AnyOrderParser(
        *("tilecast", None, "A live recorder for Scrabble tables: camera, clock, score.", EPILOG),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="say which build this is")
    bare = "no colours, before or behind the command, as NO_COLOR in the environment says it"
    parser.add_argument(*NO_COLOUR, action="store_true", help=bare)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def wants(*names: str) -> bool:
        return command is None or command in names

    if wants("demo", "replay", "watch"):
        import devices.lab.demo_cli
        import recorder.commands.replay_cli
        import recorder.commands.watch_cli
        from recorder.rulesets import rule_set_names

        devices.lab.demo_cli.register_demo(commands, run_demo, rule_set_names())
        recorder.commands.replay_cli.register_replay(commands, run_replay)
        recorder.commands.watch_cli.register_watch(commands, _watch, _follow)
    if wants("read", "tilecheck", "eyes"):
        import calibration.cli
        import devices.vision.cli

        devices.vision.cli.register_read(commands)
        devices.vision.cli.register_tilecheck(commands)
        calibration.cli.register_eyes(commands)
    if wants("record", "rules", "correct", "event", "log", "words", "doctor", "gcg", "scenario"):
        import calibration.venue.doctor_cli
        import recorder.cli
        import recorder.lab.scenario.cli

        recorder.cli.register(commands, calibration.venue.doctor_cli.register_doctor)
        recorder.lab.scenario.cli.register_scenario(commands, _pixel_senses)
    if wants("agent", "devices", "scale", "clock", "printables", "calibrate"):
        import calibration.cli
        import devices.cli

        devices.cli.register(commands)
        calibration.cli.register(commands)
    if wants("dashboard", "users", "export", "obs", "simulate"):
        import dashboard.cli

        dashboard.cli.register(commands)
    if wants("init", "venue", "status"):
        import calibration.venue.cli
        from dashboard.auth.access import Access

        calibration.venue.cli.register(commands, _make_accounts, Access)
    if not commands.choices:
        return _parser()
    register_completion(commands, parser)
    return parser


def _pixel_senses() -> "SensesOf":
    from devices.lab.scenario_senses import RenderedSenses

    return RenderedSenses


def _make_accounts(path: Path, tables: Iterable[int]) -> tuple[str | None, list[str]]:
    from dashboard.auth.first_keys import make_first_accounts

    return make_first_accounts(path, tables)


class _ShowVersion(argparse.Action):
    """Says it only when asked: to name the commit of a checkout takes a moment."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from recorder.version import build_version

        print(f"tilecast {build_version()}")
        parser.exit()


def run_replay(args: argparse.Namespace) -> int:
    """``tilecast replay``: 0 when the game could be read, 1 when the folder is at fault."""
    from recorder.commands.replay_cli import show_series
    from recorder.domain.errors import TilecastError
    from recorder.operations.answers import at_work, plain_words

    try:
        with at_work(f"reading {args.folder}") as on_read:
            series = replay(args.folder, tiles=args.tiles, on_read=on_read)
        show_series(series, args)
    except (TilecastError, OSError) as fault:
        print(f"tilecast replay: {plain_words(fault, str(args.folder))}", file=sys.stderr)
        return 1
    return 0


def replay(
    folder: str | os.PathLike[str],
    *,
    tiles: str | None = None,
    on_read: Callable[[str], None] | None = None,
) -> "Series":
    """The game that a folder of photographs shows, one per press of the clock.

    The photographs are read in the natural order of their file names; ``on_read`` gets the name of
    each one read, which takes a second or so. ``tiles`` names the tile set (``english``,
    ``german``); None takes the one that explains the photographs better.

    Returns a ``recorder.photo_replay.Series``: events with what speaks for them, photographs left
    out, the game as ``GcgGame``. Raises NotationError when there is no such folder, when no
    photograph shows a board, and when they cannot be in the order of play; ImportError when
    another package stands where one of ours should.
    """
    _check_packages()
    from devices.watching.photographs import photographs
    from recorder.photo_replay import Photo, read_series
    from recorder.tilesets import load_tile_set, tile_set_names

    photos = [Photo(*looked) for looked in photographs(Path(folder), on_read or (lambda _: None))]
    sets = map(load_tile_set, [tiles] if tiles else tile_set_names())
    return min((read_series(photos, tile_set) for tile_set in sets), key=lambda s: s.known.costs[0])


def _watch(source: str, tiles: str | None, **options: Any) -> "Watched":
    """``watch_source``, loaded when something is watched."""
    from devices.watching.watched_source import watch_source

    return watch_source(source, tiles, **options)


def _follow(source: str, **options: Any) -> Any:
    """``follow``, loaded when something is followed."""
    from devices.watching.following import Following, follow

    return follow(Following(source=source, **options))


def run_demo(args: argparse.Namespace) -> int:
    """``tilecast demo``: 0 when the game was played through, 1 when something given is at fault."""
    from recorder.domain.errors import TilecastError
    from recorder.operations.answers import plain_words

    args.speed = args.speed if args.speed is not None else (60.0 if args.once else 1.0)
    if args.speed < 1:
        print(f"tilecast demo: --speed {args.speed:g}: 1 or more", file=sys.stderr)
        return 2
    say: Callable[[str], None] = (lambda _: None) if args.json else partial(print, flush=True)
    # Ended from outside, the demo ends its processes as it does on Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ExitStack() as running:
            demo = _demo(args, say)
            demo.start(running)
            document = demo.finish()
            if not args.once:
                say("the pages stay open; Ctrl-C ends the demo")
                threading.Event().wait()
    except (TilecastError, OSError) as fault:
        print(f"tilecast demo: {plain_words(fault)}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
    return 0


def _demo(args: argparse.Namespace, say: Callable[[str], None]) -> "_Demo | TournamentDemo":
    """What the options ask for: one game, or a small tournament."""
    from calibration.venue.tournament_demo import TournamentDemo
    from devices.lab.demonstration import Demonstration, load_game

    if args.rounds or args.tables > 1:
        return TournamentDemo(args, say)
    played = Demonstration(load_game(args.gcg), args.mishap, args.sensors, args.seed)
    return _Demo(played, args, say)


class _Demo:
    """One demonstration: every part is the process that it is at a venue.

    Between them pass pixels, serial bytes, MQTT, the log and a WebSocket. The recorder's process
    is given names, tile set and rules, and nothing else of the game.
    """

    def __init__(
        self, played: "Demonstration", args: argparse.Namespace, say: Callable[[str], None]
    ) -> None:
        self.played, self.game, self.args, self.say = played, played.game, args, say
        self.folder: Path = args.folder or Path(tempfile.mkdtemp(prefix="tilecast-demo-"))
        self.log = self.folder / "record" / "tilecast.db"
        self.overlay: dict[str, Any] = {}

    def start(self, running: ExitStack) -> None:
        """Start everything; ``running`` ends it in the right order."""
        from devices.lab.demo_processes import DemoProcesses
        from devices.lab.mishaps.verbs import begin
        from recorder.bus.broker import start_broker
        from recorder.service.venue_file import venue_toml

        begun = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        broker = start_broker(self.args.broker, workdir=self.folder / "broker")
        running.callback(broker.stop)
        self.processes = DemoProcesses(self.folder, running)
        dashboard = self.processes.start(
            "dashboard", "--log", self.log, "--port", self.args.port,
            "--broker", broker.url, "--pictures", self.folder / "agent" / "evidence",
        )  # fmt: skip
        self.say(f"broker       {broker.url} ({broker.kind})")
        if broker.banner:
            self.say(f"             {broker.banner}")
        names, tiles = self.game.names, self.game.tile_set.name
        venue = venue_toml(broker.url, names, tiles, self.played.more_devices, self.args.rules)
        record = self._file("venue.toml", venue)
        self.processes.start("record", record)
        self._show_addresses(dashboard)
        self.say(f"ready in {time.monotonic() - begun:.1f} s; log and GCG in {self.folder}")
        self.table = self.played.table(self.args.speed)
        running.callback(self.table.close)
        devices = self.played.table_file(self.table, broker.url, self.folder)
        self.processes.start("agent", self._file("table.toml", devices))
        begin(self.args.mishap, self.table, broker.pid)

    def finish(self) -> dict[str, Any]:
        """Wait until the game is over and on screen; what was played beside what was recorded."""
        turns = 0
        while not self.table.finished.wait(1.0):
            self.processes.check()
            turns = self._tell_news(turns)
        self._wait_until_quiet()
        self._tell_news(turns)
        return self._document()

    def _document(self) -> dict[str, Any]:
        from recorder.lab.comparison import compare_rows, lost_and_doubled, told_director

        rows, face = self._rows(), self.table.clock.face
        found = compare_rows(self.game, rows, (face.left_ms, face.right_ms))
        lost, doubled = lost_and_doubled(rows)
        heard = sum(row.type.startswith(("clock.", "table.")) for row in rows if row.key)
        lost += max(0, self.table.clock.seq_high - heard)
        first, second = (player["score"] for player in self.overlay["players"])
        self.say(f"\n{found.matched} of {len(found.turns)} turns as played; lost {lost}")
        return {
            "game": "demo",
            "turns": list(found.turns),
            "final": list(found.final),
            "expected_final": list(found.expected_final),
            "overlay_final": [first, second],
            "gcg": str(self.folder / "record" / "demo.gcg"),
            "told_director": told_director(rows),
            "lost": lost,
            "doubled": doubled,
        }

    def _file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def _show_addresses(self, output: Path) -> None:
        """Wait for the dashboard, print its addresses, fetch its first page, watch its overlay."""
        while "links  " not in output.read_text(encoding="utf-8"):
            self.processes.check()
            time.sleep(0.05)
        text = self.log.with_suffix(".links").read_text(encoding="utf-8")
        for line in text.splitlines():
            self.say(line)
        base = text.split("all pages")[1].split()[0]
        import urllib.request

        with urllib.request.urlopen(f"{base}overlay/full?table=1", timeout=10) as page:  # noqa: S310 - our own address
            page.read()
        address = f"ws{base.removeprefix('http')}ws/table/1"
        threading.Thread(target=self._watch, args=(address,), name="overlay", daemon=True).start()

    def _watch(self, address: str) -> None:
        """Be an overlay: keep the frame as the WebSocket tells it, until the dashboard ends."""
        from websockets.exceptions import ConnectionClosed
        from websockets.sync.client import connect

        from dashboard.live.messages.merge_patch import patched

        with suppress(ConnectionClosed), connect(address) as socket:
            for text in socket:
                message = json.loads(text)
                if message["type"] == "snapshot":
                    self.overlay = message["frame"]
                elif message["type"] == "patch":
                    self.overlay = patched(self.overlay, message["patch"])

    def _rows(self) -> list["Row"]:
        from recorder.log.sqlite import SqliteEventLog

        with SqliteEventLog.open_reader(self.log) as reader:
            return list(reader.read_from(1))

    def _tell_news(self, known: int) -> int:
        """Print the turns recorded since; returns how many there are."""
        from recorder.lab.comparison import event_text, recorded_events

        events = recorded_events(self._rows()) if self.log.exists() else ()
        for event in events[known:]:
            self.say(event_text(event))
        return len(events)

    def _wait_until_quiet(self) -> None:
        """The table has stopped; wait until the record and the overlay have too."""
        deadline, quiet_since, last = time.monotonic() + LONGEST_QUIET_S, time.monotonic(), ""
        while time.monotonic() < min(deadline, quiet_since + QUIET_S):
            now = json.dumps([self.overlay.get("players"), self.overlay.get("last_play")])
            if now != last:
                quiet_since, last = time.monotonic(), now
            self.processes.check()
            time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main())
