"""The sample that the builder previews: every scene has something to show before anybody plays.

The folds are those of the air, over rows that are made here: nothing of the venue's record is in
it. Times stand still; a page that shows a sample counts from ``SAMPLE_NOW``.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from dashboard.commentator.model import chances_to_win
from dashboard.event.view import event_model
from dashboard.live.messages.merge_patch import without_nulls
from dashboard.live.scenes import SCENES, Feed
from dashboard.live.watched import SheetCache, glimpse
from recorder.declared.codec import Json
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.register import Register, extended, register_of
from recorder.domain.game import EndRackPoints, GameEvent, Played, apply, new_game
from recorder.domain.observations import (
    Acted,
    ClockAct,
    ClockChanged,
    Observation,
    RackSeen,
    Side,
    TurnAct,
)
from recorder.domain.plays import parse_placement
from recorder.domain.record import GameStarted, Observed, Recorded, Statement
from recorder.domain.scoring import score
from recorder.domain.tile_text import read_tiles
from recorder.frames.public import EventHeadline, PlayerCard, PublicPlay, WatchModel
from recorder.log.port import GENESIS, NewRow, chain
from recorder.orders.event_syntax import parse_event_order
from recorder.projections.broadcast import Projection
from recorder.tilesets import tile_set_of

SAMPLE_NOW = 1_700_000_000_000
"""The moment that a sample shows, in milliseconds since 1970."""
_TABLE = 1
_PLAYS = (
    "8F PAID", "F6 ZI.", "I3 LOCKE.", "G7 F.IR", "4H B.VINE", "10G .OWING", "11A RELAXES",
    "A8 QUA.TER", "5K DONE", "K8 JU.IORS", "C9 VA.LEY", "15C SEMINAR",
)  # fmt: skip
_NAMES = ("Ida Marlow", "Tom Reyes")
_OTHERS = (("Cleo Marchetti", "Chidi Okafor"), ("Anna Lindqvist", "Jürgen Müller"))
_CARDS: tuple[PlayerCard, PlayerCard] = (
    {"wins": 3, "losses": 1, "spread": 212, "place": 2, "rating": 1874, "country": "SE"},
    {"wins": 2, "losses": 2, "spread": -37, "place": 11, "rating": 1790, "country": "NG"},
)
_EVENT: EventHeadline = {
    "title": "Harbour Open",
    "round": "Round 5",
    "next": {
        "players": list(_OTHERS[0]),
        "round": "Round 6",
        "at": "15:30",
        "cards": list(_CARDS),
    },
}
_BEST: tuple[PublicPlay, ...] = (
    {"position": "15C", "word": "SEMINAR", "text": "SEMINAR", "score": 93},
    {"position": "15C", "word": "SIRNAME", "text": "SIRNAME", "score": 93},
)
_FIELD = (*_NAMES, *_OTHERS[0], *_OTHERS[1], "Łucja Wiśniewska", "Thị Ánh Nguyễn")
_ROUNDS = 5


class _Game:
    """A game that is written row by row, and what the public's folds make of it."""

    def __init__(self, names: Sequence[str] = _NAMES, table: int = _TABLE) -> None:
        self._table, self._seq = table, 0
        self.public = Projection(table)
        started = GameStarted(
            game=f"sample-{table}",
            table=table,
            players=(names[0], names[1]),
            tile_set="english",
            starts_ms=(1_500_000, 1_500_000),
            left_player=0,
            rules="wespa1",
        )
        self._state = new_game(tile_set_of(started))
        self._write(started)

    def play(self, texts: Iterable[str]) -> "_Game":
        """Plays in turn, the first by the player whose turn it is."""
        for text in texts:
            placement = parse_placement(text)
            points = score(self._state.board, placement, self._state.tile_set)
            self.record(Played(self._state.on_turn, placement, points))
        return self

    def record(self, event: GameEvent) -> None:
        """Any event of the game."""
        self._state = apply(self._state, event)
        self._write(Recorded(event=event))

    def observe(self, seen: Observation) -> None:
        """What a sensor says."""
        self._write(Observed(seen))

    def _write(self, says: Statement) -> None:
        self._seq += 1
        game, at = f"sample-{self._table}", SAMPLE_NOW - 60_000 + self._seq * 1000
        new = NewRow.saying(says, table=self._table, game=game, at=at)
        self.public.advance(chain(GENESIS, self._seq, new))

    def frame(self) -> WatchModel:
        """All that a scene of a table may be drawn from."""
        frame = self.public.frame()
        assert frame is not None, "a game has begun"
        last = frame["last_play"]
        return {
            **frame,
            "cards": list(_CARDS),
            "event": _EVENT,
            "sheet": SheetCache().of(self.public.lines),
            "chances": chances_to_win(self.public),
            "racks": self.public.racks.on_air(),
            "best": {
                "n": 0 if last is None else last["n"],
                "player": 0 if last is None else last["player"],
                "plays": list(_BEST),
            },
        }


@cache
def sample_of(scene: str) -> Json:
    """What a scene is drawn from: of an event the event, else ``now`` and ``frames`` in turn."""
    feed = SCENES[scene].feed
    if feed is Feed.EVENT:
        return {**event_model(_event())}
    if feed is Feed.HALL:
        return {"now": SAMPLE_NOW, "frames": [_hall()]}
    return {"now": SAMPLE_NOW, "frames": [without_nulls(frame) for frame in _frames(scene)]}


def _frames(scene: str) -> Iterator[WatchModel]:
    game = _Game().play(_PLAYS[:-1])
    left, right = read_tiles("AFINTUW"), read_tiles("AEIMNRS")
    game.observe(RackSeen(side=Side.LEFT, letters=left, slots=left, confidence=1.0))
    game.observe(RackSeen(side=Side.RIGHT, letters=right, slots=right, confidence=1.0))
    clock = ClockChanged(act=ClockAct.ADJUST, left_ms=754_000, right_ms=611_000, running=Side.RIGHT)
    game.observe(clock)
    yield game.frame()
    game.play(_PLAYS[-1:])
    if scene == "banner":
        game.observe(Acted(side=Side.LEFT, act=TurnAct.HOLD))
    if scene in {"final", "next"}:
        game.record(EndRackPoints(1, 18, read_tiles("AFUW")))
    yield game.frame()


def _hall() -> Json:
    games = (
        _Game().play(_PLAYS),
        *(
            _Game(names, table).play(_PLAYS[: 9 - 2 * table])
            for table, names in enumerate(_OTHERS, 2)
        ),
    )
    return {
        "tables": {
            str(table): without_nulls(glimpse(game.frame())) for table, game in enumerate(games, 1)
        }
    }


def _event() -> Register:
    register = register_of(())
    for number, words in enumerate(_orders()):
        act = parse_event_order(words.split(), register.event)
        register = extended(register, EventOrder(id=f"sample-{number}", who="sample", act=act))
    return register


def _orders() -> Iterator[str]:
    yield f"about name {_EVENT['title']}"
    yield "about rounds 8"
    for number, name in enumerate(_FIELD):
        yield f"player A {name} {1874 - 21 * number}"
    pairs = [(first, first + 1) for first in range(1, len(_FIELD), 2)]
    for round_ in range(1, _ROUNDS + 2):
        seats = " ".join(f"{table}:{a}-{b}" for table, (a, b) in enumerate(pairs, 1))
        yield f"round A {round_} {seats}"
        for a, b in pairs if round_ <= _ROUNDS else ():
            yield f"result A {round_} {a} {388 + 13 * a} {b} {401 - 9 * round_ + b}"
