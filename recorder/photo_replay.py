"""A series of photographs, one per press of the clock, read as a game.

Rules of reading: a photograph that is byte-identical to an earlier one counts once; everything up
to the last empty board before the first placement is set-up; player 1 makes the first placement;
players alternate by turns; an unchanged board is a turn; a photograph that only shows the last
play gone passes no turn. Pure: pictures are read elsewhere.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from recorder.domain.board import name_across
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Played,
    Unseen,
    Withdrawn,
    apply,
    new_game,
    standing_plays,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.pictured import Photo
from recorder.domain.plays import Placement, placement_in_line
from recorder.domain.reading.histories.evidence import Evidence, weigh
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.reconstruct import Reconstruction, begin, step
from recorder.domain.reading.table_turns import play_out_points
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import TileSet, face
from recorder.domain.turns import Turn
from recorder.gcg import GcgGame, GcgMove, GcgPlayer
from recorder.texts.telling import coded_text

FEWEST_LETTERS = 2
"""A board with fewer lettered tiles is empty: no first play has one tile."""
LONGEST_SETUP = 4
"""Photographs of names or tests on the board that may come before the empty one."""
VANISHED = 9
"""So many tiles fewer than before are no play taken back."""


@dataclass(frozen=True, slots=True)
class Unused:
    """A photograph that shows no turn, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Series:
    """A game read from photographs. ``known.looks[i].ref`` is an index into ``photos``.

    ``gaps`` names, by such an index, the photograph before it that could not be read.
    """

    photos: tuple[Photo, ...]
    references: tuple[str, ...]
    unused: tuple[Unused, ...]
    known: Reconstruction
    gaps: Mapping[int, str]

    def events(self) -> Iterator[tuple[Turn, GameEvent]]:
        """Every event in order, with the turn that it belongs to."""
        for turn in self.known.turns:
            for event in turn.events:
                yield turn, event

    def ending(self) -> EndRackPoints | None:
        """The end-rack points, when the tile account shows a play-out."""
        return play_out_points(self.known) if self.known.looks else None

    def game(self, players: tuple[str, str] = ("Player 1", "Player 2")) -> GcgGame:
        """The game to be written as GCG, with the end-rack points where somebody played out.

        ``players``: their full names, the one who placed first in front.
        """
        events = [event for _, event in self.events()]
        ending = self.ending()
        if ending is not None:
            events.append(ending)
        first, second = (GcgPlayer(nick="_".join(name.split()), name=name) for name in players)
        return GcgGame(
            players=(first, second),
            tile_set=self.known.tile_set,
            moves=tuple(GcgMove(event) for event in events),
        )


def photo_notes(photos: Sequence[Photo]) -> Iterator[str]:
    """What people should know of the photographs, each note once, with the first that it is of."""
    first: dict[str, list[str]] = {}
    for photo in photos:
        for note in photo.notes:
            first.setdefault(note, []).append(photo.name)
    for note, names in first.items():
        others = f" (and {len(names) - 1} more)" if len(names) > 1 else ""
        yield f"{names[0]}{others}: {note}"


def read_series(photos: Sequence[Photo], tile_set: TileSet) -> Series:
    """Read photographs in the order given.

    Raises NotationError when they cannot be in the order of play, naming the first two that
    contradict each other, and when no photograph shows a board.
    """
    usable, unused = _usable(photos)
    gaps = _gaps(photos, usable)
    if not usable:
        raise NotationError("no photograph shows a readable board")
    evidence = [weigh(_seen(photo).squares, tile_set, ref=0) for photo in usable]
    start = first_turn(evidence)
    known = begin(tile_set)
    for index in range(start, len(usable)):
        if _vanished(evidence, start, index):
            unused.append(_vanished_photo(usable, evidence, index))
            continue
        moment = LookContext(LookKind.PHOTO, missed=int(index in gaps))
        known = step(known, _seen(usable[index]).squares, moment, ref=index)
    references = _with_copies(photos, {photo.sha256 for photo in usable[:start]})
    return Series(tuple(usable), references, tuple(unused), known, gaps)


