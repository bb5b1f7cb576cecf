"""GCG text to a game: tolerant of every dialect met, never a traceback, faults collected.

The lines are read one after the other; what the header says is kept here, what happens in the
game is replayed by ``recorder.gcg.replaying``. A file that is wrong gives a game all the same,
as far as it can be followed, and its faults say on which line it went wrong.
"""

import re
from dataclasses import replace

from recorder.domain.errors import NotationError
from recorder.domain.tiles import Tiles, TileSet
from recorder.gcg.lines import EventLine, nick_of, parse_event_line
from recorder.gcg.model import GcgFault, GcgGame, GcgPlayer, Severity
from recorder.gcg.replaying import GameReplay
from recorder.gcg.text import LONGEST_LINE, decode, split_lines
from recorder.tilesets import load_tile_set, tile_set_names

_PRAGMA = re.compile(r"#(?P<key>[A-Za-z][A-Za-z0-9-]*|-)(?:[ \t]+(?P<text>.*))?", re.DOTALL)
_HEADER = {"title", "description", "id", "lexicon", "style", "htarget", "-", "tile", "date"}
_FIXED = {
    "game-type": {"classic"},
    "board-layout": {"crosswordgame", "standard15", "classic", "standard"},
    "game-board": None,
    "tile-set": None,
}
_HANDLED = {
    "note",
    "orientation",
    "incomplete",
    "player1",
    "player2",
    "rack1",
    "rack2",
    "character-encoding",
    "tile-distribution",
}
_AFTER_EVENTS = {"note", "rack1", "rack2", "incomplete", "-", "character-encoding"}
MOST_LINES = 5_000
"""A game of sixty turns with a page of notes to each has fewer."""
_MORE_PLAYERS = re.compile(r"player[3-9]")
_BODY = re.compile(r">[^:]*:(?P<body>.*)")
_LABEL = re.compile(r"\[[^\[\]]*\]|[^\W\d_]")
_LIKELIEST = ("english", "german")
"""The sets that a file is tried with first that names none."""


def read_gcg(source: str | bytes, *, tile_set: TileSet | None = None) -> GcgGame:
    """The game in a GCG text or file, with everything that is wrong with it in ``faults``.

    ``tile_set`` overrules what the file declares; without either it is the first set that has all
    letters in its events, English before any other. Raises nothing, whatever the text.
    """
    text, faults = decode(source) if isinstance(source, bytes) else (source, ())
    lines = split_lines(text)
    if len(lines) > MOST_LINES:
        what = f"{len(lines)} lines; only the first {MOST_LINES} are read"
        faults = (*faults, GcgFault(MOST_LINES, "file_too_long", what))
        lines = lines[:MOST_LINES]
    reading = _Reading(lines, list(faults), tile_set)
    for number, line in enumerate(lines, start=1):
        reading.take(number, line)
    return reading.game()


def _labels(tile_set: TileSet) -> set[str]:
    return {tile.label for tile in tile_set.letters}


def _all_labels() -> set[str]:
    """Every label of a shipped set: what else stands in a line says nothing of its tiles."""
    return set[str]().union(*(_labels(load_tile_set(name)) for name in tile_set_names()))


