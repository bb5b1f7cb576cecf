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
from recorder.domain.rules.core.procedure import DIRECTOR, EITHER, Procedure, Step
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
    """What a check of the tiles found.

    ``missing`` and ``surplus`` name faces with their numbers, as far as faces were read;
    ``short_blocks`` shows for each block laid out how many tiles are missing. ``armed``: the clock
    may be set going. ``by_rule``: the rule set itself forbids to start; where it does not, the
    gate is the recorder's own and the director can open it.
    """

    total: int
    missing: tuple[tuple[Tile, int], ...] = ()
    surplus: tuple[tuple[Tile, int], ...] = ()
    short_blocks: tuple[int, ...] = ()
    armed: bool = True
    by_rule: bool = False
    text: CodedText


def check_tiles(
    rules: Rules, blocks: Sequence[Tiles], tile_set: TileSet, *, started: bool = False
) -> TileCheck:
    """What the tiles laid out for a check are, against the set's own total (EQUIP-1, EQUIP-8).

    ``blocks``: the faces of each full square of tiles, ``UNREADABLE`` for a tile whose face nobody
    saw. With every face seen, a missing and a foreign tile that cancel in the count are found too.
    Once the game has started nothing is corrected where the rule set
    forbids it: the text says so, and the game goes on with what is there.
    """
    faces = Counter(tile for block in blocks for tile in block)
    unread = faces.pop(UNREADABLE, 0)
    total = sum(faces.values()) + unread
    away = {f: tile_set.count(f) - faces[f] for f in {*tile_set.counts, *faces}}
    order = [*tile_set.letters, BLANK, *sorted(set(faces) - set(tile_set.counts))]
    missing = tuple((f, away[f]) for f in order if away[f] > 0 and not unread)
    surplus = tuple((f, -away[f]) for f in order if away[f] < 0)
    even = len(blocks) in (1, 4) and tile_set.total % len(blocks) == 0
    side = tile_set.total // len(blocks) if even else 0
    wrong = total != tile_set.total or bool(missing) or bool(surplus)
    return TileCheck(
        total=total,
        missing=missing,
        surplus=surplus,
        short_blocks=tuple(side - len(block) for block in blocks) if even else (),
        armed=started or not wrong,
        by_rule=wrong and not started and has_remedy(rules, "start.procedure"),
        text=_check_text(rules, total, missing, surplus, started=started),
    )


def _check_text(
    rules: Rules,
    total: int,
    missing: tuple[tuple[Tile, int], ...],
    surplus: tuple[tuple[Tile, int], ...],
    *,
    started: bool,
) -> CodedText:
    parts = [coded("tiles_counted", total=total)]
    if missing:
        parts.append(coded("tiles_missing", missing=", ".join(map(_named, missing))))
    if surplus:
        parts.append(coded("tiles_too_many", surplus=", ".join(map(_named, surplus))))
    if started:
        match rules.get("equipment.tile_correction_after_start"):
            case "forbidden":
                parts.append(coded("nothing_corrected_after_start_game"))
            case "strays_only":
                parts.append(coded("look_around_board_strays_else"))
            case _:
                parts.append(coded("rule_set_not_say_follows"))
    return coded("tiles_checked", parts=parts)


def _named(counted: tuple[Tile, int]) -> str:
    name, count = counted
    return f"{name} x {count}" if count > 1 else str(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstClock:
    """What was seen when the first clock was set going; instants in ms, None for not seen.

    ``own_side``: the clock that was started is the starter's own.
    """

    clock_started_ms: int
    first_tile_out_ms: int | None = None
    face_seen_ms: int | None = None
    own_side: bool = True
    starter: int = 0


def first_clock(rules: Rules, facts: FirstClock) -> Procedure:
    """What follows from the way the first clock was started (START-3).

    A clock that runs before the rule set's trigger is pointed out to the director. A starter who
    has drawn nothing and sets the opponent's clock going has passed where the rule set says so.
    """
    title = coded("first_clock")
    drawn = facts.first_tile_out_ms is not None and (
        facts.first_tile_out_ms <= facts.clock_started_ms
    )
    if not facts.own_side and not drawn:
        if has_remedy(rules, "start.procedure"):
            noted = DIRECTOR("note_start", "note_start_starter", "START-1")
            pass_ = (Passed(facts.starter),)
            return Procedure("START-3", coded("first_turn_passed"), steps=(noted,), events=pass_)
        question = coded("starter_set_opponents_clock_going")
        return Procedure("START-3", title, open_questions=(question,))
    trigger = rules.get("start.clock_trigger")
    at = facts.face_seen_ms if trigger == "first_tile_face_seen" else facts.first_tile_out_ms
    if at is not None and at <= facts.clock_started_ms:
        return Procedure("START-3", title)
    # A face is seen after the tile is out: with no tile out, no face was seen either.
    if trigger == "first_tile_face_seen" and at is None and drawn:
        return Procedure("START-3", title)
    look = DIRECTOR("note_early_clock", "clock_ran_before_tile_drawn", "START-3")
    return Procedure("START-3", coded("clock_started_early"), steps=(look,))


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
