"""Slots: addresses that are set once in OBS and pointed at a table later, by hand or by a rule.

A slot shows a table, follows a player, picks the top or the closest game, or cuts to moments. The
rules read what the public sees, as late as that, so that a slot shows nothing early. ``table-7``
always shows table 7. The slots are kept in a small JSON file beside the log; the record does not
know them.
"""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from dashboard.live.aired import moment_of
from recorder.damaged import free_name, put_aside
from recorder.declared.codec import Json
from recorder.declared.settings_file import ProgramFile, Settings
from recorder.domain.errors import NotationError
from recorder.domain.limits import Like, Long, TableNumber, Wanted
from recorder.texts import TextError

_log = logging.getLogger(__name__)
FEATURED = "featured"
CLOSER_BY = 15
"""Points by which another game must be closer before a slot leaves the one it shows."""
STAYS_MS = 60_000
"""A rule shows a game at least so long, unless that game is over."""
MOMENT_MS = 12_000
"""So long a slot stays with a moment, and a minute left is time trouble."""
TIME_TROUBLE_MS = 60_000
_TABLE_NAME = re.compile(r"table-([1-9][0-9]{0,3})")
_MOST_SLOTS = 100
_MOST_TEXT = 80
SlotName = Annotated[
    str, Like("[a-z0-9][a-z0-9-]{0,31}"), Wanted("small letters, digits and hyphens, 32 at most")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What a slot shows: ``table``, or the game of the player ``follow``, or by ``rule``.

    The rule ``moment`` leaves its home, which is that table, that player's or the top one, for a
    table with a bingo, a challenge or time trouble. ``racks``: whether its racks are for everybody,
    by the director's will. NotationError when it names none of the three, or more than one.
    """

    name: SlotName
    table: TableNumber | None = None
    follow: Annotated[str, Long(0, _MOST_TEXT)] = ""
    rule: Literal["", "top", "closest", "moment"] = ""
    racks: bool = False

    def __post_init__(self) -> None:
        homes = (self.table is not None) + bool(self.follow)
        if homes > 1 or (homes + bool(self.rule) != 1 and self.rule != "moment"):
            raise NotationError("needs one of table, follow or rule")

    @property
    def stays(self) -> bool:
        """Whether it shows its table whatever happens."""
        return self.table is not None and not self.rule


_TOP = Slot(name="top", rule="top")


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotsFile:
    """Every slot by its name, which is not said again inside."""

    slots: Mapping[SlotName, Mapping[str, Any]] = field(default_factory=dict)


SLOT: Settings[Slot] = Settings(Slot, spared=["table", "follow", "rule", "racks"])


def slot_of(name: str, given: Mapping[str, Any]) -> Slot:
    """A slot from JSON. NotationError names what is wrong."""
    return SLOT.read({**given, "name": name}, f"slot {name[:_MOST_TEXT]}")


def _named(file: SlotsFile) -> dict[str, Slot]:
    return {name: slot_of(name, given) for name, given in file.slots.items()}


def _nameless(slots: Mapping[str, Slot]) -> Json:
    return {"slots": {name: _bare(slot) for name, slot in sorted(slots.items())}}


def _bare(slot: Slot) -> Json:
    return {key: value for key, value in SLOT.write(slot).items() if key != "name"}


SLOTS_FILE: Settings[Mapping[str, Slot]] = Settings(SlotsFile, made=_named, taken=_nameless)
_FILE: ProgramFile[Mapping[str, Slot]] = ProgramFile(
    codec=SLOTS_FILE,
    what="file of slots",
    remedy="slots begin again without it",
)


class Slots:
    """The slots of one dashboard. ``path`` None keeps them in memory; ``now`` in milliseconds.

    A file that cannot be read is put aside, and said: overlays go on with what is there always.
    """

    def __init__(self, path: Path | None, table: int, now: Callable[[], int]) -> None:
        self._path = path
        self._now = now
        self._slots = {FEATURED: Slot(name=FEATURED, table=table)}
        self._shows: dict[str, tuple[int, int]] = {}
        self._moments = TableMoments()
        if path is not None and path.exists():
            try:
                self._slots |= _FILE.load(path)
            except NotationError as fault:
                aside = put_aside(path, free_name(path, "damaged"))
                _log.error("%s. It is now %s; point the slots again", fault, aside)

    def all(self) -> list[Json]:
        """Every slot as JSON, with the table that it ``shows`` now (None: none yet)."""
        return [
            {**asdict(slot), "shows": self.table_of(name)}
            for name, slot in sorted(self._slots.items())
        ]

    def get(self, name: str) -> Slot | None:
        """The slot of that name; ``table-N`` is always there."""
        if name in self._slots:
            return self._slots[name]
        fixed = _TABLE_NAME.fullmatch(name)
        return Slot(name=name, table=int(fixed[1])) if fixed else None

    def point(self, slot: Slot) -> None:
        """Set a slot. NotationError when there are too many, OSError when it cannot be kept."""
        if slot.name not in self._slots and len(self._slots) >= _MOST_SLOTS:
            raise TextError("many_slots", most=_MOST_SLOTS)
        self._keep(self._slots | {slot.name: slot})
        if slot.stays or slot.name not in self._shows:
            self._shows.pop(slot.name, None)
        else:  # the rule may leave the present game at once
            self._shows[slot.name] = (self._shows[slot.name][0], 0)

    def remove(self, name: str) -> bool:
        """Take a slot away; whether there was one. ``featured`` stays."""
        if name == FEATURED or name not in self._slots:
            return False
        self._keep({key: slot for key, slot in self._slots.items() if key != name})
        self._shows.pop(name, None)
        return True

    def table_of(self, name: str) -> int | None:
        """The table that a slot shows now; None where there is no such slot, or nothing to show."""
        slot = self.get(name)
        if slot is None:
            return None
        return slot.table if slot.stays else self._shows.get(name, (slot.table, 0))[0]

    def settle(self, frames: Mapping[int, Mapping[str, Any]]) -> None:
        """Let the rules choose among what the public sees. Without a better game a slot stays."""
        now = self._now()
        if any(slot.rule == "moment" for slot in self._slots.values()):
            self._moments.look(frames, now)
        for name, slot in self._slots.items():
            if slot.stays:
                continue
            table, since = self._shows.get(name, (None, 0))
            if slot.rule == "moment":
                chosen = self._moments.table(frames, table, now) or _home(slot, frames, table)
            else:
                chosen = _chosen(slot, frames, table, stays=now - since < STAYS_MS)
            if chosen is not None and chosen != table:
                self._shows[name] = (chosen, now)

    def _keep(self, slots: dict[str, Slot]) -> None:
        if self._path is not None:
            _FILE.save(slots, self._path)
        self._slots = slots


class TableMoments:
    """At which table something happens that a slot cuts to, as its public sees it. Pure."""

    def __init__(self) -> None:
        self._marks: dict[int, object] = {}
        self._until: dict[int, int] = {}

    def look(self, frames: Mapping[int, Mapping[str, Any]], now: int) -> None:
        """What the tables show now; what a table shows when it is first seen is no moment."""
        for number, frame in frames.items():
            mark, is_moment = _mark(frame)
            known = self._marks.get(number, mark)
            self._marks[number] = mark
            if is_moment and mark != known:
                self._until[number] = now + MOMENT_MS

    def table(
        self, frames: Mapping[int, Mapping[str, Any]], shown: int | None, now: int
    ) -> int | None:
        """The table to cut to: where one is on it stays to its end. None: nothing happens."""
        playing = [n for n, frame in sorted(frames.items()) if frame["phase"] == "playing"]
        on = [n for n in playing if self._until.get(n, 0) > now or _is_called(frames[n], now)]
        short = [n for n in playing if _in_time_trouble(frames[n], now)]
        for found in (on, short):
            if found:
                return shown if shown in found else max(found, key=lambda n: self._until.get(n, 0))
        return None


def _mark(frame: Mapping[str, Any]) -> tuple[object, bool]:
    """What was played last, and whether that is a moment: a bingo, or the end of a challenge."""
    play = frame.get("last_play")
    if not play:
        return frame["game"], False
    mark = (frame["game"], *(play[key] for key in ("n", "kind", "word", "bonus")))
    return mark, bool(moment_of(play) or play["bonus"])


def _is_called(frame: Mapping[str, Any], now: int) -> bool:
    """Whether a hold or a challenge is on."""
    call = frame.get("call")
    return call is not None and (call["ends"] is None or call["ends"] > now)


def _in_time_trouble(frame: Mapping[str, Any], now: int) -> bool:
    clock = frame.get("clock")
    if not clock or clock["running"] is None:
        return False
    left = clock["remaining_ms"][clock["running"]] - max(0, now - clock["at"])
    return bool(left < TIME_TROUBLE_MS)


def _home(slot: Slot, frames: Mapping[int, Mapping[str, Any]], table: int | None) -> int | None:
    """Where a slot that cuts to moments is else."""
    if slot.table is not None:
        return slot.table
    home = Slot(name=slot.name, follow=slot.follow) if slot.follow else _TOP
    return _chosen(home, frames, table, stays=False)


def _chosen(
    slot: Slot, frames: Mapping[int, Mapping[str, Any]], table: int | None, *, stays: bool
) -> int | None:
    if slot.follow:
        return _of_player(slot.follow, frames)
    playing = {n: frame for n, frame in frames.items() if frame["phase"] == "playing"}
    if not playing:
        return table if table is not None else min(frames, default=None)
    if slot.rule == "top":
        return min(playing)
    if table in playing:
        nearer = {n for n in playing if _gap(playing[n]) + CLOSER_BY <= _gap(playing[table])}
        if stays or not nearer:
            return table
    return min(playing, key=lambda n: (_gap(playing[n]), n))


def _of_player(name: str, frames: Mapping[int, Mapping[str, Any]]) -> int | None:
    """The player's table: where a game is on, else the one with the newest row."""
    wanted = name.strip().casefold()
    found = [
        (frame["phase"] != "over", frame["seq"], number)
        for number, frame in frames.items()
        if any(player["name"].strip().casefold() == wanted for player in frame["players"])
    ]
    return max(found)[2] if found else None


def _gap(frame: Mapping[str, Any]) -> int:
    first, second = (player["score"] for player in frame["players"])
    return abs(int(first) - int(second))
