"""What a director begins because nothing noticed it: what to say with it that the record lacks.

The procedure itself is worked out by the recorder, from the rows; see
``recorder.domain.procedures.named``. Here is only what nobody but the director can know.
"""

from collections.abc import Callable, Mapping

from dashboard.incidents.facts import Situation
from dashboard.incidents.plan import OTHER
from recorder.domain.board import Square, name_across
from recorder.domain.game import Exchanged, IllegallyPlayed, Laid
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import PlainValue
from recorder.domain.rules.core.parameters import NASPA, WESPA, listed
from recorder.domain.rules.draw.overdraw import FoundBy
from recorder.domain.tiles import BLANK
from recorder.frames.desk import Incident, IncidentField
from recorder.texts import load_catalogue
from recorder.texts.forms import form

Fields = Callable[[Situation], list[IncidentField]]


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


def known(name: str, label: str) -> IncidentField:
    """A field for yes, no, and that nobody knows."""
    options = [["no", form("no")], ["yes", form("yes")], ["unknown", form("nobody_knows")]]
    return choice(name, label, options, "unknown")


def who(label: str, value: int) -> IncidentField:
    """A field for one of the two players."""
    players = [[str(player), form("player", number=player + 1)] for player in (0, 1)]
    return {**choice("player", label, players, str(value)), "player": True}


def _tiles(now: Situation, label: str, value: int = 1) -> list[IncidentField]:
    """How many tiles, where no scale is below the bag."""
    return [] if now.is_weighed else [number("tiles", form(label), value)]


def _plays(now: Situation) -> list[tuple[int, Laid]]:
    """The plays of the record with their turns, the newest first."""
    return [(held.group, held.event) for held in reversed(now.held) if isinstance(held.event, Laid)]


def _which_play(now: Situation) -> list[IncidentField]:
    """Which play it is about, where there are several; the newest stands first."""
    plays = _plays(now)
    options = [[str(group), f"{now.name(play.player)}: {written(play)}"] for group, play in plays]
    return [choice("turn", form("which_play"), options, options[0][0])] if len(plays) > 1 else []


def written(play: Laid) -> str:
    """A play, or the tiles of a laying against the rules, in a few characters."""
    if isinstance(play, IllegallyPlayed):
        return " ".join(f"{name_across(sq)}={tile}" for sq, tile in play.tiles)
    return str(getattr(play, "placement", ""))


def _placement(now: Situation) -> list[IncidentField]:
    plays = _plays(now)
    if not plays or isinstance(plays[0][1], IllegallyPlayed):
        return _which_play(now)
    texts = load_catalogue()
    faults = [[fault.value, texts.text("fault", fault.value)] for fault in LayingFault]
    asked = choice("fault", form("what_is_wrong_with_it"), [["", form("as_it_lies")], *faults], "")
    return [*_which_play(now), asked]


def _overdraw(now: Situation) -> list[IncidentField]:
    texts = load_catalogue()
    ways = [way.name.lower() for way in FoundBy]
    found = [[way, texts.text("found_by", way)] for way in ways]
    counted = now.rack_count(now.about_player) is not None
    return [
        who(form("who_drawn_too_many"), now.about_player),
        *([] if counted else [number("tiles", form("tiles_too_many_sensors"), 1)]),
        choice("found_by", form("who_spoke_first"), found, ways[0]),
        *([] if counted else [known("mixed", form("new_tiles_with_old"))]),
        check("concealed", form("overdrawer_knew_hid")),
        *([number("turned_up", form("tiles_opponent_turned_up"))] if now.standing else []),
    ]


def _underdraw(now: Situation) -> list[IncidentField]:
    counted = now.rack_count(now.about_player) is not None
    short = [] if counted else [number("tiles", form("tiles_too_few"), 1)]
    return [who(form("who_drawn_too_few"), now.about_player), *short]


def _dispute(now: Situation) -> list[IncidentField]:
    cells = now.state.board.cells
    blanks = [name_across(Square(sq)) for sq, tile in enumerate(cells) if tile == BLANK]
    which = [[square, square] for square in blanks]
    return [
        *([choice("square", form("which_blank"), which, blanks[-1])] if len(blanks) > 1 else []),
        words("owner", form("letter_that_its_player_says")),
        words("opponent", form("letter_that_opponent_says")),
    ]


def _slip(now: Situation) -> list[IncidentField]:
    scores = " ".join(map(str, now.state.scores))
    return [
        words("written", form("scores_slip"), scores),
        words("agreed", form("scores_players_agreed"), scores),
        check("handed_in", form("handed_in"), value=True),
        check("both_agree", form("both_players_want_changed")),
        check("refusal_unfair", form("one_refuses_unfair")),
    ]


def _exchange(now: Situation) -> list[IncidentField]:
    counts = [held.event.count for held in now.held if isinstance(held.event, Exchanged)]
    return [number("tiles", form("tiles_laid_aside"), counts[-1] if counts else 1)]


def _removed(_: Situation) -> list[IncidentField]:
    return [words("squares", form("squares_wrongly_emptied"), hint=form("squares_example"))]


def _pressed(now: Situation) -> list[IncidentField]:
    return [] if now.is_weighed else [check("drawn", form("opponent_drawn_since"))]


