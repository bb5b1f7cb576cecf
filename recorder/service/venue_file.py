"""The recorder's TOML file -> a plan. Every mistake in it is named with what is allowed instead.

Reads text only: whether the broker and the devices are there is found out later.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from recorder.bus.address import broker_address
from recorder.declared.codec import RuleFault
from recorder.declared.settings_file import Settings, load_toml
from recorder.declared.whose_file import RECORD_FILE, refuse_other
from recorder.domain.errors import NotationError
from recorder.domain.instruments import DeviceRole
from recorder.domain.lexicon import WordList
from recorder.domain.limits import Above, AnyText, GameName, Name, TableNumber, Wanted, Within
from recorder.domain.observations import READABLE, without_symbol
from recorder.domain.record import GameStarted, PlayerName
from recorder.domain.tiles import TileSet
from recorder.log.database import is_database
from recorder.log.places import LogPlace
from recorder.orders.console_key import KEY_NAME, read_key
from recorder.rulesets import RuleSet, SettingError, line_of, load_rule_set
from recorder.service.plan import DEFAULT_CONSOLES, RecorderPlan
from recorder.systems import read_file
from recorder.table.game_recorder import TablePlan
from recorder.tilesets import load_tile_set, recorded_tiles
from recorder.word_lists import load_word_list

LOG_NAME, SNAPSHOTS_NAME = "tilecast.db", "tilecast.snapshots"
BROKERS = ("auto", "mosquitto", "amqtt")
Text = Annotated[str, AnyText(), Wanted("a text in quotes")]
Minutes = Annotated[float, Above(0), Within(0, 24 * 60), Wanted("a number above 0, up to 1440")]
Overrides = Annotated[
    Mapping[str, Any],
    Wanted('a table of parameters; for example { challenge.default = "double" }'),
]
Confirmed = Annotated[tuple[Text, ...], Wanted('a list of names, as ["overtime"]')]
Consoles = Annotated[tuple[Name, ...], Wanted('a list of names, as ["console"]')]
_ROLES = (
    'roles by the names of devices, as { cam-1 = "board-camera" }; a name has up to 32 of a-z, 0-9'
    f" and -, a role is one of {', '.join(DeviceRole)}"
)
Devices = Annotated[Mapping[Name, DeviceRole], Wanted(_ROLES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueSection:
    """``[venue]``."""

    name: Name = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerSection:
    """``[broker]``; "auto" finds or starts one."""

    url: Text = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderSection:
    """``[recorder]``; ``anchors`` is where the log's heads are noted, else beside the log.

    ``log`` is the address of a database; without it the log is a file in the folder.
    ``console_key`` is the file of the key that seals orders; ``record`` makes a missing one.
    """

    name: Name = "recorder-1"
    folder: Text = "record"
    log: Text = ""
    anchors: Text = ""
    consoles: Consoles = DEFAULT_CONSOLES
    console_key: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSection:
    """``[[table]]``; without ``game`` it is that of the table, without ``minutes`` the rules'.

    Without ``players`` the table waits for its pairing in the event.
    """

    number: TableNumber
    game: GameName = ""
    players: tuple[PlayerName, PlayerName] | tuple[()] = ()
    tiles: Text = "english"
    rules: Text = "wespa4"
    confirmed: Confirmed = ()
    overrides: Overrides = field(default_factory=dict)
    minutes: Minutes | None = None
    words: Text = ""
    left_player: Literal[1, 2] = 1
    devices: Devices
    check_clock: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueFile:
    """A recorder's file."""

    venue: VenueSection = VenueSection()
    broker: BrokerSection = BrokerSection()
    recorder: RecorderSection = RecorderSection()
    table: tuple[TableSection, ...] = ()


def _known(entry: TableSection) -> RuleFault | None:
    if not all(name.strip() for name in entry.players):
        return RuleFault("players", "two names", entry.players)
    if entry.players and len({" ".join(n.split()).casefold() for n in entry.players}) == 1:
        return RuleFault("players", "two names that differ", entry.players)
    return None if entry.devices else RuleFault("devices", _ROLES, {})


