"""A game as GameHistory, the JSON form that engines and web sites of the field read.

The names are those of the field's protocol description (snake case), kinds and directions are its
numbers. It says less than our own record: holds, doubts and rulings have no place there, a score
that was agreed wrongly is written as agreed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from recorder.domain.board import Direction, col_of, row_of
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameState,
    Penalty,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, unnamed
from recorder.gcg.model import GcgGame, GcgMove
from recorder.gcg.plain_moves import plain_moves
from recorder.gcg.writer import nicks, notes_of, rack_of, write_gcg

VERSION = 2
LOST_CHALLENGE_NOTE = "#unsuccessful-challenge"
(_PLAY, _RETURNED, _PASS, _BONUS, _EXCHANGE, _END_POINTS, _TIME, _END_PENALTY, _LOST_TURN) = range(
    9
)
_PLAYING, _GAME_OVER = 0, 2
_ENDS = (EndRackPoints, EndRackPenalty, TimePenalty, Conceded)


def game_history(game: GcgGame, *, millis: Mapping[int, int] | None = None) -> dict[str, Any]:
    """The game as JSON values; ``millis`` gives the mover's time left by index in ``game.moves``.

    Points taken off by a ruling stand as a time penalty, because there is nothing else for them;
    their note shows. RecorderError when the events cannot have happened one after the other.
    """
    state = new_game(game.tile_set)
    events = []
    places, moves = zip(*plain_moves(game), strict=True) if game.moves else ((), ())
    for index, (place, move) in enumerate(zip(places, moves, strict=True)):
        after = apply(state, move.event)
        if not isinstance(move.event, Conceded):
            known = (
                {} if millis is None or place not in millis else {"millis_remaining": millis[place]}
            )
            events.append({**_event(moves, index, state, after), **known})
        state = after
    texts = dict(game.pragmata)
    authority, _, uid = texts.get("id", "").partition(" ")
    over = any(isinstance(move.event, _ENDS) for move in game.moves)
    names = zip(nicks(game), game.players, strict=True)
    return {
        "events": events,
        "players": [
            {"nickname": nick, "real_name": player.name or nick, "user_id": ""}
            for nick, player in names
        ],
        "version": VERSION,
        "original_gcg": write_gcg(game),
        "lexicon": texts.get("lexicon", ""),
        "id_auth": authority,
        "uid": uid,
        "title": texts.get("title", ""),
        "description": texts.get("description", ""),
        "last_known_racks": [*map(write_tiles, game.racks)] if any(game.racks) else [],
        "play_state": _GAME_OVER if over else _PLAYING,
        "final_scores": list(state.scores) if over else [],
        "variant": "classic",
        "winner": _winner(game, state) if over else 0,
        "board_layout": "CrosswordGame",
        "letter_distribution": game.tile_set.name,
    }


def _winner(game: GcgGame, state: GameState) -> int:
    """The seat of the winner, -1 at a tie; who conceded has lost whatever the score says."""
    for move in game.moves:
        if isinstance(move.event, Conceded):
            return 1 - move.event.player
    first, second = state.scores
    return -1 if first == second else int(second > first)


def _event(
    moves: Sequence[GcgMove], index: int, state: GameState, after: GameState
) -> dict[str, Any]:
    """One event; the fields that its kind has no use for are left out."""
    move = moves[index]
    event = move.event
    rack = write_tiles(move.rack or rack_of(moves, index))
    common = {
        "note": " ".join(notes_of(state, move)),
        "rack": rack,
        "cumulative": after.scores[event.player],
        "player_index": event.player,
    }
    match event:
        case Played():
            own = _play(event, state)
        case Withdrawn():
            last = state.standing[-1]
            laid = write_tiles(last.placement.word) if isinstance(last, Played) else ""
            own = {"type": _RETURNED, "lost_score": event.score, "played_tiles": laid}
        case Exchanged():
            own = {"type": _EXCHANGE, "exchanged": write_tiles(event.tiles) or str(event.count)}
        case ChallengeBonus():
            own = {"type": _BONUS, "bonus": event.points}
        case EndRackPoints():
            own = {
                "type": _END_POINTS,
                "end_rack_points": event.points,
                "rack": write_tiles(event.tiles),
            }
        case EndRackPenalty():
            own = {
                "type": _END_PENALTY,
                "lost_score": event.points,
                "rack": write_tiles(event.tiles),
            }
        case TimePenalty() | Penalty():
            own = {"type": _TIME, "lost_score": event.points}
        case _:
            own = {"type": _LOST_TURN if _lost_challenge(move) else _PASS}
    return {**common, **own}


def _lost_challenge(move: GcgMove) -> bool:
    return LOST_CHALLENGE_NOTE in move.notes


def _play(event: Played, state: GameState) -> dict[str, Any]:
    placement = event.placement
    words = words_formed(state.board, placement)
    return {
        "type": _PLAY,
        "row": row_of(placement.start),
        "column": col_of(placement.start),
        "direction": 0 if placement.direction is Direction.ACROSS else 1,
        "position": placement.position,
        "played_tiles": write_tiles(placement.word),
        "score": event.score,
        "is_bingo": len(placement.new_tiles()) == RACK_SIZE,
        "words_formed": [write_tiles(map(unnamed, word.tiles)) for word in words],
    }
