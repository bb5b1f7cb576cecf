"""Procedures around a challenge: the right to it, what follows, tiles drawn meanwhile."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recorder.domain.game import ChallengeBonus, Exchanged, Laid
from recorder.domain.lexicon import Verdict, adjudicate
from recorder.domain.notices import Notice, PlainValue, coded
from recorder.domain.orders import Challenged, Outcome
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.moments import Moment
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.challenge.challenge import (
    Progress,
    check_slip_of,
    issue,
    may_take_back,
    unclear_blank,
)
from recorder.domain.rules.challenge.penalties import ChallengedPlay, Cost, cost, entries
from recorder.domain.rules.challenge.verdict import (
    ChallengeResult,
    after_verdict,
    correct_verdict,
    corrected_verdict,
)
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.turn.courtesy import CourtesyTiles, after_decision
from recorder.domain.rules.turn.hold import AfterPlay, Right, Standing, right_to_challenge
from recorder.domain.rulings.in_force import Ruling, not_undone
from recorder.domain.rulings.late_verdicts import in_time
from recorder.domain.scoring import words_laid
from recorder.domain.standing_procedures import Settlement
from recorder.domain.tile_text import plain_text, typed_words
from recorder.domain.tiles import BLANK, RACK_SIZE, unnamed
from recorder.domain.turns import Press, Turn, taken_off


def find_challenges(facts: TableFacts) -> Iterator[Found]:
    """A challenge of the newest turn, from the call until the clock runs again (CHAL-1 to 6)."""
    newest = _newest(facts)
    if newest is None:
        return
    press, play, verdicts = newest
    # Who objects to an exchange challenges no word: that has a procedure of its own (EXCH-3).
    called = "challenge_after_ms" in play.group.facts and not isinstance(play.event, Exchanged)
    if called or verdicts or _is_begun(facts, "challenge", press):
        yield _challenge(facts, press, play, verdicts)


def _is_begun(facts: TableFacts, code: str, press: Press) -> bool:
    """Whether a director has begun it about the newest turn."""
    run = facts.open_run(code)
    return run is not None and run.row > press.seq


def _newest(facts: TableFacts) -> tuple[Press, Moment, Sequence[Ruling]] | None:
    """The newest turn's press, its play or exchange, and all verdicts about it.

    Among these are those that another stands in place of, and none that was undone. None while
    nothing can be challenged.
    """
    press = facts.last_press
    if press is None:
        return None
    plays = (moment for moment in facts.moments if moment.group.ref == press.seq and moment.used)
    play = next(plays, None)
    verdicts = [
        ruling
        for ruling in not_undone(facts.given)
        if isinstance(ruling.order.act, Challenged) and ruling.group == press.seq
    ]
    return None if play is None else (press, play, verdicts)


def _outcome(ruling: Ruling) -> Outcome | None:
    act = ruling.order.act
    return act.outcome if isinstance(act, Challenged) else None


def _is_off(ruling: Ruling) -> bool:
    return _outcome(ruling) is Outcome.OFF


def _challenge(facts: TableFacts, press: Press, play: Moment, verdicts: Sequence[Ruling]) -> Found:
    player, group = play.event.player, play.group
    blank = BLANK in getattr(play.event, "laid", {}).values()
    taken_back = facts.table.turns.taken_off.at_ms >= press.at_ms
    is_withdrawn = bool(verdicts) and _outcome(verdicts[-1]) is Outcome.WITHDRAWN
    given_up = _given_up_ms(facts, press, group) is not None
    settled = bool(verdicts) or taken_back or given_up
    right = _right(facts, press, play)
    words = _challenged_words(facts, play)
    known: dict[str, PlainValue | None] = {
        "challenged": " ".join(words) or None,
        "listed": _listed_verdict(facts, words),
        "verdict": "undecided" if blank else None,
        "right": "undecided" if right.open_questions else right.right.value,
    }
    ways: Sequence[Settlement] = ()
    if verdicts and not is_withdrawn:
        off = taken_off(facts.game.read.values())
        verdict = in_time(verdicts, facts.sensed, facts.rules, off)[-1]
        procedure, after = _after_the_verdict(facts, play, verdict)
        known |= after
    else:
        made = issue(facts.rules)
        procedure = replace(made, steps=(*right.steps, *made.steps))
        procedure = _with_slip(facts, play, procedure)
        if blank or is_withdrawn:
            procedure = unclear_blank(facts.rules)
        if not (verdicts or given_up):
            take_back = may_take_back(facts.rules, _progress(facts, group, blank=blank))
            known["take_back"] = "open" if take_back is None else take_back
            ways = _verdict_ways(facts, play, words, right.right, may_take_back=take_back)
    goes_on = _goes_on(facts, press, group, verdicts)
    return Found(
        code="challenge",
        procedure=procedure,
        group=group.ref,
        player=player,
        facts=known,
        since=press.seq,
        over=(settled and goes_on) or (is_withdrawn and not blank),
        # What a verdict costs comes with its order: nothing is left for the end.
        settlements=tuple(ways) or (Settlement(),),
    )


def _progress(facts: TableFacts, group: Turn, *, blank: bool) -> Progress:
    """How far a challenge has come that has no verdict yet (CHAL-3)."""
    said = facts.said("challenge")
    return Progress(
        said="challenge_after_ms" in group.facts,
        stopped=facts.stands,
        written=bool(said.get("words")),
        moving=said.get("moving") is True,
        blank_unclear=blank,
        tile_found=said.get("tile_found") is True,
    )


def _challenged_words(facts: TableFacts, play: Moment) -> tuple[str, ...]:
    """The words on the slip as a director has entered them; else all that the play has formed."""
    said = str(facts.said("challenge", play.event.player).get("words", ""))
    if said.strip():
        return tuple(said.upper().replace(",", " ").split())
    if not isinstance(play.event, Laid):
        return ()
    return tuple(
        plain_text(map(unnamed, word.tiles)) for word in words_laid(play.board, play.event.laid)
    )


def _listed_verdict(facts: TableFacts, words: Sequence[str]) -> str | None:
    """What the event's list says of the words, one verdict for all; None without a list."""
    if facts.listed is None or not words:
        return None
    return adjudicate(typed_words(words, facts.state.tile_set), facts.listed).value