VENUE_FILE: Settings[VenueFile] = Settings(
    VenueFile, types={TableSection: Settings(TableSection, rule=_known)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VenuePlan:
    """What ``tilecast record`` does; ``folder`` holds the GCG files, and ``log`` unless elsewhere.

    ``anchors`` is the file of noted heads of the log; None: beside it. ``console_key`` is the file
    of the key that seals orders, made by ``record`` where there is none; None: they need no seal.
    """

    plan: RecorderPlan
    broker: str
    folder: Path
    log: LogPlace
    anchors: Path | None = None
    console_key: Path | None = None


def example() -> str:
    """A file to begin from, with what may stand in it."""
    return files(__package__).joinpath("example.toml").read_text(encoding="utf-8")


def read_record_file(path: Path) -> VenuePlan:
    """The plan in a file. NotationError names file, section, key, and what is allowed.

    A relative folder is relative to the file's own.
    """
    document = load_toml(path, "see an example with: tilecast record --example")
    refuse_other(document, path, RECORD_FILE)
    file = VENUE_FILE.read(document, str(path))
    _check_broker(file.broker.url, path)
    if not file.table:
        raise NotationError(f"{path}: has no [[table]] section; see tilecast record --example")
    folder = path.parent / file.recorder.folder
    if file_there := next((place for place in (folder, *folder.parents) if place.is_file()), None):
        raise NotationError(f"{path} [recorder] folder: {file_there} is a file; name a folder")
    plans = tuple(
        _plan_of_table(path, number, entry, folder) for number, entry in enumerate(file.table, 1)
    )
    _refuse_twins(plans, path)
    plan = RecorderPlan(
        venue=file.venue.name,
        recorder=file.recorder.name,
        tables=plans,
        consoles=file.recorder.consoles,
        unchecked_clocks=frozenset(table.number for table in file.table if not table.check_clock),
        lists=path.parent,
        snapshots=folder / SNAPSHOTS_NAME,
    )
    anchors = path.parent / file.recorder.anchors if file.recorder.anchors else None
    return VenuePlan(
        plan=plan,
        broker=file.broker.url,
        folder=folder,
        log=_log(path, file.recorder.log) or folder / LOG_NAME,
        anchors=anchors,
        console_key=_console_key(path, file, folder),
    )


def _console_key(path: Path, file: VenueFile, folder: Path) -> Path | None:
    """The file of the consoles' key, sound where it is there.

    None without a name, unless the recorder starts its own broker: anyone who gives orders there is
    on this machine, and reads the key beside the log.
    """
    name = file.recorder.console_key
    key = path.parent / name if name else None
    if key is None and file.broker.url in BROKERS:
        key = folder / KEY_NAME
    if key is not None and key.exists():
        read_key(key)
    return key


def _log(path: Path, address: str) -> str:
    """The address of a database, or nothing."""
    if address and not is_database(address):
        raise NotationError(
            f"{path} [recorder] log: postgresql://user@host/name; without it the log is the file"
            f" {LOG_NAME} in the folder"
        )
    return address


def _check_broker(url: str, path: Path) -> None:
    """A broker that is found, started, or named by its address."""
    if url in BROKERS:
        return
    try:
        broker_address(url)
    except NotationError as fault:
        others = ", ".join(f'"{kind}"' for kind in BROKERS)
        raise NotationError(f"{path} [broker] url: {fault}; or one of {others}") from fault


def _plan_of_table(path: Path, number: int, entry: TableSection, folder: Path) -> TablePlan:
    where = f"{path} [[table]] {number}"
    try:
        return _table(entry, where, folder, path.parent)
    except SettingError as fault:
        text = read_file(path).decode("utf-8-sig")
        lines = enumerate(text.splitlines(), 1)
        headers = [at for at, line in lines if line.replace(" ", "").startswith("[[table]]")]
        line = line_of(text, fault.name, headers[number - 1]) if headers else None
        raise NotationError(f"{where}: {f'line {line}: ' if line else ''}{fault}") from fault


def _table(entry: TableSection, where: str, folder: Path, beside: Path) -> TablePlan:
    rules = _rules(entry, where, beside)
    tile_set = _tile_set(entry, where, beside)
    words = _word_list(entry, tile_set, where, beside) if entry.words else None
    start_ms = round((entry.minutes or usual_minutes(rules)) * 60_000)
    started = GameStarted(
        game=entry.game or f"table-{entry.number}",
        table=entry.number,
        players=entry.players or ("", ""),
        **recorded_tiles(tile_set),
        **rules.recorded(),
        starts_ms=(start_ms, start_ms),
        left_player=entry.left_player - 1,
        words=() if words is None else (words.name, words.sha256),
    )
    gcg = folder / f"{started.game}.gcg"
    return TablePlan(
        started=started, devices=entry.devices, gcg=gcg, words=words, waits=not entry.players
    )


def _tile_set(entry: TableSection, where: str, beside: Path) -> TileSet:
    """The tiles of a table: a shipped set, or a file, relative to the folder of the settings."""
    try:
        return load_tile_set(entry.tiles, beside)
    except NotationError as fault:
        raise NotationError(f"{where}: tiles: {fault}") from fault


def _word_list(entry: TableSection, tile_set: TileSet, where: str, beside: Path) -> WordList:
    """The list that a table names, relative to the file's own folder."""
    path = beside / entry.words
    try:
        return load_word_list(path, tile_set)
    except OSError as fault:
        raise NotationError(f"{where}: words: {path}: {fault.strerror}") from fault
    except NotationError as fault:
        raise NotationError(f"{where}: words: {fault}") from fault


def _rules(entry: TableSection, where: str, beside: Path) -> RuleSet:
    """The rules of a table, with what the event confirms and overrides."""
    try:
        return load_rule_set(
            entry.rules, overrides=entry.overrides, confirmed=entry.confirmed, folder=beside
        )
    except SettingError as fault:
        raise SettingError(f"rules: {fault}", fault.name) from fault
    except NotationError as fault:
        raise NotationError(f"{where}: rules: {fault}") from fault


_READ_TILES = frozenset({DeviceRole.BOARD_CAMERA, DeviceRole.RACK_CAMERA})


def refuse_unreadable_tiles(plan: RecorderPlan) -> None:
    """NotationError where a table has a camera that cannot read its tiles.

    A camera is taken to be one of ours: what another one reads, its info says only once it runs.
    What is printed on slips is the event's own alphabet.
    """
    for table in plan.tables:
        started = table.started
        letters = without_symbol(plan.tile_sets[started.table], READABLE)
        cameras = [name for name, role in table.devices.items() if role in _READ_TILES]
        if letters and cameras:
            raise NotationError(
                f"table {started.table}: {cameras[0]} is a {table.devices[cameras[0]]}, and cameras"
                f" of this release cannot read {letters} of the tile set {started.tile_set}; leave"
                " it out and have plays and racks typed"
            )


def end_to_confirm(rules: str) -> list[str]:
    """The groups that a rule set must have confirmed for a game's end to count."""
    waiting = {name.partition(".")[0] for name in load_rule_set(rules).unconfirmed()}
    return [group for group in ("overtime", "endgame") if group in waiting]


def usual_minutes(rules: RuleSet) -> float:
    """The playing time of the rule set, or 25 where it names none."""
    seconds = rules.get_whole("timer.limit_s")
    return 25 if seconds is None else seconds / 60


def _refuse_twins(plans: tuple[TablePlan, ...], path: Path) -> None:
    """Tables, games and devices are each there once."""
    names = [f"table {plan.started.table}" for plan in plans]
    names += [f"game {plan.started.game!r}" for plan in plans]
    names += [f"device {device!r}" for plan in plans for device in plan.devices]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"{path}: {name} is listed twice")