def _overtime(now: Situation) -> list[IncidentField]:
    worse = now.player_or(0 if now.over_s(0) >= now.over_s(1) else 1)
    hint = form("empty_clock_shows")
    return [
        who(form("whose_clock"), worse),
        number("seconds", form("seconds_overtime_when_game_ended"), "", hint),
    ]


def _zeros(now: Situation) -> list[IncidentField]:
    is_claimed = now.rules.get("six_zero.mode") != "automatic"
    return [
        *([check("declared", form("player_claimed_end"))] if is_claimed else []),
        *(
            words(f"rack{player}", form("tiles_rack", name=now.name(player)))
            for player in (0, 1)
            if not now.rack_letters(player)
        ),
    ]


def _gives_up(now: Situation) -> list[IncidentField]:
    procedure = now.rules.get("resign.procedure")
    asked = {
        "emergency": ("emergency", procedure == WESPA),
        "permitted": ("director_permits_it", procedure == NASPA),
        "left": ("player_left_without_word", True),
    }
    return [
        who(form("who_gives_up"), now.player_or(1 - now.last_player)),
        *(check(name, form(label)) for name, (label, is_asked) in asked.items() if is_asked),
    ]


def _stop(now: Situation) -> list[IncidentField]:
    texts = load_catalogue()
    known = listed(now.rules, "clock.stop_reasons") or ()
    reasons = [[reason, texts.text("stop_reason", reason)] for reason in known]
    return [choice("reason", form("why"), [["", form("nobody_said")], *reasons], "")]


BEGUN: Mapping[str, Fields] = {
    "play_out": lambda now: [who(form("who_out"), now.about_player)],
    "six_zero": _zeros,
    "overtime": _overtime,
    "resignation": _gives_up,
    "no_show": lambda now: [who(form("who_never_came"), now.player_or(1 - now.last_player))],
    "clock_stopped": _stop,
    "clock_wrong_way": lambda _: [],
    "not_pressed": lambda _: [],
    "tile_moved": lambda _: [],
    "drawn_while_waiting": lambda now: [
        *([] if now.notice is not None else [who(form("who_drew"), 1 - now.last_player)]),
        *_tiles(now, "tiles_drawn"),
    ],
    "illegal_placement": _placement,
    "blank_unnamed": lambda _: [words("letter", form("letter_now_empty_not_known"))],
    "blank_dispute": _dispute,
    "overdraw": _overdraw,
    "underdraw": _underdraw,
    "out_of_order": lambda now: [who(form("who_drew_too_early"), 1 - now.last_player)],
    "spill": lambda now: [
        who(form("who_held_bag"), now.about_player),
        number("tiles", form("tiles_fell_out"), 1),
    ],
    "improper_return": lambda now: [
        who(form("who_put_them_back"), now.about_player),
        *_tiles(now, "tiles_put_into_bag"),
    ],
    "loose_tile": lambda _: [number("tiles", form("tiles_found"), 1)],
    "left_in_bag": lambda now: _tiles(now, "tiles_bag_now"),
    "foreign_tile": lambda now: [
        *_which_play(now),
        number("tiles", form("tiles_of_another_set"), 1),
    ],
    "tile_check": lambda _: [number("tiles", form("tiles_missing"), 1)],
    "illegal_exchange": lambda _: [],
    "exchange_number": _exchange,
    "challenge": lambda _: [
        words("words", form("words_on_slip_if_not_all")),
        check("moving", form("slip_under_way")),
        check("tile_found", form("tile_turned_up_at_play_out")),
    ],
    "courtesy": lambda now: [
        *_tiles(now, "tiles_drawn"),
        check("returned_unseen", form("went_back_unseen")),
    ],
    "wrong_verdict": lambda _: [],
    "wrong_removal": _removed,
    "accidental_press": _pressed,
    "orientation": lambda _: [],
    "leaving": lambda now: [
        who(form("who_leaves_table"), now.last_player),
        check("emergency", form("emergency")),
    ],
    "back": lambda now: [who(form("who_away"), now.last_player)],
    "drew_alone": lambda now: [who(form("who_stayed_drew"), 1 - now.last_player)],
    "infractions": lambda now: [who(form("whose_mistakes"), now.last_player)],
    "recount": lambda now: [who(form("who_asks"), 1 - now.last_player)],
    "result_slip": _slip,
}
"""What is asked for with each, by its code; nothing where the record has all of it."""


def begun_as_json(now: Situation) -> list[Incident]:
    """Every procedure that a director can begin, as forms are, with what is to be said of it.

    What was said already, or noticed, stands in its field.
    """
    texts = load_catalogue()
    return [
        {
            "name": code,
            "title": texts.text("procedure", code),
            "fields": [_with_known(now.known, field) for field in fields(now)],
        }
        for code, fields in BEGUN.items()
    ]


def _with_known(noticed: Mapping[str, PlainValue], field: IncidentField) -> IncidentField:
    if field["name"] not in noticed:
        return field
    value = noticed[field["name"]]
    if field["type"] == "check":
        return {**field, "value": value is True}
    said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return {**field, "value": said}


def other_as_json() -> Incident:
    """What no procedure is about, in words."""
    fields = [words("what", form("what_happened")), words("rule", form("rule"))]
    return {"name": OTHER, "title": load_catalogue().text("procedure", OTHER), "fields": fields}
