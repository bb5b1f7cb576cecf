"""The messages of Woogles: every name of a service, method, field and value that Tilecast uses.

A ``Call`` is one request as Connect takes it: JSON over POST. ``read_document`` and its neighbours
read the answers by what the classes declare, and take no field on trust: what is not as expected is
a ``ShapeError``. Written from public facts of the interface as of August 2026. What is read has
the names that it has there.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, TypeVar

from recorder.declared.codec import Codec, Json
from recorder.domain.errors import NotationError
from recorder.domain.limits import AnyText, AsText, Long, PlayerNumber, Wanted, Within

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
_KINDS: Mapping[str | int, str] = dict(
    [*enumerate(EVENT_TYPES), *zip(EVENT_TYPES, EVENT_TYPES, strict=True)]
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


def _tiles(text: str) -> bytes:
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _base64(tiles: bytes) -> str:
    return base64.b64encode(tiles).decode("ascii")


_T = TypeVar("_T")
_Text = Annotated[str, AnyText()]
_Named = Annotated[str, Long(1)]
_Whole = Annotated[int, Within(-(2**31), 2**31)]
_Tiles = Annotated[bytes, AsText("[A-Za-z0-9+/_=-]*", _tiles, _base64), Wanted("tiles as base64")]


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
class TheirPlayer:
    """A player there: ``user_id`` is how a turn names them."""

    nickname: _Text = ""
    real_name: _Text = ""
    user_id: _Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TheirBoard:
    """The tiles on the board, row by row; 0 for an empty square."""

    tiles: _Tiles = b""

    def __post_init__(self) -> None:
        if len(self.tiles) != _SQUARES:
            raise ValueError(f"15 by 15 squares are expected, not {len(self.tiles)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A game there. ``raw`` is all of it, to be sent back where the game is replaced."""

    uid: _Named
    players: tuple[TheirPlayer, TheirPlayer]
    events: tuple[TheirEvent, ...] = ()
    racks: tuple[_Tiles, _Tiles]
    board: TheirBoard
    player_on_turn: PlayerNumber = 0
    play_state: _Text = ""
    letter_distribution: _Text = ""
    challenge_rule: _Text = ""
    raw: Json = field(default_factory=dict)

    @property
    def rule(self) -> str:
        """One of ``CHALLENGE_RULES``."""
        return self.challenge_rule.removeprefix(_RULE)

    @property
    def is_over(self) -> bool:
        """Whether it takes no more turns."""
        return self.play_state == GAME_OVER


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
        "players": [_PLAYER.write(player) for player in players],
    }
    return Call(GAMES, "PatchGameDocument", {"document": patch})


def replace_document(raw: Json) -> Call:
    """The whole game as given; they check nothing of it."""
    return Call(GAMES, "ReplaceGameDocument", {"document": raw})


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastGame:
    """A table of a round in their feed; ``game_uuid`` is empty while nobody has claimed it."""

    round: _Whole = 0
    table_number: _Whole = 0
    player1_name: _Text = ""
    player2_name: _Text = ""
    division: _Text = ""
    game_uuid: _Text = ""
    annotator_username: _Text = ""

    @property
    def players(self) -> tuple[str, str]:
        """As their feed writes them."""
        return self.player1_name, self.player2_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """What a broadcast plays by; ``challenge_rule`` is the number of one of ``CHALLENGE_RULES``.

    ``poll_start_time`` and ``poll_end_time`` are when the feed is read, as they write it; empty for
    always.
    """

    slug: _Text = ""
    name: _Text = ""
    broadcast_url: _Text = ""
    lexicon: _Text = ""
    letter_distribution: _Text = ""
    challenge_rule: Annotated[int, Within(0, len(CHALLENGE_RULES) - 1)] = 0
    active: bool = False
    description: _Text = ""
    poll_interval_seconds: _Whole = 60
    poll_start_time: _Text = ""
    poll_end_time: _Text = ""

    @property
    def rule(self) -> str:
        """One of ``CHALLENGE_RULES``."""
        return CHALLENGE_RULES[self.challenge_rule]