def _verdict_ways(
    facts: TableFacts,
    play: Moment,
    words: Sequence[str],
    right: Right,
    *,
    may_take_back: bool | None,
) -> tuple[Settlement, ...]:
    """The ways in which a challenge can end, the likeliest first; the verdict is the director's.

    Where the right to challenge is gone, that comes first; it changes nothing.
    """
    price = _price(facts, play, words, stands=True)
    stays = [Settlement(code="stays", events=price.events, outcome=Outcome.STANDS)]
    if price.points and not price.events:
        # It is open whose score the points change: the director says it, and is not asked later.
        stays = [
            Settlement(code=f"stays_{whose}", events=(event,), outcome=Outcome.STANDS)
            for whose, event in entries(play.event.player, price.points).items()
        ] + stays
    off = Settlement(code="comes_off", outcome=Outcome.OFF)
    is_bad = _listed_verdict(facts, words) == Verdict.BAD.value
    ways: tuple[Settlement, ...] = (off, *stays) if is_bad else (*stays, off)
    if may_take_back is not False:
        ways = (*ways, Settlement(code="challenge_withdrawn", outcome=Outcome.WITHDRAWN))
    return (Settlement(code="too_late"), *ways) if right is Right.LOST else ways


def _after_the_verdict(
    facts: TableFacts, play: Moment, verdict: Ruling
) -> tuple[Procedure, dict[str, PlainValue | None]]:
    """What follows from a verdict, with what it costs and what is to be drawn."""
    stands, score = not _is_off(verdict), getattr(play.event, "score", 0)
    price = _price(facts, play, _challenged_words(facts, play), stands=stands)
    due = _due(facts, play, verdict)
    ruled = ChallengeResult(stands=stands, score=score, tiles=play.used, due=due)
    return after_verdict(facts.rules, ruled, price), {
        "points": price.points or None,
        "turn_lost": price.turn_lost,
        "due": due if stands else None,
        "verdict": "good" if stands else "bad",
    }


