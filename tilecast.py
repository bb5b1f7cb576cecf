"""The composition root: assembles the sub-commands of the packages and wires what crosses them."""

import argparse
import gc
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from devices.watching.watched_source import Watched
    from recorder.lab.scenario.play import SensesOf
    from recorder.photo_replay import Series
    from recorder.projections.health.finding import Finding

PACKAGES = ("recorder", "devices", "dashboard", "calibration")
FIRST_STEPS = """tilecast demo             watch a simulated table being recorded, without hardware
tilecast venue            set up a table in the browser: camera, clock, players
tilecast replay FOLDER    read a game from photographs, one per press of the clock
tilecast event --help     run a tournament: pairings, results, standings
tilecast --help           all commands"""
GROUPS = {
    "try it": ("demo", "scenario", "clock", "simulate"),
    "set up a venue and run it": ("init", "venue", "status", "doctor", "users", "calibrate"),
    "stream": ("obs", "woogles", "export"),
    "tournaments": ("event", "rules", "words"),
    "read games and boards": ("replay", "watch", "read", "tilecheck", "eyes", "gcg"),
    "the record of a game": ("correct", "log"),
    "single programs": ("record", "agent", "dashboard", "devices", "printables"),
    "your shell": ("completion",),
}
EPILOG = """help on one:  tilecast COMMAND --help
exit status:  0 done, 1 the input is at fault, 2 wrong usage"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status (0 done, 1 input at fault, 2 wrong usage)."""
    if sys.version_info < (3, 11):  # noqa: UP036 - a clone can be started by any Python
        used = ".".join(map(str, sys.version_info[:3]))
        print(
            f"tilecast: Tilecast needs Python 3.11 or newer; {sys.executable} is {used}. Install a"
            " newer one (apt install python3.11, python.org or brew) and start Tilecast with it",
            file=sys.stderr,
        )
        return 1
    _reach_this_machine_directly()
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
    if not given:
        print(FIRST_STEPS)
        return 0
    args = _parser(*given[:1]).parse_args(given)
    from recorder.domain.errors import TilecastError
    from recorder.operations.answers import plain_words

    try:
        status: int = args.run(args)
    except (TilecastError, OSError) as fault:
        said = plain_words(fault, getattr(args, "shown", ""))
        print(f"{args.command}: {said}", file=sys.stderr)
        return 1
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


def _reach_this_machine_directly() -> None:
    """Our programs talk to each other here, and no proxy that leads outside stands between them."""
    spared = os.environ.get("no_proxy") or os.environ.get("NO_PROXY", "")
    if "127.0.0.1" not in spared and spared != "*":
        os.environ["no_proxy"] = ",".join(filter(None, (spared, "localhost", "127.0.0.1", "::1")))


def _check_language() -> None:
    """NotationError, a ValueError, where the language that was chosen has no texts."""
    from recorder.texts import LANGUAGE, load_catalogue

    if os.environ.get(LANGUAGE):
        load_catalogue()


