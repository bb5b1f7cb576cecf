"""The courtesy draw during a hold: from when, on what terms, and what becomes of the tiles.

Instants are milliseconds. In the steps the player is the mover, who drew; the opponent held.
"""

from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, ask_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
    into_bag,
)

_NOT_SHOWN_EXTRA = 2
"""NASPA: the tiles looked at beside those not shown."""


def courtesy_from_ms(rules: Rules, *, press_ms: int, hold_ms: int) -> int | None:
    """From when the mover may draw during a hold (HOLD-4); None where the rule set has no delay."""
    delay = rules.get_whole("hold.courtesy_draw_after_s")
    reference = str(rules.get("hold.courtesy_from"))
    since = {"press": press_ms, "hold_call": hold_ms, "after_hold_call": hold_ms + 1}
    return None if delay is None or reference not in since else since[reference] + 1000 * delay


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtesyTiles:
    """Tiles of a courtesy draw when the challenge is decided, or the play accepted.

    ``mixed``: one of them touched the rack. ``on_rack``: tiles on the rack now, mixed or not.
    ``returned_unseen``: they went back into the bag before the opponent had seen them. ``bag``:
    tiles in the bag now.
    """

    count: int
    on_rack: int = 0
    mixed: bool = False
    returned_unseen: bool = False
    bag: int = 0


def after_decision(rules: Rules, tiles: CourtesyTiles) -> Procedure:
    """What becomes of courtesy tiles (HOLD-5).

    A play that stands makes them the ordinary draw. After one that is removed they go back to the
    bag, shown or not, as the rule set has it; mixed ones are an overdraw that the opponent
    noticed, with the whole rack shown.
    """
    title = coded("courtesy_tiles")
    if tiles.mixed:
        return _mixed(rules, tiles)
    match rules.get("hold.procedure"):
        case "wespa":
            act = coded("put_courtesy_tiles_back_unseen")
            return Procedure("HOLD-5", title, steps=(_back("return_unseen", act, tiles.count),))
        case "naspa" if tiles.returned_unseen:
            return _not_shown(tiles)
        case "naspa":
            steps = (
                PLAYER("show_tiles", "show_courtesy_tiles_opponent", "HOLD-5", tiles=tiles.count),
                _back("return_tiles", coded("put_tiles_back_into_bag"), tiles.count),
            )
            return Procedure("HOLD-5", title, steps=steps)
        case _:
            return Procedure("HOLD-5", title).asking(*ask(rules, "hold.procedure"))


def _back(code: str, act: CodedText, count: int) -> Step:
    return into_bag(PLAYER, act, count, "HOLD-5", code=code)


def _not_shown(tiles: CourtesyTiles) -> Procedure:
    title = coded("courtesy_tiles_went_back_unseen")
    seen = min(tiles.count + _NOT_SHOWN_EXTRA, tiles.bag)
    step = OPPONENT("look_in_bag", "look_tiles_from_bag", "HOLD-5", tiles=seen)
    return Procedure("HOLD-5", title, steps=(step,)).asking(coded("whether_tiles_look_count_from"))


def _mixed(rules: Rules, tiles: CourtesyTiles) -> Procedure:
    title = coded("courtesy_tiles_mixed_rack")
    if rules.get("hold.procedure") != WESPA:
        questions = ask_remedy(rules, "hold.procedure", WESPA)
        return Procedure("HOLD-5", title, open_questions=questions)
    steps = (
        PLAYER("show_rack", "show_whole_rack", "OVERDRAW-3", tiles=tiles.on_rack),
        OPPONENT("choose_to_return", "pick_tiles_go_back", "OVERDRAW-3", tiles=tiles.count),
        into_bag(OPPONENT, "put_tiles_back_into_bag", tiles.count, "OVERDRAW-3"),
        DIRECTOR("set_penalty", "set_penalty_mixing", "HOLD-5"),
    )
    return Procedure("HOLD-5", title, steps=steps)
