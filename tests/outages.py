"""Games with an outage in the middle: what the record makes of turns that nobody saw.

A game is played through a recorder as its devices report it. For some turns the camera, the clock
or both are silent. Every turn is then compared with what was played.
"""

import copy
import os
import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from itertools import takewhile
from pathlib import Path

import devices.lab
from recorder.domain.board import EMPTY_BOARD, Board, Square
from recorder.domain.game import (
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Unseen,
    Withdrawn,
)
from recorder.domain.instruments import BoardStill
from recorder.domain.lexicon import WordList
from recorder.domain.notices import Notice
from recorder.domain.observations import (
    SYMBOLS,
    BoardNotSeen,
    BoardSeen,
    BoardStirred,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareCosts,
)
from recorder.domain.plays import placement_of
from recorder.domain.record import GameStarted, NoticeGiven
from recorder.domain.row_kind import Kind
from recorder.domain.scoring import score, words_formed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tile, TileSet, face, unnamed
from recorder.domain.turns import Turn
from recorder.gcg import read_gcg
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow, Row
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.tilesets import load_tile_set
from recorder.wire.observations import encode_observation
from recorder.word_lists import load_word_list
from tests.recorder.folded_twin import twin_of

SHARED = Path(os.environ.get("TILECAST_SHARED") or Path(__file__).parents[2] / "shared")
LAB = Path(devices.lab.__path__[0])
OWN_GAMES = sorted((LAB / "games").glob("*.gcg"))
PUBLIC_GAMES = sorted((SHARED / "gcg" / "clean").glob("*.gcg"))
SIDES = (Side.LEFT, Side.RIGHT)
START_MS = 25 * 60_000
MOST_UNSEEN = 10
"""An outage hides so many turns at most."""
TURNS_AFTER = 3
"""So many turns are played after an outage: whether the record goes on rightly shows in them."""
NEUTRAL = frozenset({"doubtful_reading", "no_look", "no_clock", "device_lost", "other_board"})
"""Notices that speak of the record or of a device; all others speak of a player."""
CORNERS = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))


class Lost(StrEnum):
    """The device that is silent."""

    CAMERA = "camera"
    CLOCK = "clock"
    BOTH = "both"


class Returns(StrEnum):
    """When the camera sees the board again."""

    AT_PRESS = "after the last press"
    LAID = "with the next play laid"
    LYING = "with the next play lying there, long before its press"