def _parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or, in a third of the time, of one with its neighbours."""
    from recorder.commands.command_line import NO_COLOUR, CommandParser, register_completion

    parser: argparse.ArgumentParser = CommandParser(
        prog="tilecast",
        usage="%(prog)s [-h] [--version] [--no-color] COMMAND ...",
        epilog=EPILOG,
        formatter_class=_Grouped,
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0)
    parser.add_argument(*NO_COLOUR, action="store_true")
    commands = parser.add_subparsers(prog="tilecast", required=True, metavar="COMMAND")

    def wants(*names: str) -> bool:
        return command is None or command in names

    if wants("demo", "replay", "watch"):
        import calibration.lab.demo_cli
        import recorder.commands.replay_cli
        import recorder.commands.watch_cli

        calibration.lab.demo_cli.register_demo(commands, _patched)
        recorder.commands.replay_cli.register_replay(commands, run_replay)
        recorder.commands.watch_cli.register_watch(commands, _watch, _follow)
    if wants("read", "tilecheck", "eyes"):
        import calibration.lab.eyes_cli
        import devices.vision.cli

        devices.vision.cli.register_read(commands)
        devices.vision.cli.register_tilecheck(commands)
        calibration.lab.eyes_cli.register_eyes(commands)
    if wants("record", "rules", "correct", "event", "log", "words", "doctor", "gcg", "scenario"):
        import recorder.cli
        import recorder.lab.scenario.cli

        recorder.cli.register(commands, _add_doctors, command)
        recorder.lab.scenario.cli.register_scenario(commands, _pixel_senses)
    if wants("agent", "devices", "clock", "printables", "calibrate"):
        import calibration.guide.cli
        import calibration.printables.cli
        import devices.cli
        import devices.lab.clock_cli

        devices.cli.register(commands)
        devices.lab.clock_cli.register_clock(commands)
        calibration.printables.cli.register(commands)
        calibration.guide.cli.register(commands)
    if wants("dashboard", "users", "export", "obs", "woogles", "simulate"):
        import dashboard.cli
        import dashboard.lab.simulate_cli

        dashboard.cli.register(commands, _venue_faults)
        dashboard.lab.simulate_cli.register(commands)
    if wants("init", "venue", "status"):
        import calibration.venue.init_cli
        import calibration.venue.venue_cli
        from dashboard.auth.access import Access

        calibration.venue.init_cli.register(commands, _make_accounts)
        calibration.venue.venue_cli.register(commands, _make_accounts, Access)
    if not commands.choices:
        return _parser()
    register_completion(commands, parser)
    if command is None:
        parser.epilog = f"{_grouped()}\n\n{EPILOG}"
    return parser


class _Grouped(argparse.RawDescriptionHelpFormatter):
    """Leaves the list of commands to the epilog, which has them in groups."""

    def add_argument(self, action: argparse.Action) -> None:
        if not isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - has no public name
            super().add_argument(action)


def _grouped() -> str:
    """All commands with what each does, by what people want to do."""
    from recorder.commands.command_line import command_texts

    texts = command_texts()
    parts = []
    for title, names in GROUPS.items():
        lines = (f"  {name:<12}{texts[name]['short']}" for name in names)
        parts.append("\n".join([f"{title}:", *lines]))
    return "\n\n".join(parts)


def _add_doctors(subparsers: Any) -> None:
    from calibration.venue.doctor_cli import register_doctor
    from recorder.lab.clock_exam.clock_exam_cli import register_clock_exam

    register_clock_exam(subparsers)
    register_doctor(subparsers)


def _pixel_senses() -> "SensesOf":
    from devices.lab.scenario_senses import RenderedSenses

    return RenderedSenses


def _patched(frame: dict[str, Any], patch: Any) -> Any:
    from dashboard.live.messages.merge_patch import patched

    return patched(frame, patch)


def _make_accounts(
    path: Path, tables: Iterable[int], gone: Iterable[int]
) -> tuple[str | None, list[str]]:
    from dashboard.auth.first_keys import make_first_accounts

    return make_first_accounts(path, tables, gone)


def _venue_faults(folder: Path | None) -> "Callable[[], Sequence[Finding]]":
    """Finds what is wrong with a dashboard's venue; nothing where it has no folder."""
    if folder is None or not (folder / "programs.toml").is_file():
        return tuple
    from calibration.venue.checks import FolderWatch

    return FolderWatch(folder)


class _ShowVersion(argparse.Action):
    """Says it only when asked: to name the commit of a checkout takes a moment."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from recorder.version import build_version

        print(f"tilecast {build_version()}")
        parser.exit()


def run_replay(args: argparse.Namespace) -> int:
    """``tilecast replay``: 0 when the game could be read, 1 when the folder is at fault."""
    from recorder.commands.replay_cli import show_series
    from recorder.operations.answers import at_work

    args.shown = str(args.folder)
    with at_work(f"reading {args.folder}") as on_read:
        series = replay(args.folder, tiles=args.tiles, on_read=on_read)
    show_series(series, args)
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
    from recorder.photo_replay import read_series
    from recorder.tilesets import load_tile_set, tile_set_names

    photos = photographs(Path(folder), on_read or (lambda _: None), tiles)
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


if __name__ == "__main__":
    sys.exit(main())
