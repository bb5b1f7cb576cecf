"""What a director has seen and no sensor noticed: an order that begins a procedure, as a notice.

A finder need not know who noticed something. What the order does not say is read off the record:
the turn is the newest that it can be about, the player the one who made it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from recorder.domain.board import name_across
from recorder.domain.game import Exchanged, Laid
from recorder.domain.notices import Manner, Notice, PlainValue, Release, Routing, TableNotice, Why
from recorder.domain.orders import BeginProcedure
from recorder.domain.procedures.moments import Moment
from recorder.domain.rulings.procedures import ProcedureRun
from recorder.domain.tiles import BLANK
from recorder.domain.turns import Press

BEGUN_ROUTING = Routing(
    director=Manner.SHOW,
    players=False,
    commentator=Release.NEVER,
    public=Release.NEVER,
    rule="INT-2",
    why=Why.REPORTED_TO_DIRECTOR,
)
NAMED = {
    "accidental_press": Notice.ACCIDENTAL_PRESS,
    "blank_unnamed": Notice.BLANK_UNNAMED,
    "exchange_number": Notice.EXCHANGE_NUMBER,
    "foreign_tile": Notice.FOREIGN_TILE,
    "illegal_exchange": Notice.ILLEGAL_EXCHANGE,
    "illegal_placement": Notice.ILLEGAL_PLACEMENT,
    "improper_return": Notice.IMPROPER_RETURN,
    "left_in_bag": Notice.LEFT_IN_BAG,
    "loose_tile": Notice.LOOSE_TILE,
    "orientation": Notice.WRONG_WAY_ROUND,
    "slip_leftover": Notice.SLIP_LEFTOVER,
    "spill": Notice.SPILL,
    "tile_check": Notice.SET_INCOMPLETE,
    "wrong_removal": Notice.WRONG_REMOVAL,
}
"""The procedures that follow from a notice, by the code under which a director begins one."""
_NOT_NUMBERS = frozenset({"player", "turn", "square", "squares", "title"})


def named_notices(
    runs: Sequence[ProcedureRun],
    noticed: Sequence[TableNotice],
    moments: Sequence[Moment],
    press: Press | None,
) -> Iterator[TableNotice]:
    """What the open ones of the procedures that were begun are about, where nobody noticed it.

    ``press`` ended the newest turn.
    """
    for run in runs:
        code = NAMED.get(run.act.code)
        player = begun_about(run.act)
        if code is None or not run.is_open or _is_noticed(noticed, code, player):
            continue
        moment = _moment(run.act, moments, code)
        if player is None and moment is not None:
            player = moment.event.player
        elif player is None and code is Notice.ACCIDENTAL_PRESS and press is not None:
            player = press.player
        newest = 0 if press is None else press.seq
        turn = newest if moment is None else moment.group.ref
        yield TableNotice(
            ref=turn,
            refs=(turn, run.row - 1),
            code=code,
            player=player,
            squares=_squares(run.act, moment, code),
            numbers=_numbers(run.act.facts, moment),
            routing=BEGUN_ROUTING,
        )


def _is_noticed(noticed: Sequence[TableNotice], code: Notice, player: int | None) -> bool:
    same = [notice for notice in noticed if notice.code is code]
    return any(player is None or notice.player in (None, player) for notice in same)


def begun_about(act: BeginProcedure) -> int | None:
    """The player that a director has named."""
    said = act.facts.get("player")
    return said if isinstance(said, int) and said in (0, 1) else None


def _lays(moment: Moment) -> bool:
    return isinstance(moment.event, Laid)


def _exchanges(moment: Moment) -> bool:
    return isinstance(moment.event, Exchanged)


def _lays_blank(moment: Moment) -> bool:
    return isinstance(moment.event, Laid) and BLANK in moment.event.laid.values()


_ABOUT: Mapping[Notice, Callable[[Moment], bool]] = {
    Notice.BLANK_UNNAMED: _lays_blank,
    Notice.EXCHANGE_NUMBER: _exchanges,
    Notice.FOREIGN_TILE: _lays,
    Notice.ILLEGAL_EXCHANGE: _exchanges,
    Notice.ILLEGAL_PLACEMENT: _lays,
    Notice.WRONG_WAY_ROUND: _lays,
}
"""What kind of event a notice is about; others are about whatever the newest turn was."""


def _moment(act: BeginProcedure, moments: Sequence[Moment], code: Notice) -> Moment | None:
    """The event that it is about: of the turn that was named, else the newest that it can be."""
    fits, player = _ABOUT.get(code), begun_about(act)
    if fits is None:
        return None
    found = [moment for moment in moments if fits(moment)]
    of_turn = [moment for moment in found if moment.group.ref == act.facts.get("turn")]
    own = [moment for moment in found if player in (None, moment.event.player)]
    if of_turn or not own:
        return next(iter(of_turn), None)
    return own[0] if code is Notice.WRONG_WAY_ROUND else own[-1]


def _squares(act: BeginProcedure, moment: Moment | None, code: Notice) -> tuple[str, ...]:
    said = act.facts.get("squares", act.facts.get("square", ""))
    if said:
        return tuple(str(said).upper().split())
    if code is Notice.BLANK_UNNAMED and moment is not None and isinstance(moment.event, Laid):
        blanks = (square for square, tile in moment.event.laid.items() if tile == BLANK)
        return tuple(map(name_across, blanks))
    return ()


def _numbers(said: Mapping[str, PlainValue], moment: Moment | None) -> dict[str, PlainValue]:
    """The values of the notice: those that were said, the exchange's own, else a single tile."""
    of_event: dict[str, PlainValue] = {}
    if moment is not None and isinstance(moment.event, Exchanged):
        of_event = {"tiles": moment.event.count, "bag": moment.bag}
    stated = {name: value for name, value in said.items() if name not in _NOT_NUMBERS}
    return {"tiles": 1, **of_event, **stated}
