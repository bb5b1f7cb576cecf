"""The public frame as single texts, for text sources and integrators. Pure.

Every field is a string, empty where there is nothing to say. Names follow those that streamers of
word games know from elsewhere, where these fit: ``p1`` is the player who moved first.
"""

from collections.abc import Mapping
from typing import Any

from dashboard.overlays.sentences import line_sentence, outcome_sentence
from recorder.domain.board import Board
from recorder.domain.rules.ending.overtime import over_s, points_lost
from recorder.domain.tile_text import label_text, plain_text, read_tiles
from recorder.domain.tiles import BLANK, EMPTY, unnamed
from recorder.texts import apart, load_catalogue, signed

MINUS = "\N{MINUS SIGN}"
_DASH = "\N{EN DASH}"
_PLAIN = {"exchange": "exchange", "pass": "pass", "no_play": "no tiles played"}
_TENTHS_BELOW_MS = 10_000
_LONGEST_SCORE = 4

FIELDS = (
    "p1_name", "p2_name", "combined_names", "p1_score", "p2_score", "score", "spread", "leader",
    "p1_clock", "p2_clock", "p1_overtime", "p2_overtime", "on_turn", "turn", "phase", "table",
    "last_play", "last_word", "last_position", "last_score", "last_player", "words",
    "blank1", "blank2", "unseen_tiles", "unseen_count", "bag_count", "vowels", "consonants",
    "call", "banner", "event", "tournament", "division", "round",
    "caption", "chat_score", "chat_bag", "chat_lastplay",
    "p1_record", "p2_record", "p1_spread", "p2_spread", "p1_place", "p2_place",
    "p1_rating", "p2_rating",
)  # fmt: skip
"""The names of all fields."""


def fields_of(frame: Mapping[str, Any] | None, now: int) -> dict[str, str]:
    """All fields of a frame; ``now`` is the channel's time in milliseconds, for the clocks."""
    if frame is None:
        return dict.fromkeys(FIELDS, "")
    texts = {
        **_players(frame),
        **_clocks(frame, now),
        **_last_play(frame),
        **_tiles(frame),
        **_event(frame),
        "turn": str(frame["turns"]),
        "phase": frame["phase"],
        "table": str(frame["table"]),
        "banner": frame.get("banner") or "",
        "call": _call(frame, now),
    }
    texts |= _sentences(frame, texts)
    return {name: texts.get(name, "") for name in FIELDS}


