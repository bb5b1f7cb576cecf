"""A whole game as their server keeps it, made of the events that it should have.

What replaces a game there is checked by nobody, so all that follows from the events is worked out
here: board, bag, racks, scores, who is on turn, how the game ended.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from recorder.declared.codec import Json
from recorder.woogles import shapes
from recorder.woogles.letters import AS_BLANK, Distribution, sorted_tiles
from recorder.woogles.shapes import TheirEvent
from recorder.woogles.wanted import WantedEvent, WantedGame, faces, played_faces

_SIDE = 15
_SQUARES = _SIDE * _SIDE


def game_document(game: WantedGame, base: Mapping[str, object], count: int | None = None) -> Json:
    """The game after so many of its events, by default all, over what ``base`` says of it.

    ``base`` is the document that is replaced, or a blank one: players, names, times and everything
    else that is no part of play stay as they are there.
    """
    events = game.events[: len(game.events) if count is None else count]
    play = _Played()
    written = [play.take(wanted, game.distribution) for wanted in events]
    state = _play_state(events)
    sizes, _ = game.before(len(events))
    racks = _racks_at_end(events, game.distribution, play, sizes, state)
    bag = game.distribution.unseen(bytes(play.board), *racks)
    return {
        **base,
        "events": written,
        "racks": [shapes.tiles_json(rack) for rack in racks],
        "play_state": state,
        "current_scores": list(play.scores),
        "winner": _winner(events, play.scores) if state == shapes.GAME_OVER else 0,
        "end_reason": _end_reason(events) if state == shapes.GAME_OVER else "NONE",
        "board": shapes.board_json(bytes(play.board)),
        "bag": {"tiles": shapes.tiles_json(sorted_tiles(bag))},
        "scoreless_turns": play.zeros,
        "player_on_turn": play.on_turn,
    }


def rack_of_letters(pool: bytes, size: int) -> bytes:
    """So many tiles out of a pool, spread over it: a guess that says nothing of any rack."""
    size = min(size, len(pool))
    return bytes(pool[at * len(pool) // size] for at in range(size)) if size else b""


def available(letters: Distribution, board: bytes, racks: Sequence[bytes]) -> tuple[bytes, bytes]:
    """Both racks without the tiles that are not left: one of those was misread."""
    left = letters.unseen(board)
    kept = []
    for rack in racks:
        own = bytearray()
        for tile in rack:
            if left[tile] > 0:
                left[tile] -= 1
                own.append(tile)
        kept.append(bytes(own))
    return kept[0], kept[1]


def full_racks(
    letters: Distribution, board: bytes, sizes: Sequence[int], known: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """Both racks at their true sizes: what is known of them, and guesses for what is not.

    Known tiles that are not left are dropped.
    """
    cut = [rack[:size] for rack, size in zip(known, sizes, strict=True)]
    racks = list(available(letters, board, cut))
    left = letters.unseen(board)
    left.subtract(racks[0] + racks[1])
    for player in (0, 1):
        guessed = rack_of_letters(sorted_tiles(left), sizes[player] - len(racks[player]))
        left.subtract(guessed)
        racks[player] = bytes(sorted(racks[player] + guessed))
    return racks[0], racks[1]


@dataclass(slots=True)
class _Played:
    """What follows from the events so far."""

    board: bytearray = field(default_factory=lambda: bytearray(_SQUARES))
    scores: list[int] = field(default_factory=lambda: [0, 0])
    on_turn: int = 0
    zeros: int = 0
    _zeros_before: list[int] = field(default_factory=list)

    def take(self, wanted: WantedEvent, letters: Distribution) -> Json:
        """Go on by one event; as a document has it."""
        event = wanted.event
        if event.kind in (shapes.PLAY, shapes.RETURNED):
            # Their server puts this rack back when an earlier turn is amended.
            event = replace(event, rack=event.rack or played_faces(event))
        if event.kind == shapes.PLAY:
            for (row, column), tile in event.laid().items():
                self.board[row * _SIDE + column] = tile
            self._zeros_before.append(self.zeros)
            self.zeros, self.on_turn = 0, 1 - event.player
        elif event.kind == shapes.RETURNED:
            for row, column in event.laid():
                self.board[row * _SIDE + column] = 0
            before = self._zeros_before.pop() if self._zeros_before else 0
            self.zeros, self.on_turn = before + 1, 1 - event.player
        elif event.kind in (shapes.PASS, shapes.EXCHANGE, shapes.LOST_TURN):
            self.zeros, self.on_turn = self.zeros + 1, 1 - event.player
        self.scores[event.player] += event.points
        text = [letters.text(word).upper() for word in wanted.words]
        return shapes.write_event(event, self.scores[event.player], wanted.words, text)


def _play_state(events: Sequence[WantedEvent]) -> str:
    kinds = {wanted.event.kind for wanted in events}
    if kinds & {shapes.END_POINTS, shapes.END_PENALTY, shapes.RESIGNED}:
        return shapes.GAME_OVER
    last = events[-1] if events else None
    if last is not None and last.event.kind == shapes.PLAY and not last.sizes[last.event.player]:
        return shapes.FINAL_PASS
    return shapes.PLAYING


def _racks_at_end(
    events: Sequence[WantedEvent],
    letters: Distribution,
    play: _Played,
    sizes: Sequence[int],
    state: str,
) -> tuple[bytes, bytes]:
    """The racks that stay: known ones at the end, none in mid-game, all at their sizes between."""
    left = letters.unseen(bytes(play.board))
    if state == shapes.GAME_OVER:
        racks = [b"", b""]
        for wanted in events:
            if wanted.event.kind == shapes.END_PENALTY:
                racks[wanted.event.player] = wanted.event.rack
            elif wanted.event.kind == shapes.END_POINTS:
                racks[1 - wanted.event.player] = wanted.event.rack
        return full_racks(letters, bytes(play.board), [len(rack) for rack in racks], racks)
    if sum(left.values()) > 14:
        return b"", b""
    return full_racks(letters, bytes(play.board), sizes, (b"", b""))


def _end_reason(events: Sequence[WantedEvent]) -> str:
    kinds = {wanted.event.kind for wanted in events}
    if shapes.RESIGNED in kinds:
        return "RESIGNED"
    return "STANDARD" if shapes.END_POINTS in kinds else "CONSECUTIVE_ZEROES"


def _winner(events: Sequence[WantedEvent], scores: Sequence[int]) -> int:
    """The index of the winner, -1 at a tie."""
    for wanted in events:
        if wanted.event.kind == shapes.RESIGNED:
            return 1 - wanted.event.player
    first, second = scores
    return -1 if first == second else int(second > first)


def leave_of(event: TheirEvent) -> bytes:
    """What stayed on the rack when a play was made from it, as far as the rack is known."""
    left = faces(event.rack)
    left.subtract(faces(event.tiles))
    blanks = event.rack.count(0) - sum(1 for tile in event.tiles if tile & AS_BLANK)
    return bytes([0] * max(0, blanks)) + sorted_tiles(left)
