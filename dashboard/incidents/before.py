"""Incidents before the first play: the tiles, who starts, the first clock."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, acts_of, check, known, who, words
from recorder.domain.errors import NotationError
from recorder.domain.notices import coded
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.foreign import surplus_letters
from recorder.domain.rules.start.starting import (
    UNREADABLE,
    FirstClock,
    check_tiles,
    draw_for_start,
    first_clock,
    second_drew_first,
    set_up,
    unclocked_ms,
)
from recorder.domain.tile_text import label_text, read_tiles, typed_rack
from recorder.domain.tiles import Tiles, TileSet
from recorder.frames.desk import IncidentField
from recorder.texts.forms import form

_CLOCK_MS = 10_000
"""An instant for the start of the clock; acts that came before it lie a second earlier."""


def _set_up(now: Situation, _: Answers) -> IncidentPlan:
    return IncidentPlan(procedure=set_up(now.rules), player=0)


def _tiles_fields(_: Situation) -> list[IncidentField]:
    hint = form("word_each_full_square_blank")
    return [words("blocks", form("tiles_they_lie"), hint=hint)]


def _seen(block: str, tile_set: TileSet) -> Tiles:
    """The faces of a block as somebody typed them, ``_`` for one that nobody saw."""
    parts = block.upper().split(UNREADABLE.label)
    tiles = [read_tiles(part, tile_set) for part in parts]
    return tuple(
        tile for at, part in enumerate(tiles) for tile in ((UNREADABLE,) if at else ()) + part
    )


def _tiles(now: Situation, answers: Answers) -> IncidentPlan:
    state = now.state
    blocks = [_seen(block, state.tile_set) for block in answers.text("blocks").split()]
    found = check_tiles(now.rules, blocks, state.tile_set, started=bool(now.held))
    racks = [read_tiles(letters) for letters in map(now.rack_letters, (0, 1))]
    seen = surplus_letters(state.tile_set, state.board.cells, racks)
    numbers: list[tuple[str, object]] = [(form("tiles"), found.total)]
    numbers += [(form("missing", face=label_text(face)), count) for face, count in found.missing]
    numbers += [(form("too_many", face=label_text(face)), count) for face, count in found.surplus]
    numbers += [
        (form("table_too_many", face=label_text(face)), count) for face, count in seen.items()
    ]
    numbers += [
        (form("game_may_begin"), form("yes") if found.armed else form("no")),
        (form("found"), found.text),
    ]
    gate = () if found.armed or found.by_rule else (coded("you_may_let_game_begin"),)
    return IncidentPlan(
        procedure=Procedure("EQUIP-1", coded("tiles_are_checked"), open_questions=gate),
        numbers=tuple(numbers),
    )


def _start_draw(now: Situation, answers: Answers) -> IncidentPlan:
    tile_set = now.state.tile_set
    first, second = (
        [typed_rack(tile, tile_set) or () for tile in answers.text(name).split()]
        for name in ("first", "second")
    )
    if not first or len(first) != len(second):
        raise NotationError("second: a tile for each that the first player drew is needed")
    if any(len(tiles) != 1 for tiles in (*first, *second)):
        raise NotationError("first, second: one tile of the set each, ? for a blank")
    drawn = [(own[0], other[0]) for own, other in zip(first, second, strict=True)]
    found = draw_for_start(now.rules, drawn, now.state.tile_set)
    starts = form("both_draw_again") if found.player is None else now.name(found.player)
    back = "either" if found.returned_by is None else now.name(found.returned_by)
    return IncidentPlan(
        procedure=Procedure("START-1", coded("drawn_start"), open_questions=found.open_questions),
        numbers=(
            (form("starts"), starts),
            (form("tiles_out"), found.tiles_out),
            (form("puts_them_back"), back),
        ),
    )


def _first_clock_fields(now: Situation) -> list[IncidentField]:
    return [
        who(form("who_goes_first"), 0 if not now.held else now.held[0].event.player),
        known("drawn", form("first_tile_out_before_clock")),
        known("seen", form("had_its_face_been_seen")),
        check("own", form("starters_own_clock_started"), value=True),
        check("second", form("second_player_drew_first")),
    ]


def _first_clock(now: Situation, answers: Answers) -> IncidentPlan:
    facts = FirstClock(
        clock_started_ms=_CLOCK_MS,
        first_tile_out_ms=_before_clock(answers.known("drawn")),
        face_seen_ms=_before_clock(answers.known("seen")),
        own_side=answers.yes("own"),
        starter=answers.player(),
    )
    procedure = first_clock(now.rules, facts)
    numbers: list[tuple[str, object]] = []
    if unclocked_ms(facts):
        numbers.append((form("without_clock"), form("from_first_tile_until_ran")))
    if answers.yes("second"):
        out_of_turn = second_drew_first(now.rules, starter_drew=answers.known("drawn") is True)
        numbers.append((form("found"), out_of_turn.text))
    return IncidentPlan(
        procedure=procedure,
        player=answers.player(),
        numbers=tuple(numbers),
        acts=acts_of(now, procedure.events),
    )


def _before_clock(was: bool | None) -> int | None:  # noqa: FBT001  an answer, not a switch
    if was is None:
        return None
    return _CLOCK_MS - 1000 if was else _CLOCK_MS + 1000


BEFORE_INCIDENTS = (
    Incident(name="set_up", fields=lambda _: [], plan=_set_up),
    Incident(name="tiles_checked", fields=_tiles_fields, plan=_tiles),
    Incident(
        name="start_draw",
        fields=lambda _: [
            words("first", form("tiles_first_player_one_each")),
            words("second", form("tiles_second_player")),
        ],
        plan=_start_draw,
    ),
    Incident(name="first_clock", fields=_first_clock_fields, plan=_first_clock),
)