def get_broadcast(slug: str) -> Call:
    """A broadcast with its standings and people."""
    return Call(BROADCASTS, "GetBroadcast", {"slug": slug}, writes=False)


def broadcast_games(slug: str, round_: int, division: str) -> Call:
    """The tables of a round."""
    body = {"slug": slug, "round": round_, "division": division}
    return Call(BROADCASTS, "GetBroadcastGames", body, writes=False)


def my_claimed_games(slug: str, limit: int) -> Call:
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
    return Call(BROADCASTS, "UpdateBroadcast", _broadcast(wanted))


def _broadcast(wanted: Broadcast) -> Json:
    fixed = {"broadcast_url_format": "tsh_newt_json", "board_layout": _BOARD_LAYOUT}
    return {**_BROADCAST.write(wanted), **fixed}


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


class _Answer(Codec[_T]):
    """An answer, or an object in one."""

    error: ClassVar[type[ShapeError]] = ShapeError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    """An event as a document has it; ``type`` and ``direction`` may be numbers."""

    type: _Text | _Whole = PLAY
    player_index: PlayerNumber = 0
    row: _Whole = 0
    column: _Whole = 0
    direction: _Text | _Whole = _ACROSS
    position: _Text = ""
    played_tiles: _Tiles = b""
    exchanged: _Tiles = b""
    rack: _Tiles = b""
    score: _Whole = 0
    bonus: _Whole = 0
    end_rack_points: _Whole = 0
    lost_score: _Whole = 0
    words_formed: tuple[Any, ...] = ()


def _their_event(said: _Event) -> TheirEvent:
    kind = _KINDS.get(said.type)
    if kind is None:
        raise ValueError(f"type {said.type!r} is no event that is known")
    return TheirEvent(
        kind=kind,
        player=said.player_index,
        row=said.row,
        column=said.column,
        across=said.direction in (_ACROSS, 0),
        position=said.position,
        tiles=said.exchanged if kind == EXCHANGE else said.played_tiles,
        rack=said.rack,
        points=said.score + said.bonus + said.end_rack_points - said.lost_score,
        words=len(said.words_formed),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    game_id: _Named


@dataclass(frozen=True, slots=True, kw_only=True)
class _Games:
    games: tuple[_Game, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Feed:
    games: tuple[BroadcastGame, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    broadcast: Broadcast


_GAME: _Answer[_Game] = _Answer(_Game, "their answer")
_GAMES: _Answer[_Games] = _Answer(_Games, "their answer")
_FEED: _Answer[_Feed] = _Answer(_Feed, "their answer")
_FOUND: _Answer[_Found] = _Answer(_Found, "their answer")
_BROADCAST: _Answer[Broadcast] = _Answer(
    Broadcast, spared=["active", "poll_start_time", "poll_end_time"]
)
_PLAYER: _Answer[TheirPlayer] = _Answer(TheirPlayer)
_EVENT: _Answer[TheirEvent] = _Answer(_Event, "an event there", made=_their_event)
_DOCUMENT: _Answer[Document] = _Answer(Document, "the game there", types={TheirEvent: _EVENT})


def read_game_id(answer: object) -> str:
    """The name of a game that was made or claimed."""
    return _GAME.read(answer).game_id


def read_game_ids(answer: object) -> tuple[str, ...]:
    """The names of a list of games."""
    return tuple(game.game_id for game in _GAMES.read(answer).games)


def read_broadcast_games(answer: object) -> tuple[BroadcastGame, ...]:
    """The tables of a round, or those that were claimed."""
    return _FEED.read(answer).games


def read_broadcast(answer: object) -> Broadcast:
    """A broadcast."""
    return _FOUND.read(answer).broadcast


def read_document(answer: Any) -> Document:
    """A game. ShapeError names the field that is not as expected."""
    return replace(_DOCUMENT.read(answer), raw=answer)


def read_event(said: Json) -> TheirEvent:
    """An event of a document."""
    return _EVENT.read(said)


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