def _price(facts: TableFacts, play: Moment, words: Sequence[str], *, stands: bool) -> Cost:
    """What a challenge costs that is decided like this."""
    mover = play.event.player
    challenged = ChallengedPlay(
        mover=mover,
        words=max(1, len(words)),
        stands=stands,
        score=getattr(play.event, "score", 0),
        wrong_before=_wrong_before(facts, mover, play.group.ref),
    )
    return cost(facts.rules, challenged, lexicon=facts.lexicon)


def _wrong_before(facts: TableFacts, mover: int, group: int) -> int:
    """In how many turns before the mover's opponent has challenged a play that stands."""
    ruled = {
        ruling.group
        for ruling in facts.rulings
        if isinstance(ruling.order.act, Challenged)
        and ruling.order.act.outcome is Outcome.STANDS
        and ruling.group < group
    }
    wrong = set()
    for moment in facts.moments:
        ref, event = moment.group.ref, moment.event
        is_cost = isinstance(event, ChallengeBonus)
        is_ruled = isinstance(event, Laid) and ref in ruled
        if ref < group and event.player == mover and (is_cost or is_ruled):
            wrong.add(ref)
    return len(wrong)


def _due(facts: TableFacts, play: Moment, verdict: Ruling) -> int:
    """Tiles still to be drawn when the verdict came: the rack may have been filled before."""
    count = facts.rack(play.event.player, until=verdict.seq)
    if count is None or count <= play.kept:
        return play.due
    return max(0, min(RACK_SIZE - count, play.bag))


def _goes_on(facts: TableFacts, press: Press, group: Turn, verdicts: Sequence[Ruling]) -> bool:
    """Whether a clock runs, or both stand for something else: one ran since it was settled."""
    called_ms = _called_ms(facts, press, group) or press.at_ms
    settled = [ruling.at_ms for ruling in verdicts]
    settled.append(facts.table.turns.taken_off.at_ms)
    settled.append(_given_up_ms(facts, press, group) or 0)
    return not facts.stands or called_ms <= max(settled) < facts.table.clock.stop_ms


def _called_ms(facts: TableFacts, press: Press, group: Turn) -> int | None:
    """When the play was challenged, or a director began the challenge."""
    called_ms = _at(press, group.facts.get("challenge_after_ms"))
    run = facts.open_run("challenge")
    begun_ms = run.at_ms if run is not None and run.row > press.seq else None
    return begun_ms if called_ms is None else called_ms


def _given_up_ms(facts: TableFacts, press: Press, group: Turn) -> int | None:
    """When the challenger accepted the play after all.

    Words of acceptance before a challenge are no obstacle to it (HOLD-7).
    """
    accepted_ms = _at(press, group.facts.get("accept_after_ms"))
    called_ms = _called_ms(facts, press, group)
    is_later = accepted_ms is not None and called_ms is not None and called_ms <= accepted_ms
    return accepted_ms if is_later else None


def _with_slip(facts: TableFacts, play: Moment, procedure: Procedure) -> Procedure:
    """The procedure, with what follows from words on the slip that the play did not form."""
    words = str(facts.said("challenge", play.event.player).get("words", ""))
    laid = play.event.laid if isinstance(play.event, Laid) else {}
    slip = check_slip_of(facts.rules, play.board, laid, words) if laid else None
    if slip is None:
        return procedure
    return procedure.then(*slip.steps).asking(*slip.open_questions)


def _right(facts: TableFacts, press: Press, play: Moment) -> Standing:
    """Where the right to challenge stood when it was used, by what sensors saw (HOLD-2)."""
    said = facts.said("challenge", play.event.player)
    acts = play.group.facts
    called_ms = _at(press, acts.get("challenge_after_ms"))
    hold_ms, accepted_ms = (_at(press, acts.get(f"{act}_after_ms")) for act in ("hold", "accept"))
    is_given_up = hold_ms is not None and accepted_ms is not None and hold_ms < accepted_ms
    wrote = said.get("score_written_before") is True
    return right_to_challenge(
        facts.rules,
        AfterPlay(
            press_ms=None if press.seq in facts.table.turns.unpressed else press.at_ms,
            first_tile_out_ms=_first_out(facts, press, play),
            wrote_ms=press.at_ms if wrote else None,
            hold_ms=hold_ms,
            released_ms=accepted_ms if is_given_up else None,
            challenge_ms=called_ms,
            bag=play.bag,
        ),
    )


