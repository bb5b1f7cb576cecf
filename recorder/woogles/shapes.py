"""The messages of Woogles: every name of a service, method, field and value that Tilecast uses.

A ``Call`` is one request as Connect takes it: JSON over POST. ``read_document`` and its neighbours
read the answers, and take no field on trust: what is not as expected is a ``ShapeError``. Written
from public facts of the interface as of August 2026; a field that changes is changed here alone.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recorder.declared.codec import Json
from recorder.domain.errors import NotationError

GAMES = "omgwords_service.GameEventService"
BROADCASTS = "broadcast_service.BroadcastService"

PLAY = "TILE_PLACEMENT_MOVE"
RETURNED = "PHONY_TILES_RETURNED"
PASS = "PASS"  # noqa: S105  the name of a turn
BONUS = "CHALLENGE_BONUS"
EXCHANGE = "EXCHANGE"
END_POINTS = "END_RACK_PTS"
TIME_PENALTY = "TIME_PENALTY"
END_PENALTY = "END_RACK_PENALTY"
LOST_TURN = "UNSUCCESSFUL_CHALLENGE_TURN_LOSS"
RESIGNED = "RESIGNED"
EVENT_TYPES = (
    *(PLAY, RETURNED, PASS, BONUS, EXCHANGE, END_POINTS, TIME_PENALTY, END_PENALTY, LOST_TURN),
    *("CHALLENGE", "TIMED_OUT", RESIGNED),
)
CHALLENGE_ENDS = (RETURNED, BONUS, LOST_TURN)
"""What a challenge can come to."""

SEND_PLAY, SEND_CHALLENGE, SEND_RESIGN = "TILE_PLACEMENT", "CHALLENGE_PLAY", "RESIGN"

PLAYING, FINAL_PASS, GAME_OVER, UNSTARTED = (
    *("PLAYING", "WAITING_FOR_FINAL_PASS", "GAME_OVER", "UNSTARTED"),
)
CHALLENGE_RULES = ("VOID", "SINGLE", "DOUBLE", "FIVE_POINT", "TEN_POINT", "TRIPLE")
"""In the order of their numbers, as a broadcast has them."""
_RULE = "ChallengeRule_"
_BOARD_LAYOUT, _VARIANT = "CrosswordGame", "classic"
_SQUARES = 225
_ACROSS, _DOWN = "HORIZONTAL", "VERTICAL"


class ShapeError(NotationError):
    """An answer is not as the interface is known."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request. ``writes``: whether it may change something there."""

    service: str
    method: str
    body: Json
    writes: bool = True

    @property
    def path(self) -> str:
        """Below the address of the interface."""
        return f"{self.service}/{self.method}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TheirEvent:
    """An event of a game there.

    ``tiles`` are those played, the main word with 0 for a tile that was there, or those exchanged;
    ``points`` what the player's score changed by; ``words`` how many the play formed.
    """

    kind: str
    player: int
    row: int = 0
    column: int = 0
    across: bool = True
    position: str = ""
    tiles: bytes = b""
    rack: bytes = b""
    points: int = 0
    words: int = 0

    def laid(self) -> dict[tuple[int, int], int]:
        """The new tiles of a play by row and column, whichever way it was written."""
        down, right = (0, 1) if self.across else (1, 0)
        return {
            (self.row + at * down, self.column + at * right): tile
            for at, tile in enumerate(self.tiles)
            if tile
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A game there. ``raw`` is all of it, to be sent back where the game is replaced."""

    raw: Json
    players: tuple["TheirPlayer", "TheirPlayer"]
    events: tuple[TheirEvent, ...]
    racks: tuple[bytes, bytes]
    board: bytes
    scores: tuple[int, int]
    on_turn: int
    play_state: str
    lexicon: str
    distribution: str
    challenge_rule: str

    @property
    def uid(self) -> str:
        """The name of the game there."""
        return str(self.raw["uid"])

    @property
    def is_over(self) -> bool:
        """Whether it takes no more turns."""
        return self.play_state == GAME_OVER


@dataclass(frozen=True, slots=True)
class TheirPlayer:
    """A player there: ``user_id`` is how a turn names them."""

    nickname: str
    real_name: str
    user_id: str


# --- requests: games ---


def create_game(names: Sequence[str], lexicon: str, distribution: str, rule: str) -> Call:
    """A new game, the first player in front; refused while another is unfinished."""
    players = [
        {"nickname": name, "full_name": name, "first": at == 0} for at, name in enumerate(names)
    ]
    rules = {
        "board_layout_name": _BOARD_LAYOUT,
        "letter_distribution_name": distribution,
        "variant_name": _VARIANT,
    }
    body = {
        "players_info": players,
        "lexicon": lexicon,
        "rules": rules,
        "challenge_rule": _RULE + rule,
    }
    return Call(GAMES, "CreateAnnotatedGame", body)


def unfinished_games() -> Call:
    """The games of the key's owner that are not over."""
    return Call(GAMES, "GetMyUnfinishedGames", {}, writes=False)


def get_document(game_id: str) -> Call:
    """A whole game."""
    return Call(GAMES, "GetGameDocument", {"game_id": game_id}, writes=False)


def set_racks(game_id: str, racks: Sequence[bytes]) -> Call:
    """Both racks as they are now."""
    body = {"game_id": game_id, "racks": [_base64(rack) for rack in racks]}
    return Call(GAMES, "SetRacks", body)


def send_event(game_id: str, user_id: str, event: TheirEvent, words: int = 0) -> Call:
    """One turn.

    For RETURNED, BONUS and LOST_TURN a challenge, whose outcome they decide: of the first ``words``
    words that the play formed, all of them where that is 0.
    """
    sent: Json = {"game_id": game_id}
    if event.kind == PLAY:
        sent |= {"type": SEND_PLAY, "position_coords": event.position}
        sent["machine_letters"] = _base64(event.tiles)
    elif event.kind in CHALLENGE_ENDS:
        sent |= {"type": SEND_CHALLENGE, "challenged_word_indices": list(range(words))}
    elif event.kind == EXCHANGE:
        sent |= {"type": EXCHANGE, "machine_letters": _base64(event.tiles)}
    else:
        sent["type"] = SEND_RESIGN if event.kind == RESIGNED else PASS
    return Call(GAMES, "SendGameEvent", {"event": sent, "user_id": user_id})


def patch_document(document: Document, order: Sequence[int], rule: str) -> Call:
    """The players in this order, and this rule of challenges.

    All fields of both players are sent: what is left out would be emptied there.
    """
    players = [document.players[at] for at in order]
    patch: Json = {
        "uid": document.uid,
        "challenge_rule": _RULE + rule,
        "players": [
            {
                "nickname": player.nickname,
                "real_name": player.real_name,
                "user_id": player.user_id,
            }
            for player in players
        ],
    }
    return Call(GAMES, "PatchGameDocument", {"document": patch})


def replace_document(raw: Json) -> Call:
    """The whole game as given; they check nothing of it."""
    return Call(GAMES, "ReplaceGameDocument", {"document": raw})


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastGame:
    """A table of a round in their feed; ``game_id`` is empty while nobody has claimed it."""

    round: int
    table: int
    players: tuple[str, str]
    division: str
    game_id: str
    annotator: str
    done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """What a broadcast plays by.

    ``poll_times``: from when to when the feed is read, as they write it; empty: always.
    """

    slug: str
    name: str
    feed: str
    lexicon: str
    distribution: str
    challenge_rule: str
    active: bool
    divisions: tuple[str, ...] = ()
    description: str = ""
    poll_interval_s: int = 60
    poll_times: tuple[str, str] = ("", "")


def get_broadcast(slug: str) -> Call:
    """A broadcast with its standings and people."""
    return Call(BROADCASTS, "GetBroadcast", {"slug": slug}, writes=False)


def broadcast_games(slug: str, round_: int, division: str) -> Call:
    """The tables of a round."""
    body = {"slug": slug, "round": round_, "division": division}
    return Call(BROADCASTS, "GetBroadcastGames", body, writes=False)


def my_claimed_games(slug: str, limit: int = 10) -> Call:
    """The games of a broadcast that the key's owner has claimed; needs a key that is known."""
    return Call(BROADCASTS, "GetMyClaimedGames", {"slug": slug, "limit": limit}, writes=False)


def claim_game(slug: str, round_: int, table: int, division: str) -> Call:
    """Make the game of a table, or get the name of the one that somebody made."""
    return Call(BROADCASTS, "ClaimGame", _place(slug, round_, table, division))


def _place(slug: str, round_: int, table: int, division: str) -> Json:
    return {"slug": slug, "round": round_, "table_number": table, "division": division}


def create_broadcast(wanted: Broadcast) -> Call:
    """A new broadcast."""
    return Call(BROADCASTS, "CreateBroadcast", _broadcast(wanted))


def update_broadcast(wanted: Broadcast) -> Call:
    """A broadcast as given: a field that was left out would be emptied."""
    return Call(BROADCASTS, "UpdateBroadcast", {**_broadcast(wanted), "active": wanted.active})


def _broadcast(wanted: Broadcast) -> Json:
    names = ("poll_start_time", "poll_end_time")
    times = {name: time for name, time in zip(names, wanted.poll_times, strict=True) if time}
    return {
        **times,
        "slug": wanted.slug,
        "name": wanted.name,
        "description": wanted.description,
        "broadcast_url": wanted.feed,
        "broadcast_url_format": "tsh_newt_json",
        "poll_interval_seconds": wanted.poll_interval_s,
        "lexicon": wanted.lexicon,
        "board_layout": _BOARD_LAYOUT,
        "letter_distribution": wanted.distribution,
        "challenge_rule": CHALLENGE_RULES.index(wanted.challenge_rule),
    }


def trigger_poll(slug: str) -> Call:
    """Have the feed read now; UpdateBroadcast alone leaves half an hour of the old one."""
    return Call(BROADCASTS, "TriggerPoll", {"slug": slug})


def create_slot(slug: str, name: str, place: tuple[str, int, int]) -> Call:
    """A slot that shows a division, round and table; one of that name is left as it is."""
    return Call(BROADCASTS, "CreateSlot", _slot(slug, name, place))


def assign_slot(slug: str, name: str, place: tuple[str, int, int]) -> Call:
    """Point a slot at a division, round and table."""
    return Call(BROADCASTS, "AssignSlot", _slot(slug, name, place))


def _slot(slug: str, name: str, place: tuple[str, int, int]) -> Json:
    division, round_, table = place
    return {
        "slug": slug,
        "slot_name": name,
        "division": division,
        "round": round_,
        "table_number": table,
    }


# --- answers ---


def read_game_id(answer: object) -> str:
    """The name of a game that was made or claimed."""
    return _text(_object(answer, "answer"), "game_id", least=1)


def read_game_ids(answer: object) -> tuple[str, ...]:
    """The names of a list of games."""
    games = _list(_object(answer, "answer"), "games")
    return tuple(_text(_object(game, "games"), "game_id") for game in games)


def read_claimed(answer: object) -> frozenset[str]:
    """The names of the games that were claimed."""
    games = _list(_object(answer, "answer"), "games")
    return frozenset(_text(_object(game, "games"), "game_uuid") for game in games)


def read_broadcast_games(answer: object) -> tuple[BroadcastGame, ...]:
    """The tables of a round."""
    games = (_object(game, "games") for game in _list(_object(answer, "answer"), "games"))
    return tuple(
        BroadcastGame(
            round=_whole(game, "round"),
            table=_whole(game, "table_number"),
            players=(_text(game, "player1_name"), _text(game, "player2_name")),
            division=_text(game, "division"),
            game_id=_text(game, "game_uuid"),
            annotator=_text(game, "annotator_username"),
            done=bool(game.get("annotation_done", False)),
        )
        for game in games
    )


def read_broadcast(answer: object) -> Broadcast:
    """A broadcast."""
    whole = _object(answer, "answer")
    said = _object(whole.get("broadcast"), "broadcast")
    rule = _whole(said, "challenge_rule")
    if not 0 <= rule < len(CHALLENGE_RULES):
        raise ShapeError(f"challenge_rule: {rule} is none that is known")
    return Broadcast(
        slug=_text(said, "slug"),
        name=_text(said, "name"),
        description=_text(said, "description"),
        feed=_text(said, "broadcast_url"),
        poll_interval_s=_whole(said, "poll_interval_seconds"),
        poll_times=(_text(said, "poll_start_time"), _text(said, "poll_end_time")),
        lexicon=_text(said, "lexicon"),
        distribution=_text(said, "letter_distribution"),
        challenge_rule=CHALLENGE_RULES[rule],
        active=bool(said.get("active", False)),
        divisions=_texts(whole, "divisions"),
    )


def read_document(answer: object) -> Document:
    """A game. ShapeError names the field that is not as expected."""
    raw = _object(answer, "document")
    _text(raw, "uid", least=1)
    players = [_player(_object(player, "players")) for player in _list(raw, "players")]
    racks = [_bytes({"racks": rack}, "racks") for rack in _list(raw, "racks")]
    scores = [_whole({"current_scores": score}, "current_scores") for score in _scores(raw)]
    if not len(players) == len(racks) == len(scores) == 2:
        raise ShapeError("a game has two players, two racks and two scores")
    board = _bytes(_object(raw.get("board"), "board"), "tiles")
    if len(board) != _SQUARES:
        raise ShapeError(f"board: 15 by 15 squares are expected, not {len(board)}")
    on_turn = _whole(raw, "player_on_turn")
    if on_turn not in (0, 1):
        raise ShapeError(f"player_on_turn: {on_turn} is no player")
    return Document(
        raw=raw,
        players=(players[0], players[1]),
        events=tuple(read_event(_object(event, "events")) for event in _list(raw, "events")),
        racks=(racks[0], racks[1]),
        board=board,
        scores=(scores[0], scores[1]),
        on_turn=on_turn,
        play_state=_text(raw, "play_state"),
        lexicon=_text(raw, "lexicon"),
        distribution=_text(raw, "letter_distribution"),
        challenge_rule=_text(raw, "challenge_rule").removeprefix(_RULE),
    )


def _scores(raw: Json) -> list[Any]:
    """A document without any has no scores yet."""
    return _list(raw, "current_scores") or [0, 0]


def _player(said: Json) -> TheirPlayer:
    return TheirPlayer(_text(said, "nickname"), _text(said, "real_name"), _text(said, "user_id"))


def read_event(said: Json) -> TheirEvent:
    """An event of a document."""
    kind = said.get("type", PLAY)
    if isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind < len(EVENT_TYPES):
        kind = EVENT_TYPES[kind]
    if kind not in EVENT_TYPES:
        raise ShapeError(f"type: {kind!r} is no event that is known")
    player = _whole(said, "player_index")
    if player not in (0, 1):
        raise ShapeError(f"player_index: {player} is no player")
    lost = _whole(said, "lost_score")
    points = _whole(said, "score") + _whole(said, "bonus") + _whole(said, "end_rack_points") - lost
    return TheirEvent(
        kind=kind,
        player=player,
        row=_whole(said, "row"),
        column=_whole(said, "column"),
        across=said.get("direction", _ACROSS) in (_ACROSS, 0),
        position=_text(said, "position"),
        tiles=_bytes(said, "exchanged" if kind == EXCHANGE else "played_tiles"),
        rack=_bytes(said, "rack"),
        points=points,
        words=len(_list(said, "words_formed")),
    )


def write_event(
    event: TheirEvent, cumulative: int, words: Sequence[bytes], text: Sequence[str]
) -> Json:
    """An event as a document has it."""
    lost = event.kind in (RETURNED, TIME_PENALTY, END_PENALTY)
    return {
        "note": "",
        "rack": _base64(event.rack),
        "type": event.kind,
        "cumulative": cumulative,
        "row": event.row,
        "column": event.column,
        "direction": _ACROSS if event.across else _DOWN,
        "position": event.position,
        "played_tiles": "" if event.kind == EXCHANGE else _base64(event.tiles),
        "exchanged": _base64(event.tiles) if event.kind == EXCHANGE else "",
        "score": event.points if event.kind == PLAY else 0,
        "bonus": event.points if event.kind == BONUS else 0,
        "end_rack_points": event.points if event.kind == END_POINTS else 0,
        "lost_score": -event.points if lost else 0,
        "is_bingo": event.kind == PLAY and len(event.laid()) == 7,
        "words_formed": [_base64(word) for word in words],
        "millis_remaining": 0,
        "player_index": event.player,
        "words_formed_friendly": list(text),
        "challenged_word_indices": [],
    }


def blank_document(
    uid: str, names: Sequence[str], lexicon: str, distribution: str, rule: str
) -> Json:
    """A game before its first turn, as they make one."""
    return {
        "players": [
            {"nickname": name, "real_name": name, "user_id": f"internal-{name}", "quit": False}
            for name in names
        ],
        "events": [],
        "version": 2,
        "lexicon": lexicon,
        "uid": uid,
        "description": "",
        "racks": ["", ""],
        "challenge_rule": _RULE + rule,
        "play_state": UNSTARTED,
        "current_scores": [0, 0],
        "variant": _VARIANT,
        "winner": 0,
        "board_layout": _BOARD_LAYOUT,
        "letter_distribution": distribution,
        "type": "ANNOTATED",
        "timers_started": False,
        "end_reason": "NONE",
        "board": {
            "num_rows": 15,
            "num_cols": 15,
            "tiles": _base64(bytes(_SQUARES)),
            "is_empty": True,
        },
        "bag": {"tiles": ""},
        "scoreless_turns": 0,
        "player_on_turn": 0,
        "timers": {"time_remaining": ["0", "0"], "untimed": True},
    }


def board_json(tiles: bytes) -> Json:
    """The board of a document."""
    return {
        "num_rows": 15,
        "num_cols": 15,
        "tiles": _base64(tiles),
        "is_empty": not any(tiles),
    }


def tiles_json(tiles: bytes) -> str:
    """Tiles as a field of a document has them."""
    return _base64(tiles)


# --- reading a field ---


def _object(value: object, name: str) -> Json:
    if not isinstance(value, Mapping):
        raise ShapeError(f"{name}: an object is expected, not {_shown(value)}")
    return dict(value)


def _list(said: Json, name: str) -> list[Any]:
    value = said.get(name, [])
    if not isinstance(value, list):
        raise ShapeError(f"{name}: a list is expected, not {_shown(value)}")
    return value


def _texts(said: Json, name: str) -> tuple[str, ...]:
    return tuple(_text({name: value}, name) for value in _list(said, name))


def _text(said: Json, name: str, least: int = 0) -> str:
    value = said.get(name, "")
    if not isinstance(value, str) or len(value) < least:
        raise ShapeError(f"{name}: a text is expected, not {_shown(value)}")
    return value


def _whole(said: Json, name: str) -> int:
    value = said.get(name, 0)
    if isinstance(value, str) and value.lstrip("-").isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**31:
        raise ShapeError(f"{name}: a whole number is expected, not {_shown(value)}")
    return value


def _bytes(said: Json, name: str) -> bytes:
    text = _text(said, name)
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as fault:
        raise ShapeError(f"{name}: {_shown(text)} is no base64") from fault


def _base64(tiles: bytes) -> str:
    return base64.b64encode(tiles).decode("ascii")


def _shown(value: object) -> str:
    return repr(value)[:60]
