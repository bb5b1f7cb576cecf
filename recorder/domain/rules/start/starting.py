"""Before the first play: the set of tiles, who goes first, the shuffle, the first clock.

Facts come in as values, letters in the order of the tile set. What a rule set does not settle is
an open question. Knows no pairing software: who was assigned to begin is given.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.game import Passed
from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy, listed
from recorder.domain.rules.core.procedure import EITHER, Procedure, Step
from recorder.domain.tiles import BLANK, Tile, Tiles, TileSet

UNREADABLE = Tile("_")
"""A tile that lies face down, or that the camera could not read: it is there, no more."""


class Begun(StrEnum):
    """How an earlier game counts for the balance of starts."""

    FIRST = "first"
    SECOND = "second"
    FORFEIT = "forfeit_before_its_beginning"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class Balance:
    """How often a player has gone first and second."""

    firsts: int
    seconds: int


def balance(rules: Rules, games: Sequence[Begun]) -> Balance:
    """A player's balance of starts (START-1).

    Where forfeits alternate, the first counts as a first, the next as a second. What is not
    settled is left out of the count.
    """
    count = Counter(games)
    forfeits = count[Begun.FORFEIT] if has_remedy(rules, "start.procedure") else 0
    return Balance(count[Begun.FIRST] + (forfeits + 1) // 2, count[Begun.SECOND] + forfeits // 2)


def who_starts(
    rules: Rules, balances: tuple[Balance, Balance], *, assigned: int | None = None
) -> tuple[int | None, str]:
    """Who goes first, 0 or 1, by the ways of the rule set in their order; and which one (START-1).

    None: tiles are drawn for it. ``assigned`` is the player whom the pairing made first, None when
    it said nothing.
    """
    first, second = balances
    for method in listed(rules, "start.method") or ("predetermined",):
        match method:
            case "predetermined" if assigned is not None:
                return assigned, method
            case "fewest_firsts" | "self_balancing_fewest_firsts" if first.firsts != second.firsts:
                return int(second.firsts < first.firsts), method
            case "most_seconds" if first.seconds != second.seconds:
                return int(second.seconds > first.seconds), method
            case _:
                continue
    return None, "tile_draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCheck:
    """What a check of the tiles found, before the game or in it.

    ``missing`` and ``surplus`` name faces with their numbers, as far as faces were read.
    """

    total: int
    missing: tuple[tuple[Tile, int], ...] = ()
    surplus: tuple[tuple[Tile, int], ...] = ()
    is_whole: bool = True


def check_tiles(laid_out: Tiles, tile_set: TileSet) -> TileCheck:
    """What the tiles laid out for a check are, against the set's own total (EQUIP-1, EQUIP-8).

    ``UNREADABLE`` is a tile whose face nobody saw. With every face seen, a missing and a foreign
    tile that cancel in the count are found too.
    """
    faces = Counter(laid_out)
    unread = faces.pop(UNREADABLE, 0)
    total = len(laid_out)
    away = {f: tile_set.count(f) - faces[f] for f in {*tile_set.counts, *faces}}
    order = [*tile_set.letters, BLANK, *sorted(set(faces) - set(tile_set.counts))]
    missing = tuple((f, away[f]) for f in order if away[f] > 0 and not unread)
    surplus = tuple((f, -away[f]) for f in order if away[f] < 0)
    is_whole = total == tile_set.total and not missing and not surplus
    return TileCheck(total=total, missing=missing, surplus=surplus, is_whole=is_whole)


def starters_pass(
    rules: Rules, starter: int, *, clock_started_ms: int, first_tile_out_ms: int | None
) -> tuple[Passed, ...]:
    """The turn of a starter who has set the opponent's clock going, where that is one (START-3).

    It is for a starter who has drawn nothing by then, where the rule set says so.
    """
    has_drawn = first_tile_out_ms is not None and first_tile_out_ms <= clock_started_ms
    is_pass = not has_drawn and has_remedy(rules, "start.procedure")
    return (Passed(starter),) if is_pass else ()


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