def _usable(photos: Sequence[Photo]) -> tuple[list[Photo], list[Unused]]:
    usable: list[Photo] = []
    unused: list[Unused] = []
    first: dict[str, str] = {}
    for photo in photos:
        if photo.sha256 in first:
            unused.append(Unused(photo.name, f"the same file as {first[photo.sha256]}"))
        elif isinstance(photo.seen, BoardNotSeen):
            unused.append(Unused(photo.name, photo.seen.reason))
        else:
            usable.append(photo)
        first.setdefault(photo.sha256, photo.name)
    return usable, unused


def _gaps(photos: Sequence[Photo], usable: Sequence[Photo]) -> dict[int, str]:
    """Which of the usable photographs come right after one that shows no board."""
    index_of = {photo.name: index for index, photo in enumerate(usable)}
    return {
        index_of[after.name]: before.name
        for before, after in pairwise(photos)
        if isinstance(before.seen, BoardNotSeen) and after.name in index_of
    }


def _with_copies(photos: Sequence[Photo], wanted: set[str]) -> tuple[str, ...]:
    """The names of some photographs and of their copies, in order."""
    return tuple(photo.name for photo in photos if photo.sha256 in wanted)


def _seen(photo: Photo) -> BoardSeen:
    if isinstance(photo.seen, BoardNotSeen):
        raise TypeError(photo.name)
    return photo.seen


def _is_empty(evidence: Evidence) -> bool:
    return evidence.letter_count < FEWEST_LETTERS


def first_turn(evidence: Sequence[Evidence]) -> int:
    """The index of the first photograph that belongs to the game: set-up comes before."""
    empty = [_is_empty(look) for look in evidence]
    if True not in empty[: LONGEST_SETUP + 1]:
        return 0
    start = empty.index(True)
    while start < len(empty) and empty[start]:
        start += 1
    return start


def _vanished(evidence: Sequence[Evidence], start: int, index: int) -> bool:
    """Whether a photograph misses far more tiles than a play taken back would."""
    if index == start:
        return False
    before = max(look.tile_count for look in evidence[start:index])
    now = evidence[index]
    return before - now.tile_count - now.covered_count >= VANISHED


def _vanished_photo(usable: Sequence[Photo], evidence: Sequence[Evidence], index: int) -> Unused:
    """A board cleared after the game is left out; anything else is an order that cannot be."""
    now, name = evidence[index], usable[index].name
    if all(_is_empty(look) for look in evidence[index:]):
        return Unused(name, "the board was cleared after the game")
    fuller = max(range(index), key=lambda earlier: evidence[earlier].tile_count)
    raise NotationError(
        f"{name} shows {now.tile_count} tiles, but {usable[fuller].name} before it shows "
        f"{evidence[fuller].tile_count}: the photographs are not in the order of play "
        "(the natural order of their file names), or come from two games"
    )


def series_json(series: Series) -> dict[str, Any]:
    """What ``tilecast replay --json`` prints."""
    state = replace(new_game(series.known.tile_set), board=series.known.board_before)
    turns: list[dict[str, Any]] = []
    last: Placement | None = None
    excess = defaultdict[int, list[CodedText]](list)
    for ref, doubt in _more_than_the_set(series):
        excess[ref].append(doubt)
    for turn, event in series.events():
        board, state = state.board, apply(state, event)
        if isinstance(event, Laid):
            last = placement_in_line(board, event.laid)
        turns.append(_turn_json(series, turn, event, last, state, excess[turn.ref]))
    ending = series.ending()
    return {
        "references": list(series.references),
        "turns": turns,
        "final": list(state.scores),
        "ending": None if ending is None else _ending_json(ending),
        "board": list(state.board.rows()),
        "unused": [{"photo": photo.name, "reason": photo.reason} for photo in series.unused],
        "notes": [*photo_notes(series.photos)],
    }


