"""By which rules and with which word list the games of a division begin, as orders about it say.

They stand over what a table's settings say. A game that has begun keeps its own: its rules are in
its first row, and its word list is found again by its SHA-256.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import AssignDevice, EventOrder, UseWords
from recorder.domain.lexicon import WordList
from recorder.domain.notices import CodedText, coded
from recorder.domain.record import GameStarted
from recorder.domain.tiles import TileSet
from recorder.orders.event_rules import rule_set_of
from recorder.tilesets import tile_set_of
from recorder.word_lists import load_word_list

log = logging.getLogger("tilecast.recorder")


class DivisionSettings:
    """Rules and word lists of divisions. ``folder`` holds the lists; None: there are none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lists: dict[tuple[str, TileSet], WordList] = {}

    def load(self, file: str, tile_set: TileSet) -> WordList:
        """The list in a file of the folder; NotationError says why there is none."""
        known = self._lists.get((file, tile_set))
        if known is not None:
            return known
        path = PurePosixPath(file)
        if self._folder is None or path.is_absolute() or ".." in path.parts:
            raise NotationError(f"{file}: name a file in the folder of the recorder's settings")
        try:
            found = load_word_list(self._folder / path, tile_set)
        except OSError as fault:
            raise NotationError(f"{file}: {fault.strerror}") from fault
        self._lists[file, tile_set] = found
        return found

    def recall(self, orders: Iterable[EventOrder], tile_sets: Iterable[TileSet]) -> None:
        """Have every list at hand that an order has named: a game may go on that began with it."""
        files = {order.act.file for order in orders if isinstance(order.act, UseWords)} - {""}
        for file in sorted(files):
            for tile_set in set(tile_sets):
                try:
                    self.load(file, tile_set)
                except NotationError as fault:
                    log.warning("word list %s", fault)

    def unmet(self, order: EventOrder, tables: Mapping[int, TileSet]) -> CodedText | None:
        """Why an order is without what it needs; None: nothing. ``tables`` have their tile sets."""
        match order.act:
            case AssignDevice(device=device, table=table, role=role) if table:
                if table not in tables:
                    return coded("event_no_table", table=table)
                return None if role else coded("event_no_role", device=device, table=table)
            case UseWords(file=file) if file:
                try:
                    for tile_set in set(tables.values()):
                        self.load(file, tile_set)
                except NotationError as fault:
                    return coded("event_no_words", detail=str(fault))
        return None

    def begin(self, started: GameStarted, division: EventDivision | None) -> GameStarted:
        """How a game of a division begins; ``started`` as its table's settings have it."""
        if division is None:
            return started
        try:
            rules = rule_set_of(division)
            if rules is not None and division.rules is not None:
                limit_s = rules.get_whole("timer.limit_s")
                start_ms = division.rules.minutes * 60_000 or (limit_s or 0) * 1000
                started = replace(
                    started,
                    **rules.recorded(),
                    starts_ms=(start_ms, start_ms) if start_ms else started.starts_ms,
                )
            if division.words:
                words = self.load(division.words, tile_set_of(started))
                started = replace(started, words=(words.name, words.sha256))
        except NotationError as fault:
            log.error("division %s: %s; its table's settings hold", division.name, fault)  # noqa: TRY400 - the reason is the message
        return started

    def words_of(self, started: GameStarted, own: WordList | None) -> WordList | None:
        """The list that a game began with; ``own`` is that of its table. None: it is not here."""
        if not started.words or (own is not None and own.sha256 == started.words[1]):
            return own
        known = (words for words in self._lists.values() if words.sha256 == started.words[1])
        found = next(known, None)
        if found is None:
            log.warning("game %s: its word list %s is not here", started.game, started.words[0])
        return found