class _Reading:
    """One pass over the lines of a file."""

    def __init__(self, lines: list[str], faults: list[GcgFault], tile_set: TileSet | None) -> None:
        self.faults = faults
        self.players: dict[int, GcgPlayer] = {}
        self.unknown_nicks: set[str] = set()
        self.odd_nicks: set[str] = set()
        self.event_nicks = sorted({nick_of(line) for line in lines} - {""}, key=len, reverse=True)
        self.pragmata: list[tuple[str, str]] = []
        self.racks: list[Tiles] = [(), ()]
        self.rack_line = 0
        self.events_seen = False
        self.in_note = False
        self.transposed = False
        chosen = tile_set or self._find_tile_set(lines)
        self.replay = GameReplay(chosen or load_tile_set("english"), faults)
        self.readable = chosen is not None

    def fault(
        self, line: int, fault: str, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Note something wrong."""
        self.faults.append(GcgFault(line, fault, message, severity))

    def warn(self, line: int, fault: str, message: str) -> None:
        """Note something doubtful."""
        self.fault(line, fault, message, Severity.WARNING)

    def _find_tile_set(self, lines: list[str]) -> TileSet | None:
        for number, line in enumerate(lines, start=1):
            match = _PRAGMA.fullmatch(line.strip())
            if match and match["key"].lower() == "tile-distribution":
                name = (match["text"] or "").strip().lower()
                if name in tile_set_names():
                    return load_tile_set(name)
                known = ", ".join(tile_set_names())
                self.fault(number, "tile_set_unknown", f"no tile set {name!r}; there are: {known}")
                return None
        bodies = (_BODY.match(line.upper().lstrip()) for line in lines)
        labels = {label.strip("[]") for body in bodies if body for label in _LABEL.findall(body[1])}
        sets = map(load_tile_set, dict.fromkeys((*_LIKELIEST, *tile_set_names())))
        english = load_tile_set("english")
        strange = labels - _labels(english) & _all_labels()
        return next((found for found in sets if strange <= _labels(found)), english)

    def take(self, number: int, raw: str) -> None:
        """Read one line."""
        line = raw.strip()
        if len(line) > LONGEST_LINE:
            self.warn(number, "line_too_long", f"{len(line)} characters; cut to {LONGEST_LINE}")
            line = line[:LONGEST_LINE]
        if not line:
            return
        if line[0] == "#":
            self._take_pragma(number, line)
        elif line[0] == ">":
            self.in_note = False
            self._take_event(number, line)
        elif self.in_note:
            self.replay.add_note(line)
        else:
            self.fault(number, "line_unreadable", f"neither pragma nor event: {line[:60]!r}")

    def _take_pragma(self, number: int, line: str) -> None:
        match = _PRAGMA.fullmatch(line)
        key, text = (match["key"].lower(), match["text"] or "") if match else ("", "")
        known = key in _HEADER or key in _FIXED or key in _HANDLED
        if not known and self.in_note:
            self.replay.add_note(line)
            return
        self.in_note = key == "note" or (self.in_note and key.startswith("player"))
        if not known and _MORE_PLAYERS.fullmatch(key) and not self.events_seen:
            self._refuse_more_players(number)
            return
        if not known:
            self.warn(number, "pragma_unknown", f"unknown pragma: {line[:60]!r}; ignored")
            return
        if self.events_seen and key not in _AFTER_EVENTS:
            self.warn(number, "pragma_after_events", f"#{key} belongs before the first event")
        self._take_known(number, key, text.strip())

    def _refuse_more_players(self, number: int) -> None:
        if self.readable:
            what = "a game of more than two players; only games of two are read"
            self.fault(number, "game_unsupported", what)
        self.readable = False

    def _take_known(self, number: int, key: str, text: str) -> None:
        match key:
            case "note":
                self._take_note(number, text)
            case "player1" | "player2":
                self._take_player(int(key[-1]) - 1, number, text)
            case "rack1" | "rack2":
                self._take_rack(int(key[-1]) - 1, number, text)
            case "incomplete":
                self._take_incomplete(number, text)
            case "orientation":
                self._take_orientation(number, text)
            case "character-encoding" | "tile-distribution":
                pass  # read before the lines, because all of them depend on these two
            case _ if key in _FIXED:
                self._check_fixed(number, key, text)
            case _:
                self.pragmata.append((key, text))

    def _check_fixed(self, number: int, key: str, text: str) -> None:
        allowed = _FIXED[key]
        if allowed is not None and text.lower() not in allowed:
            self.fault(number, "game_unsupported", f"#{key} {text}: only the classic game is read")

    def _take_note(self, number: int, text: str) -> None:
        if not self.events_seen:
            self.warn(number, "note_before_events", "a note belongs to the event before it")
        else:
            self.replay.add_note(text, opens=True)

    def _take_player(self, seat: int, number: int, text: str) -> None:
        nick, name = self._split_player(text)
        if not nick:
            self.fault(number, "player_malformed", "a player needs a nickname and a full name")
            return
        if " " in nick:
            self.warn(
                number, "nickname_with_blank", f"{nick!r}: others want a nickname of one word"
            )
        if seat in self.players and self.in_note:
            self.warn(number, "pragma_in_note", "taken as a part of the note above it")
            self.replay.add_note(f"#player{seat + 1} {text}")
            return
        if seat in self.players:
            self.fault(number, "player_twice", f"#player{seat + 1} comes a second time: {nick}")
            return
        if any(player.nick == nick for player in self.players.values()):
            self.fault(number, "nickname_twice", f"both players are called {nick!r}")
        if not name.strip():
            self.warn(number, "player_without_name", f"no full name for {nick!r}; others refuse it")
        self.players[seat] = GcgPlayer(nick, name.strip() or nick)

    def _warn_of_case(self, number: int, nick: str, written: str) -> None:
        if nick != written and written not in self.odd_nicks:
            self.odd_nicks.add(written)
            self.warn(number, "nickname_case", f"{written!r} is {nick!r} in the #player line")

    def _split_player(self, text: str) -> tuple[str, str]:
        """Nickname and full name; the events say where a nickname with blanks ends."""
        for nick in self.event_nicks:
            rest = text[len(nick) :]
            if text.casefold().startswith(nick.casefold()) and rest[:1] in ("", " ", ":", "\t"):
                return text[: len(nick)], rest.lstrip(":")
        nick, _, name = text.partition(" ")
        return nick.rstrip(":"), name

    def _take_orientation(self, number: int, text: str) -> None:
        self.transposed = text.lower() == "lettered-rows"
        if not self.transposed and text.lower() != "lettered-columns":
            self.warn(number, "orientation_unknown", f"unknown orientation {text!r}; ignored")

    def _take_rack(self, seat: int, number: int, text: str) -> None:
        rack = self.replay.rack_of(number, text)
        if rack or not text:
            self.racks[seat] = rack
            self.rack_line = number

    def _take_incomplete(self, number: int, text: str) -> None:
        if text:
            self._take_rack(self.replay.on_turn, number, text.split(maxsplit=1)[0])

    def _take_event(self, number: int, line: str) -> None:
        self.events_seen = True
        if self.rack_line:
            where = f"the racks of line {self.rack_line} say that the game stops there"
            self.warn(number, "event_after_racks", where)
        try:
            event = parse_event_line(line)
        except NotationError as err:
            self.fault(number, "event_malformed", str(err))
            self.replay.lose_track()
            return
        player = self._seat_of(event)
        if player is not None and self.players[player].nick.casefold() == event.nick.casefold():
            self._warn_of_case(number, self.players[player].nick, event.nick)
        if player is None:
            if event.nick not in self.unknown_nicks and self.readable:
                self.fault(number, "player_unknown", f"no #player line for {event.nick!r}")
            self.unknown_nicks.add(event.nick)
            self.replay.lose_track()
        elif self.readable:
            self.replay.take(number, player, event, transposed=self.transposed)

    def _seat_of(self, event: EventLine) -> int | None:
        seats = [seat for seat, player in self.players.items() if player.nick == event.nick]
        if not seats:
            seats = self._seats_in_another_case(event.nick)
        return self.replay.on_turn if len(seats) == 2 else next(iter(seats), None)

    def _seats_in_another_case(self, nick: str) -> list[int]:
        """The player whose nickname is the same in small and capital letters alike."""
        seats = [
            seat
            for seat, player in self.players.items()
            if player.nick.casefold() == nick.casefold()
        ]
        return seats if len(seats) == 1 else []

    def game(self) -> GcgGame:
        """What was read."""
        for seat in (0, 1):
            if seat not in self.players:
                self.fault(1, "player_missing", f"no #player{seat + 1} line")
        if not self.events_seen and not any(self.racks):
            self.warn(1, "no_events", "no event in this file")
        if self.readable:
            self.replay.check_last_racks(self.rack_line, (self.racks[0], self.racks[1]))
        unnamed = [GcgPlayer(f"player{seat + 1}", f"player{seat + 1}") for seat in (0, 1)]
        players = [self.players.get(seat, unnamed[seat]) for seat in (0, 1)]
        game = self.replay.game((players[0], players[1]))
        return replace(
            game,
            pragmata=tuple(self.pragmata),
            racks=(self.racks[0], self.racks[1]),
            faults=tuple(sorted(self.faults, key=lambda fault: fault.line)),
        )
