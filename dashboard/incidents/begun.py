"""What a director begins because nothing noticed it, with what is not in the record.

The procedures and the names of what can be said are ``WORKED_OUT``; the procedure itself is worked
out by the recorder, from the rows. Here each name becomes a field, where only the director knows.
"""

from collections.abc import Callable, Iterator, Mapping

from dashboard.incidents.facts import Situation
from recorder.domain.board import Square, name_across
from recorder.domain.game import Exchanged, IllegallyPlayed, Laid
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import PlainValue
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.domain.rules.core.parameters import NASPA, WESPA, listed
from recorder.domain.rules.draw.overdraw import FoundBy
from recorder.domain.tiles import BLANK
from recorder.frames.desk import Incident, IncidentField
from recorder.texts import load_catalogue
from recorder.texts.forms import form


def number(name: str, label: str, value: object = "", hint: str = "") -> IncidentField:
    """A field for a whole number."""
    return {"name": name, "label": label, "type": "number", "value": str(value), "hint": hint}


def choice(name: str, label: str, options: list[list[str]], value: str) -> IncidentField:
    """A field with a few answers."""
    return {"name": name, "label": label, "type": "select", "options": options, "value": value}


def check(name: str, label: str, *, value: bool = False) -> IncidentField:
    """A box to tick."""
    return {"name": name, "label": label, "type": "check", "value": value}


def words(name: str, label: str, value: str = "", hint: str = "") -> IncidentField:
    """A field for words or letters."""
    return {"name": name, "label": label, "type": "text", "value": value, "hint": hint}


def _who(now: Situation, label: str, code: str) -> IncidentField | None:
    """A field for one of the two players: whom it is about, else whom it is likely to be about."""
    if code == "drawn_while_waiting" and now.notice is not None:
        return None
    value = now.player_or(now.last_player)
    if code in _BY_OTHER:
        value = now.player_or(1 - now.last_player)
    if code == "overtime":
        value = now.player_or(0 if now.over_s(0) >= now.over_s(1) else 1)
    players = [[str(player), form("player", number=player + 1)] for player in (0, 1)]
    return {**choice("player", label, players, str(value)), "player": True}


_BY_OTHER = frozenset(
    {"drawn_while_waiting", "drew_alone", "no_show", "out_of_order", "recount", "resignation"}
)
"""What the player does, as a rule, who did not make the newest turn."""


def _tiles(now: Situation, label: str, code: str) -> IncidentField | None:
    """How many tiles, where no sensor has counted them."""
    if code in {"overdraw", "underdraw"} and now.rack_count(now.about_player) is not None:
        return None
    if code in _BAG_TELLS and now.is_weighed:
        return None
    counts = [held.event.count for held in now.held if isinstance(held.event, Exchanged)]
    laid = counts[-1] if counts and code == "exchange_number" else 1
    return number("tiles", label, laid)


_BAG_TELLS = frozenset({"courtesy", "drawn_while_waiting", "improper_return", "left_in_bag"})
"""What a scale below the bag sees."""


def _plays(now: Situation) -> list[tuple[int, Laid]]:
    """The plays of the record with their turns, the newest first."""
    return [(held.group, held.event) for held in reversed(now.held) if isinstance(held.event, Laid)]


def _which_play(now: Situation, label: str, _: str) -> IncidentField | None:
    """Which play it is about, where there are several; the newest stands first."""
    plays = _plays(now)
    options = [[str(group), f"{now.name(play.player)}: {written(play)}"] for group, play in plays]
    return choice("turn", label, options, options[0][0]) if len(plays) > 1 else None


def written(play: Laid) -> str:
    """A play, or the tiles of a laying against the rules, in a few characters."""
    if isinstance(play, IllegallyPlayed):
        return " ".join(f"{name_across(sq)}={tile}" for sq, tile in play.tiles)
    return str(getattr(play, "placement", ""))


def _fault(now: Situation, label: str, _: str) -> IncidentField | None:
    plays = _plays(now)
    if not plays or isinstance(plays[0][1], IllegallyPlayed):
        return None
    faults = _worded("fault", (fault.value for fault in LayingFault))
    return choice("fault", label, [["", form("as_it_lies")], *faults], "")


def _worded(section: str, codes: Iterator[str]) -> list[list[str]]:
    """Answers to choose from, each a code and its words."""
    texts = load_catalogue()
    return [[code, texts.text(section, code)] for code in codes]


def _found_by(_: Situation, label: str, __: str) -> IncidentField:
    ways = _worded("found_by", (way.name.lower() for way in FoundBy))
    return choice("found_by", label, ways, ways[0][0])