def clock_text(ms: int) -> str:
    """12:34, tenths under ten seconds, overtime as \u22120:37; the same as on the overlay."""
    if 0 <= ms < _TENTHS_BELOW_MS:
        return f"0:0{ms // 100 / 10:.1f}"
    minutes, seconds = divmod(abs(ms) // 1000, 60)
    if ms < 0:
        return f"{MINUS}{minutes}:{seconds:02d}" if minutes or seconds else "0:00"
    return f"{minutes:02d}:{seconds:02d}"


def remaining_ms(frame: Mapping[str, Any], player: int, now: int) -> int:
    """What a player's clock shows at a time."""
    clock = frame["clock"]
    left = int(clock["remaining_ms"][player])
    return left - max(0, now - int(clock["at"])) if clock["running"] == player else left


def _players(frame: Mapping[str, Any]) -> dict[str, str]:
    (first, second) = frame["players"]
    gap = int(first["score"]) - int(second["score"])
    ahead, result = "" if gap == 0 else (first if gap > 0 else second)["name"], frame["result"]
    on_turn = [player["name"] for player in frame["players"] if player["on_turn"]]
    scores = [str(player["score"]).replace("-", MINUS) for player in (first, second)]
    return {
        "p1_name": first["name"],
        "p2_name": second["name"],
        "combined_names": f"{first['name']} {_DASH} {second['name']}",
        "p1_score": scores[0],
        "p2_score": scores[1],
        # Padded with figure spaces, so that the dash of a centred text never moves.
        "score": f"{scores[0]:\N{FIGURE SPACE}>{_LONGEST_SCORE}} {_DASH}"
        f" {scores[1]:\N{FIGURE SPACE}<{_LONGEST_SCORE}}",
        "spread": signed(gap),
        "leader": frame["players"][1 - result["loser"]]["name"] if result else ahead,
        "on_turn": on_turn[0] if on_turn else "",
    }


def _clocks(frame: Mapping[str, Any], now: int) -> dict[str, str]:
    texts: dict[str, str] = {}
    if frame["clock"] is None:
        return texts
    prices = frame["clock"]["overtime"] or ()
    for player in (0, 1):
        ms = remaining_ms(frame, player, now)
        points = points_lost(prices, over_s(ms))
        texts[f"p{player + 1}_clock"] = clock_text(ms)
        texts[f"p{player + 1}_overtime"] = f"{MINUS}{points}" if points else ""
    return texts


def _last_play(frame: Mapping[str, Any]) -> dict[str, str]:
    play = frame["last_play"]
    if play is None:
        return {}
    name = frame["players"][play["player"]]["name"]
    plain = _PLAIN.get(play["kind"])
    texts = {"last_player": name, "words": ", ".join(_plain(word) for word in play["words"])}
    if plain is not None:
        count = f" {play['count']}" if play["count"] else ""
        return {**texts, "last_play": f"{name}: {plain}{count}", "last_word": plain}
    gone = " withdrawn" if play["kind"] == "withdraw" else ""
    laid = _through(play)
    bonus = f" challenged {signed(play['bonus'])}" if play["bonus"] else ""
    points = signed(play["score"])
    return {
        **texts,
        "last_word": _plain(play["words"][0]) if play["words"] else "",
        "last_position": play["position"],
        "last_score": points,
        "last_play": f"{name}: {play['position']} {laid}{gone} {points}{bonus} ({play['total']})",
    }


def _plain(word: str) -> str:
    return plain_text(read_tiles(word))


def _through(play: Mapping[str, Any]) -> str:
    """The word with the tiles that lay there already in brackets: Z(E)PHYR."""
    word = play["words"][0] if play["words"] else play["word"]
    text = ""
    for tile, laid in zip(read_tiles(word), read_tiles(play["word"]), strict=False):
        text += f"({label_text(tile)})" if laid is EMPTY else label_text(tile)
    return text.replace(")(", "")


def _tiles(frame: Mapping[str, Any]) -> dict[str, str]:
    unseen, values = frame["unseen"], frame["tile_set"]["values"]
    counts = unseen["tiles"]
    board = Board.from_rows(frame["board"])
    blanks = [label_text(unnamed(tile)) for tile in board.cells if tile.is_blank]
    vowels, consonants = unseen["vowels"], unseen["consonants"]
    return {
        "blank1": blanks[0] if blanks else "",
        "blank2": blanks[1] if len(blanks) > 1 else "",
        "unseen_tiles": " ".join(
            letter * counts[letter] for letter in (*values, BLANK.text) if counts.get(letter, 0) > 0
        ),
        "unseen_count": f"{unseen['count']} unseen, {vowels} vowels, {consonants} consonants",
        "bag_count": str(unseen["bag"]),
        "vowels": str(vowels),
        "consonants": str(consonants),
    }


def _event(frame: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, card in enumerate(frame.get("cards") or (), 1):
        card = card or {}  # noqa: PLW2901  a player whom the file does not know
        place, rating, spread = card.get("place"), card.get("rating"), card.get("spread")
        texts |= {
            f"p{number}_record": record_text(card),
            f"p{number}_place": "" if place is None else str(place),
            f"p{number}_rating": "" if rating is None else str(rating),
            f"p{number}_spread": "" if spread is None else signed(spread),
        }
    event = frame.get("event") or {}
    title = event.get("title", "")
    about = {name: event.get(name, "") for name in ("division", "round")}
    return {**texts, "event": title, "tournament": title, **about}


def record_text(card: Mapping[str, Any]) -> str:
    """Wins and losses, with draws where there are any: 3-1, 3-1-1."""
    if card.get("wins") is None or card.get("losses") is None:
        return ""
    draws = f"{_DASH}{card['draws']}" if card.get("draws") else ""
    return f"{card['wins']}{_DASH}{card['losses']}{draws}"


def _sentences(frame: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, str]:
    """What a caption says, and a bot in a chat; in the program's language."""
    catalogue, players = load_catalogue(), frame["players"]
    names = [player["name"] for player in players]
    scores = [player["score"] for player in players]
    play = frame["last_play"]
    last = line_sentence(play, names, catalogue) if play else ""
    over = frame["phase"] == "over"
    end = outcome_sentence(names, scores, frame["result"], catalogue) if over else ""
    first, second = map(apart, names)
    score = f"{first} {texts['p1_score']} {_DASH} {texts['p2_score']} {second}"
    round_, table = texts["round"], catalogue.text("screen", "table", number=frame["table"])
    unseen = frame["unseen"]
    counts = {name: unseen[name] for name in ("count", "vowels", "consonants", "blanks")}
    bag = f"{catalogue.text('screen', 'bag')}: {texts['bag_count']}"
    said = f"{bag}. {catalogue.text('screen', 'unseen', **counts)}: {texts['unseen_tiles']}"
    return {
        "caption": end or last,
        "chat_score": " \N{MIDDLE DOT} ".join(filter(None, (score, end, round_, table))),
        "chat_bag": said,
        "chat_lastplay": f"{last} {score}" if last else "",
    }


def _call(frame: Mapping[str, Any], now: int) -> str:
    call = frame.get("call")
    if not call:
        return ""
    name = frame["players"][call["player"]]["name"]
    kind = call["kind"].replace("_", "-")
    if call["ends"] is None:
        return f"{kind} by {name}"
    left_s = max(0, -(-(call["ends"] - now) // 1000))
    return f"{kind} by {name}, {left_s // 60}:{left_s % 60:02d}"