def _first_out(facts: TableFacts, press: Press, play: Moment) -> int | None:
    """When the mover began to draw: after the press, or before one that was forgotten."""
    if press.seq in facts.table.turns.unpressed:
        return press.at_ms
    for notice in facts.noticed(Notice.DRAWN_BEFORE_PRESS):
        early = facts.sensed_at(notice.refs[1:])
        if notice.player == play.event.player and early and notice.ref >= _before(facts, press):
            return min(early)
    return facts.lifted_after(press)


def _before(facts: TableFacts, press: Press) -> int:
    """The row of the press before."""
    return max(
        (other.seq for other in facts.table.turns.presses if other.seq < press.seq), default=0
    )


def _at(press: Press, after_ms: object) -> int | None:
    return press.at_ms + after_ms if isinstance(after_ms, int) else None


def find_wrong_verdicts(facts: TableFacts) -> Iterator[Found]:
    """A verdict that another stands in place of: can it still be put right (CHAL-7)?"""
    newest = _newest(facts)
    if newest is None or not newest[-1]:
        return
    press, play, verdicts = newest
    if any(_outcome(ruling) is Outcome.WITHDRAWN for ruling in verdicts):
        return
    outcomes = [_is_off(ruling) for ruling in verdicts]
    asked = _is_begun(facts, "wrong_verdict", press)
    if len(set(outcomes)) < len(("good", "bad")) and not asked:
        return
    player, since = play.event.player, verdicts[0].seq
    count = facts.rack(player)
    before = facts.rack(player, until=since)
    grown = 0 if count is None or before is None else max(0, count - before)
    ruled_good = not outcomes[0]
    answer = correct_verdict(facts.rules, ruled_good=ruled_good, touched=grown)
    drawn = max(0, facts.drawn_since(since) - facts.put_back(since))
    steps = corrected_verdict(ruled_good=ruled_good, tiles=play.used, drawn=drawn)
    yield Found(
        code="wrong_verdict",
        procedure=Procedure(
            answer.rule,
            coded("verdict_wrong", why=answer.why),
            steps=steps if answer.allowed else (),
            open_questions=answer.open_questions,
        ),
        group=play.group.ref,
        player=player,
        facts={"correctable": "open" if answer.allowed is None else answer.allowed},
        since=verdicts[-1].seq,
        over=not asked and _goes_on(facts, press, play.group, verdicts),
    )


def find_courtesy_tiles(facts: TableFacts) -> Iterator[Found]:
    """Tiles that were drawn for a play that then came off (HOLD-5)."""
    newest = _newest(facts)
    if newest is None or not newest[-1] or not _is_off(newest[-1][-1]):
        return
    press, play, verdicts = newest
    player, verdict = play.event.player, verdicts[-1]
    drawn = facts.drawn_since(press.seq, until=verdict.seq)
    count = drawn - facts.put_back(press.seq, until=verdict.seq)
    on_rack = facts.rack(player, until=verdict.seq)
    said, asked = facts.said("courtesy"), _is_begun(facts, "courtesy", press)
    unseen, named = said.get("returned_unseen") is True, said.get("tiles", 1)
    if asked and count <= 0 and isinstance(named, int):
        count = named
    if count <= 0 or (play.group.facts.get("hold_after_ms") is None and not asked):
        return
    bag = facts.bag_weighed
    tiles = CourtesyTiles(
        count=count,
        on_rack=play.kept + play.used + count,
        mixed=on_rack is not None and on_rack > play.kept,
        returned_unseen=unseen,
        bag=play.bag if bag is None else bag,
    )
    back = facts.put_back(verdict.seq)
    goes_on = _goes_on(facts, press, play.group, verdicts)
    yield Found(
        code="courtesy",
        procedure=after_decision(facts.rules, tiles),
        group=play.group.ref,
        player=player,
        facts={"tiles": count, "mixed": tiles.mixed},
        since=verdict.seq,
        over=back >= count and not unseen and goes_on,
    )


CHALLENGES = (find_challenges, find_wrong_verdicts, find_courtesy_tiles)
