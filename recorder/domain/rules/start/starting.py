"""Before the first play: the set of tiles, who goes first, the shuffle, the first clock.

Facts come in as values, letters in the order of the tile set. What a rule set does not settle is
an open question. Knows no pairing software: who was assigned to begin is given.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.game import Passed
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, has_remedy
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


def balance(rules: Rules, games: Sequence[Begun]) -> tuple[Balance, tuple[CodedText, ...]]:
    """A player's balance of starts, and what the rule set leaves open about it (START-1).

    Where forfeits alternate, the first counts as a first, the next as a second. What is not
    settled is left out of the count and named.
    """
    count = Counter(games)
    firsts, seconds, forfeits = count[Begun.FIRST], count[Begun.SECOND], count[Begun.FORFEIT]
    open_questions = []
    if forfeits and has_remedy(rules, "start.procedure"):
        firsts, seconds = firsts + (forfeits + 1) // 2, seconds + forfeits // 2
    elif forfeits:
        open_questions.append(coded("how_game_forfeited_before_its"))
    if count[Begun.BYE] and not has_remedy(rules, "start.procedure"):
        open_questions.append(coded("how_bye_counts_start"))
    return Balance(firsts, seconds), tuple(open_questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """Who goes first: 0, 1, or None when tiles are drawn for it or the director says.

    ``by`` is the way that settled it, as ``start.method`` names it.
    """

    player: int | None
    by: str
    open_questions: tuple[CodedText, ...] = ()


def who_starts(
    rules: Rules, balances: tuple[Balance, Balance], *, assigned: int | None = None
) -> Starter:
    """Who goes first, by the ways of the rule set in their order (START-1).

    ``assigned`` is the player whom the pairing made first, None when it said nothing. Equal
    starts with unequal records are not provided for where only the starts are compared: the
    draw then comes with an open question.
    """
    methods = rules.get("start.method")
    if not isinstance(methods, tuple):
        return Starter(player=assigned, by="", open_questions=(coded("rule_set_not_say_who"),))
    first, second = balances
    for method in methods:
        match method:
            case "predetermined" if assigned is not None:
                return Starter(player=assigned, by=method)
            case "fewest_firsts" | "self_balancing_fewest_firsts" if first.firsts != second.firsts:
                return Starter(player=int(second.firsts < first.firsts), by=method)
            case "most_seconds" if first.seconds != second.seconds:
                return Starter(player=int(second.seconds > first.seconds), by=method)
            case _:
                continue
    uneven = "self_balancing_fewest_firsts" in methods and first.seconds != second.seconds
    questions = (coded("equal_starts_unequal_records_not"),) if uneven else ()
    return Starter(player=None, by="tile_draw", open_questions=questions)


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