@dataclass(frozen=True, slots=True)
class Made:
    """A turn as it was made: the board after it; tiles and points of a play.

    ``is_off``: none, but the last play taken off the board again.
    """

    player: int
    board: Board
    tiles: frozenset[tuple[Square, Tile]] = frozenset()
    points: int = 0
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as it was played, the player who began as player 0."""

    name: str
    tile_set: TileSet
    turns: tuple[Made, ...]


@dataclass(frozen=True, slots=True)
class Outage:
    """Devices that are silent for ``count`` turns from turn ``first`` on.

    ``is_reported``: the camera says that no picture comes; ``is_amid``: it has seen half of the
    first play laid before; ``is_late``: all of it, but nothing from its press on.
    """

    lost: Lost
    first: int
    count: int
    returns: Returns = Returns.AT_PRESS
    is_reported: bool = False
    is_amid: bool = False
    is_late: bool = False


@dataclass(slots=True)
class Found:
    """How the turns of one game were recorded: by class, the numbers of turns; and notices."""

    turns: dict[str, list[int]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def note(self, kind: str, turns: Sequence[int]) -> None:
        """Count turns as of this class."""
        self.turns.setdefault(kind, []).extend(turns)


RIGHT, HOLE, SHOWN = "right", "hole", "among the candidates"
DOUBTED, SILENT = "wrong, doubted", "wrong as sure"
CLASSES = (RIGHT, HOLE, SHOWN, DOUBTED, SILENT)


def played_game(path: Path) -> PlayedGame:
    """The game of a GCG file, as far as its players take turns."""
    gcg = read_gcg(path.read_bytes())
    return PlayedGame(path.stem, gcg.tile_set, made_turns(gcg.events, gcg.tile_set))


def made_turns(events: Sequence[GameEvent], tile_set: TileSet) -> tuple[Made, ...]:
    board, standing, turns = EMPTY_BOARD, list[frozenset[tuple[Square, Tile]]](), list[Made]()
    begins: int | None = None
    for event in events:
        if not isinstance(event, Played | Exchanged | Passed | NoPlay | Withdrawn):
            continue
        begins = event.player if begins is None else begins
        player = event.player ^ begins
        before = [turn.player for turn in turns if not turn.is_off]
        if not isinstance(event, Withdrawn) and before and before[-1] == player:
            break
        if isinstance(event, Played):
            points = score(board, event.placement, tile_set)
            tiles = frozenset((sq, face(tile)) for sq, tile in event.laid.items())
            board = board.place(event.laid)
            standing.append(tiles)
            turns.append(Made(player, board, tiles, points))
        elif isinstance(event, Withdrawn) and standing:
            board = board.remove(frozenset(sq for sq, _ in standing.pop()))
            turns.append(Made(player, board, is_off=True))
        else:
            turns.append(Made(player, board))
    return tuple(turns)


@cache
def english_words() -> WordList:
    """The list that the program brings along."""
    return load_word_list(LAB / "words" / "english.txt", load_tile_set("english"))


def words_for(game: PlayedGame) -> WordList:
    words, board = set(english_words().words), EMPTY_BOARD
    for turn, after in zip(game.turns, (*game.turns[1:], None), strict=True):
        stands = after is None or not after.is_off
        if turn.tiles and stands:
            laid = {sq: turn.board[sq] for sq, _ in turn.tiles}
            formed = words_formed(board, placement_of(board, laid))
            words |= {write_tiles(map(unnamed, word.tiles)) for word in formed}
        board = turn.board
    return replace(english_words(), words=words)


class RecordedTable:
    """A table whose camera and clock report a game, and its recorder."""

    def __init__(self, game: PlayedGame, words: WordList | None) -> None:
        started = GameStarted(
            game="g1",
            table=1,
            players=("Ada", "Ben"),
            tile_set=game.tile_set.name,
            rules="wespa4",
            starts_ms=(START_MS, START_MS),
            left_player=0,
            confirmed=("endgame", "overtime", "six_zero"),
        )
        self.log = MemoryEventLog()
        plan = TablePlan(started=started, devices={"cam": "board-camera"}, words=words)
        self.recorder = GameRecorder(plan)
        self.at = 1_000_000
        self.left = [START_MS, START_MS]
        self.has_stirred = False
        self._append(self.recorder.opening(self.at))

    def fork(self) -> "RecordedTable":
        """The same table once more, to go on from here on its own."""
        twin = copy.copy(self)
        twin.left, twin.log = list(self.left), MemoryEventLog()
        twin.recorder = GameRecorder(self.recorder.plan)
        twin.recorder.folded = twin_of(self.recorder.folded)
        rows = list(self.log.read_from(1))
        twin.log.append(
            [
                NewRow(
                    table=1,
                    game=row.game,
                    kind=row.kind,
                    at=row.at,
                    body=row.body,
                    refs=row.refs,
                )
                for row in rows
            ]
        )
        for row in rows:
            if row.kind is not Kind.OBSERVED:
                twin.recorder.take(row)
        return twin

    def _append(self, drafts: list[NewRow]) -> None:
        for row in self.log.append(drafts):
            if row is not None:
                self.recorder.take(row)

    def see(self, observation: Observation | None) -> None:
        """Store what a device reports; None: it reports nothing, and time passes."""
        if observation is not None:
            type_name, data = encode_observation(observation)
            body = {"type": type_name, "data": data, "dev": "d"}
            self._append([NewRow(table=1, game="g1", kind=Kind.OBSERVED, at=self.at, body=body)])
        self._append(self.recorder.pending_rows(self.at))

    def start(self) -> None:
        self.see(self._look(EMPTY_BOARD, still_ms=5_000))
        self.at += 1_000
        left, right = self.left
        self.see(ClockChanged(act=ClockAct.RESUME, left_ms=left, right_ms=right, running=Side.LEFT))

    def _look(self, board: Board, still_ms: int) -> BoardSeen:
        return BoardSeen(
            frame=f"f{self.at}",
            squares=_costs("".join(board.rows())),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=still_ms,
        )

    def turn(
        self,
        made: Made,
        seconds: int,
        *,
        sees: Sequence[bool] = (True, True),
        hears: bool = True,
        lies: bool = False,
    ) -> None:
        """One turn; ``sees``: before its press and after it, whether the camera does.

        ``lies``: the camera has seen no hand, but what lies there twice before the press, and
        that it lies still.
        """
        if made.is_off:
            self._wait(4_000)
            self._stirred(sees=sees[1])
            self._wait(4_000)
            self.see(self._look(made.board, still_ms=900) if sees[1] else None)
            return
        spent = 1000 * seconds
        self._wait(spent - 9_000)
        self._stirred(sees=sees[0] and not lies)
        self._wait(3_000)
        self.see(self._look(made.board, still_ms=100) if lies else None)
        self.see(BoardStill(frame=f"f{self.at}") if lies else None)
        self._wait(4_000)
        self.see(self._look(made.board, still_ms=4_100 if lies else 900) if sees[0] else None)
        self._wait(2_000)
        self.left[made.player] -= spent
        left, right = self.left
        pressed = ClockPressed(
            side=SIDES[made.player], left_ms=left, right_ms=right, running=SIDES[1 - made.player]
        )
        self.see(pressed if hears else None)
        self._wait(800)
        self.left[1 - made.player] -= 800
        self.see(self._look(made.board, still_ms=3_500) if sees[1] else None)

    def _wait(self, ms: int) -> None:
        self.at += ms

    def _stirred(self, *, sees: bool) -> None:
        self.see(BoardStirred(frame=f"f{self.at}") if sees else None)

    def laying(self, made: Made) -> None:
        """The camera sees half of a play, the hand away for a moment."""
        tiles = sorted(sq for sq, _ in made.tiles)
        self._wait(1_000)
        self._stirred(sees=True)
        self._wait(2_000)
        self.see(self._look(made.board.remove(tiles[len(tiles) // 2 :]), still_ms=700))

    def gone(self) -> None:
        """The camera says that no picture comes."""
        self.at += 300
        self.see(BoardNotSeen(frame=f"f{self.at}", reason="no frame came"))

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.recorder.recorded.turns if turn.events)

    @property
    def notices(self) -> frozenset[tuple[str, int | None, tuple[str, ...]]]:
        """What was noticed of players: the code, the player, the squares."""
        return notices_of_players(self.log.read_from(1))

    @property
    def alerted(self) -> frozenset[int]:
        """The turns with a letter that pictures contradict, as alerts to the director name them."""
        given = [row.says for row in self.log.read_from(1) if row.kind is not Kind.OBSERVED]
        return frozenset(
            row
            for said in given
            if isinstance(said, NoticeGiven) and said.notice.code is Notice.CHANGED_AFTER_PRESS
            for row in said.notice.refs
        )


def notices_of_players(rows: Iterable[Row]) -> frozenset[tuple[str, int | None, tuple[str, ...]]]:
    """What a log has against players: the code, the player, the squares."""
    says = [row.says for row in rows if row.kind is not Kind.OBSERVED]
    given = [said.notice for said in says if isinstance(said, NoticeGiven)]
    return frozenset(
        (str(notice.code), notice.player, notice.squares)
        for notice in given
        if notice.player is not None and str(notice.code) not in NEUTRAL
    )


@cache
def _row_costs(symbol: str) -> bytes:
    return bytes(0 if symbol == mark else 160 for mark in SYMBOLS)


def _costs(symbols: str) -> SquareCosts:
    return SquareCosts(b"".join(map(_row_costs, re.sub("[a-z]", "?", symbols))))


def seconds_of(game: PlayedGame) -> list[int]:
    """How long each turn takes, the same at every run."""
    dice = random.Random(game.name)
    return [dice.randint(14, 70) for _ in game.turns]


class Examined:
    """One game, played once without an outage; outages are tried on copies of it."""

    def __init__(self, game: PlayedGame, words: WordList | None) -> None:
        self.game, self.seconds = game, seconds_of(game)
        table = RecordedTable(game, words)
        table.start()
        self._before: list[RecordedTable] = []
        for number in range(len(game.turns)):
            self._before.append(table.fork())
            self._play(table, number)
        self.whole = table

    def _play(
        self, table: RecordedTable, number: int, sees: Sequence[bool] = (True, True), *,
        hears: bool = True, lies: bool = False,
    ) -> None:  # fmt: skip
        made = self.game.turns[number]
        table.turn(made, self.seconds[number], sees=sees, hears=hears, lies=lies)

    def tried(self, outage: Outage) -> tuple[RecordedTable, int]:
        """The table after an outage and a few turns more, and how many turns were made by then."""
        table = self._before[outage.first].fork()
        has_camera, has_clock = outage.lost is Lost.CLOCK, outage.lost is Lost.CAMERA
        if outage.is_amid:
            table.laying(self.game.turns[outage.first])
        if not has_camera and outage.is_reported:
            table.gone()
        back = outage.first + outage.count
        until = min(back + TURNS_AFTER, len(self.game.turns))
        until -= self.game.turns[until - 1].is_off  # the next press decides what came off
        for number in range(outage.first, until):
            is_out = number < back
            is_last = number == back - 1 and outage.returns is Returns.AT_PRESS
            sees = (not is_out or has_camera, not is_out or has_camera or is_last)
            if number == outage.first and outage.is_late and not has_camera:
                sees = (True, False)
            lies = number == back and outage.returns is Returns.LYING
            self._play(table, number, sees, hears=not is_out or has_clock, lies=lies)
        return table, until

    def found(self, outage: Outage) -> Found:
        """How the turns were recorded; notices that the game without the outage has not."""
        table, until = self.tried(outage)
        made = self.game.turns[:until]
        found = compared(made, table.turns, table.alerted)
        if outage.lost is not Lost.CLOCK and not set(found.turns) <= {RIGHT, HOLE}:
            seen = compared(_as_points(made, outage), table.turns, table.alerted)
            found = seen if set(seen.turns) <= {RIGHT, HOLE} else found
        new = table.notices - self.whole.notices
        found.notices = sorted(code for code, _, _ in new)
        return found


def _as_points(made: Sequence[Made], outage: Outage) -> list[Made]:
    """The turns, those of an outage whose play was taken off unseen as turns without points.

    So is the last one where it is taken off before the camera sees the board again.
    """
    left, back = list[Made](), outage.first + outage.count
    for number, turn in enumerate(made):
        is_out = outage.first < number < back + (outage.returns is not Returns.AT_PRESS)
        if turn.is_off and is_out:
            left[-1] = Made(turn.player, turn.board)
        else:
            left.append(turn)
    return left


Key = tuple[object, ...]


def _true_key(made: Made) -> Key:
    if made.is_off:
        return ("off", made.player)
    return ("turn", made.player, made.tiles, made.points)


def _told_key(event: GameEvent) -> Key:
    match event:
        case Withdrawn():
            return ("off", event.player)
        case Played() | IllegallyPlayed():
            tiles = frozenset((sq, face(tile)) for sq, tile in event.laid.items())
            kind = "turn" if isinstance(event, Played) else "illegal"
            return (kind, event.player, tiles, event.score)
        case Unseen():
            return ("hole", event.turns, event.tiles)
        case Exchanged() | Passed() | NoPlay():
            return ("turn", event.player, frozenset(), 0)
    return ("other",)


def compared(made: Sequence[Made], turns: Sequence[Turn], alerted: Collection[int] = ()) -> Found:
    """The classes of all turns that were made, as they are recorded.

    ``alerted`` are turns whose letters an alert to the director contradicts: as good as doubted.
    """
    told = [(turn, event) for turn in turns for event in turn.events]
    told = [pair for pair in told if _told_key(pair[1]) != ("other",)]
    found = Found()
    at = done = 0
    keys = [_told_key(event) for _, event in told]
    holes = [place for place, (_, event) in enumerate(told) if isinstance(event, Unseen)]
    for place in holes:
        hole = told[place][1]
        assert isinstance(hole, Unseen)
        span = _span(made, done, hole, keys[at:place], keys[place + 1 :])
        if span is None:
            continue
        _compare(found, made, (done, span[0]), told[at:place], alerted)
        found.note(HOLE, range(*span))
        done, at = span[1], place + 1
    _compare(found, made, (done, len(made)), told[at:], alerted)
    return found


def _span(
    made: Sequence[Made],
    done: int,
    hole: Unseen,
    before_it: Sequence[Key],
    after_it: Sequence[Key],
) -> tuple[int, int] | None:
    """The turns that a hole stands for: it has their tiles and their number.

    Of several those between the turns that are recorded before it and after it.
    """
    spans = list(_spans(made, done, hole))
    fitting = [
        span for span in spans if [_true_key(turn) for turn in made[done : span[0]]] == before_it
    ]

    def unlike(span: tuple[int, int]) -> int:
        """How many turns behind it are not recorded next as they were made."""
        behind = made[span[1] :]
        after = zip(map(_true_key, behind), after_it, strict=False)
        return len(behind) - len([*takewhile(lambda pair: pair[0] == pair[1], after)])

    return min(fitting or spans, key=unlike, default=None)


def _spans(made: Sequence[Made], done: int, hole: Unseen) -> Iterator[tuple[int, int]]:
    tiles = frozenset((sq, face(tile)) for sq, tile in hole.tiles)
    for first in range(done, len(made)):
        before = frozenset(made[first - 1].board.occupied() if first else ())
        for last in range(first, len(made)):
            board = made[last].board
            new = {sq: board[sq] for sq in board.occupied() if sq not in before}
            count = sum(not turn.is_off for turn in made[first : last + 1])
            same = frozenset((sq, face(tile)) for sq, tile in new.items()) == tiles
            is_count = hole.turns == count or (hole.is_least and hole.turns <= count)
            if same and is_count and made[last].player == hole.player:
                yield first, last + 1


def _compare(
    found: Found,
    made: Sequence[Made],
    span: tuple[int, int],
    told: Sequence[tuple[Turn, GameEvent]],
    alerted: Collection[int],
) -> None:
    """Of turns between holes: those that are recorded rightly, and the others."""
    first, last = span
    true_keys = [_true_key(turn) for turn in made[first:last]]
    told_keys = [_told_key(event) for _, event in told]
    matcher = SequenceMatcher(None, true_keys, told_keys, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        numbers = range(first + i1, first + i2)
        if tag == "equal":
            found.note(RIGHT, numbers)
            continue
        beside = told[max(0, j1 - (j1 == j2)) : max(j2, j1 + (j1 == j2))]
        is_doubted = any(turn.doubts or turn.firm or turn.ref in alerted for turn, _ in beside)
        ways = [
            [_told_key(event) for event in way.events]
            for turn, _ in beside
            for way in turn.alternatives
        ]
        truth = true_keys[i1:i2]
        is_shown = is_doubted and any(_has(way, truth) for way in ways)
        kind = SHOWN if is_shown else DOUBTED if is_doubted else SILENT
        found.note(kind, numbers or [first + i1])


def _has(way: Sequence[Key], truth: Sequence[Key]) -> bool:
    """Whether a candidate is what was made."""
    return bool(truth) and list(way) == list(truth)


def outages_of(game: PlayedGame, tries: int = 1) -> Iterator[Outage]:
    """Outages of every kind and length, at places by dice that are the same at every run."""
    dice = random.Random(game.name)
    for lost in Lost:
        for count in range(1, MOST_UNSEEN + 1):
            for _ in range(tries):
                first = dice.randint(0, max(0, len(game.turns) - count - TURNS_AFTER))
                returns = dice.choice(list(Returns)) if lost is not Lost.CLOCK else Returns.AT_PRESS
                is_amid = bool(game.turns[first].tiles) and dice.random() < 0.3
                yield Outage(lost, first, count, returns, dice.random() < 0.5, is_amid)
