"""What follows where the set of tiles turns out not to be complete (EQUIP-1)."""

from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy
from recorder.domain.rules.core.procedure import EITHER, Procedure, Step


def incomplete_before_start(rules: Rules, missing: str, surplus: str, *, lack: int) -> Procedure:
    """What is to be put right before the start (EQUIP-1).

    ``missing`` and ``surplus`` name faces, side by side with spaces between, as far as they were
    read; ``lack`` is how many tiles are missing.
    """
    rule, steps = "EQUIP-1", list[Step]()
    if lack:
        act = coded("find_missing", missing=missing) if missing else coded("find_missing_letters")
        steps.append(EITHER("find_missing", act, rule, tiles=lack))
    if surplus:
        act, count = coded("put_aside_too_many", surplus=surplus), len(surplus.split())
        steps.append(EITHER("remove_surplus", act, rule, tiles=count))
    bars = has_remedy(rules, "start.procedure")
    questions = () if bars else (coded("whether_game_may_begin_these"),)
    return Procedure(rule, coded("set_not_complete"), steps=tuple(steps), open_questions=questions)


def incomplete_after_start(rules: Rules) -> Procedure:
    """What follows where the set turns out to be incomplete once the game runs (EQUIP-1)."""
    rule, title = "EQUIP-1", coded("set_not_complete")
    on = EITHER("play_on", "go_tiles_there", rule)
    match rules.get("equipment.tile_correction_after_start"):
        case "forbidden":
            return Procedure(rule, title, steps=(on,))
        case "strays_only":
            search = EITHER("search_strays", "look_around_board_stray_tiles", rule)
            return Procedure(rule, title, steps=(search, on))
        case _:
            questions = ask(rules, "equipment.tile_correction_after_start")
            return Procedure(rule, title, open_questions=questions)