def _more_than_the_set(series: Series) -> Iterator[tuple[int, CodedText]]:
    """A doubt, with the turn's ref, for each turn that laid a letter of which the set has fewer.

    All were surely seen; at least one of them is another letter, or a tile of another set (ADJ-1).
    """
    placed = [*series.events()]
    standing = [
        (turn.ref, [face(tile) for tile in event.laid.values()])
        for turn, event in map(placed.__getitem__, standing_plays(event for _, event in placed))
        if isinstance(event, Played)
    ]
    seen = Counter(letter for _, letters in standing for letter in letters)
    for letter, many in seen.items():
        if many > (count := series.known.tile_set.count(letter)):
            doubt = coded("more_seen_than_the_set", letter=str(letter), tiles=many, count=count)
            yield from ((ref, doubt) for ref, letters in standing if letter in letters)


def _turn_json(
    series: Series,
    turn: Turn,
    event: GameEvent,
    last: Placement | None,
    state: GameState,
    excess: Sequence[CodedText],
) -> dict[str, Any]:
    own = [doubt for doubt in (*turn.doubts, *excess) if _is_about(doubt, event, turn)]
    doubts = [coded_text(doubt, "doubt") for doubt in own]
    if turn.ref in series.gaps:
        gap = coded("photo_without_board", photo=series.gaps[turn.ref])
        doubts.append(coded_text(gap, "doubt"))
    kind, score = _kind_and_score(event)
    shown = last if isinstance(event, Laid | Withdrawn) else None
    return {
        "photo": series.photos[turn.ref].name,
        "player": event.player + 1,
        "kind": kind,
        "position": None if shown is None else shown.position,
        "word": None if shown is None else write_tiles(shown.word),
        "score": score,
        "total": state.scores[event.player],
        "doubtful": bool(doubts),
        "log_odds": round(turn.log_odds, 2),
        "doubts": doubts,
    }


def _is_about(doubt: CodedText, event: GameEvent, turn: Turn) -> bool:
    """Whether a doubt of a photograph is about this event: about all, unless it names a square."""
    square = dict(doubt.values).get("square")

    def has_laid(laying: GameEvent) -> bool:
        return isinstance(laying, Laid) and square in [name_across(sq) for sq in laying.laid]

    return has_laid(event) or not any(map(has_laid, turn.events))


def _kind_and_score(event: GameEvent) -> tuple[str, int]:
    match event:
        case Played(score=score):
            return "play", score
        case IllegallyPlayed(score=score):
            return "illegal", score
        case Withdrawn(score=score):
            return "withdraw", -score
        case NoPlay() | Unseen():
            return "no_play" if isinstance(event, NoPlay) else "unseen", 0
        case Exchanged():
            return "exchange", 0
        case Passed():
            return "pass", 0
        case _:
            raise TypeError(event)


def _ending_json(ending: EndRackPoints) -> dict[str, Any]:
    points = [0, 0]
    points[ending.player] = ending.points
    return {"kind": "play_out", "points": points}


def series_text(document: dict[str, Any], players: Sequence[str]) -> str:
    """The same for people: a line per turn, the totals, the board."""
    lines: list[str] = []
    for turn in document["turns"]:
        name = players[turn["player"] - 1]
        what = turn["kind"] if turn["word"] is None else f"{turn['position']} {turn['word']}"
        what = f"({turn['kind']}) {what}" if turn["kind"] == "withdraw" else what
        doubt = f"   doubtful: {'; '.join(turn['doubts'])}" if turn["doubtful"] else ""
        numbers = f"{turn['score']:+4d} {turn['total']:5d}"
        lines.append(f"{turn['photo']:<16} {name:<12} {what:<24} {numbers}{doubt}")
    first, second = document["final"]
    lines.append(f"\n{players[0]} {first}, {players[1]} {second}")
    if document["ending"] is not None:
        lines.append(f"played out: {document['ending']['points']} still to be added")
    return "\n".join((*lines, *document["board"]))