def _mixed(now: Situation, label: str, _: str) -> IncidentField | None:
    """Yes, no, and that nobody knows."""
    if now.rack_count(now.about_player) is not None:
        return None
    options = [["no", form("no")], ["yes", form("yes")], ["unknown", form("nobody_knows")]]
    return choice("mixed", label, options, "unknown")


def _turned_up(now: Situation, label: str, _: str) -> IncidentField | None:
    return number("turned_up", label) if now.standing else None


def _square(now: Situation, label: str, _: str) -> IncidentField | None:
    cells = now.state.board.cells
    blanks = [name_across(Square(sq)) for sq, tile in enumerate(cells) if tile == BLANK]
    which = [[square, square] for square in blanks]
    return choice("square", label, which, blanks[-1]) if len(blanks) > 1 else None


def _drawn(now: Situation, label: str, _: str) -> IncidentField | None:
    return None if now.is_weighed else check("drawn", label)


def _declared(now: Situation, label: str, _: str) -> IncidentField | None:
    return None if now.rules.get("six_zero.mode") == "automatic" else check("declared", label)


def _emergency(now: Situation, label: str, code: str) -> IncidentField | None:
    is_asked = code == "leaving" or now.rules.get("resign.procedure") == WESPA
    return check("emergency", label) if is_asked else None


def _permitted(now: Situation, label: str, _: str) -> IncidentField | None:
    is_asked = now.rules.get("resign.procedure") == NASPA
    return check("permitted", label) if is_asked else None


def _reason(now: Situation, label: str, _: str) -> IncidentField:
    reasons = _worded("stop_reason", iter(listed(now.rules, "clock.stop_reasons")))
    return choice("reason", label, [["", form("nobody_said")], *reasons], "")


def _scores(name: str) -> "Begin":
    return lambda now, label, _: words(name, label, " ".join(map(str, now.state.scores)))


def _rack(player: int) -> "Begin":
    """The tiles on a rack, where no camera is sure of them."""

    def field(now: Situation, label: str, _: str) -> IncidentField | None:
        name = f"rack{player}"
        return None if now.rack_letters(player) else words(name, f"{now.name(player)}: {label}")

    return field


Begin = Callable[[Situation, str, str], IncidentField | None]
"""Makes a field of a situation, its label and the procedure; None where the record knows it."""
_MAKERS: Mapping[str, Begin] = {
    "agreed": _scores("agreed"),
    "declared": _declared,
    "drawn": _drawn,
    "emergency": _emergency,
    "fault": _fault,
    "found_by": _found_by,
    "handed_in": lambda _, label, __: check("handed_in", label, value=True),
    "letter": lambda _, label, __: words("letter", label),
    "mixed": _mixed,
    "opponent": lambda _, label, __: words("opponent", label),
    "owner": lambda _, label, __: words("owner", label),
    "permitted": _permitted,
    "player": _who,
    "rack0": _rack(0),
    "rack1": _rack(1),
    "reason": _reason,
    "seconds": lambda _, label, __: number("seconds", label, "", form("empty_clock_shows")),
    "square": _square,
    "squares": lambda _, label, __: words("squares", label, hint=form("squares_example")),
    "tiles": _tiles,
    "turn": _which_play,
    "turned_up": _turned_up,
    "words": lambda _, label, __: words("words", label),
    "written": _scores("written"),
}
"""How each is asked that is more than a box to tick."""


def _fields(now: Situation, code: str) -> Iterator[IncidentField]:
    labels = load_catalogue().as_json()["asked"]
    for name in WORKED_OUT[code]:
        label = labels.get(f"{code}_{name}") or labels[name.rstrip("01")]
        make = _MAKERS.get(name)
        field = check(name, label) if make is None else make(now, label, code)
        if field is not None:
            yield field


def begun_as_json(now: Situation) -> list[Incident]:
    """Every procedure that a director can begin, as forms are, with what is to be said of it.

    What was said already, or noticed, stands in its field.
    """
    texts = load_catalogue()
    return [
        {
            "name": code,
            "title": texts.text("procedure", code),
            "fields": [_with_known(now.known, field) for field in _fields(now, code)],
        }
        for code in WORKED_OUT
    ]


def _with_known(noticed: Mapping[str, PlainValue], field: IncidentField) -> IncidentField:
    if field["name"] not in noticed:
        return field
    value = noticed[field["name"]]
    if field["type"] == "check":
        return {**field, "value": value is True}
    said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return {**field, "value": said}


OTHER = "other"


def other_as_json() -> Incident:
    """What no procedure is about, in words: its page says how that ends."""
    fields = [words("what", form("what_happened")), words("rule", form("rule"))]
    return {"name": OTHER, "title": load_catalogue().text("procedure", OTHER), "fields": fields}
