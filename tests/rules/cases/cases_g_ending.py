"""Cases of group G on the end of a game: racks, zeros, overtime, recounts, games given up."""

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import (
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    Passed,
    Played,
    Withdrawn,
    replay,
)
from recorder.domain.plays import parse_placement
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.conclusions import left_for_good, resignation
from recorder.domain.rules.ending.ending import (
    PlayOut,
    PlayOutFacts,
    claimed_play_out,
    rack_points,
    racks_deducted,
)
from recorder.domain.rules.ending.overtime import (
    Limit,
    left_running,
    limit_state,
    over_s,
    overtime_forfeit,
    overtime_points,
    time_penalties,
)
from recorder.domain.rules.ending.result_slip import recount
from recorder.domain.rules.ending.six_zeros import ZeroState, six_zeros, zero_run
from recorder.domain.tile_text import read_tiles
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, case, in_force
from tests.rules.said import said

ENGLISH = load_tile_set("english")
TRANSFER = in_force("wespa1", endgame__out_bonus=["transfer"])


def after(scores: tuple[int, int], procedure: Procedure) -> tuple[int, int]:
    assert not procedure.open_questions
    given = (_credit(0, scores[0]), _credit(1, scores[1]))
    return replay(ENGLISH, (*given, *procedure.events)).scores


def _credit(player: int, points: int) -> GameEvent:
    return EndRackPoints(player, points, read_tiles(""))


def zeros(*turns: str) -> tuple[GameEvent, ...]:
    """Turns of two alternating players: exchange, pass, phony (challenged off), or a score."""
    events: list[GameEvent] = [Played(1, parse_placement("8G AT"), 4)]
    for number, turn in enumerate(turns):
        player = number % 2
        if turn == "exchange":
            events.append(Exchanged(player, 2))
        elif turn == "pass":
            events.append(Passed(player))
        else:
            events.append(Played(player, parse_placement("7I XQ"), 14))
            if turn == "phony":
                events.append(Withdrawn(player, 14))
    assert replay(ENGLISH, events).board != EMPTY_BOARD
    return tuple(events)


MIXED = ("exchange", "pass", "phony", "pass", "exchange", "pass")


@case("G1")
def _twice_the_tiles_of_the_other() -> None:
    """One player is out while the other still has Q and I: their value counts twice."""
    for rules in (PSA, HK, NAS):
        points = rack_points(rules, out=0, tiles=read_tiles("QI"), tile_set=ENGLISH)
        assert after((412, 398), points) == (434, 398)


@case("G2")
def _from_one_to_the_other() -> None:
    """The same tiles where the organiser chose to move their value across."""
    points = rack_points(TRANSFER, out=0, tiles=read_tiles("QI"), tile_set=ENGLISH)
    totals = after((412, 398), points)
    assert totals == (423, 387)
    doubled = after((412, 398), rack_points(NAS, out=0, tiles=read_tiles("QI"), tile_set=ENGLISH))
    assert totals[0] - totals[1] == doubled[0] - doubled[1] == 36


@case("G3")
def _the_rule_on_the_box() -> None:
    """X and A stay on a rack: nine points change hands."""
    points = rack_points(TRANSFER, out=1, tiles=read_tiles("XA"), tile_set=ENGLISH)
    assert points.events == (
        EndRackPoints(1, 9, read_tiles("XA")),
        EndRackPenalty(0, 9, read_tiles("XA")),
    )


@case("G4")
def _silence_accepts() -> None:
    """Nothing is said for a quarter of a minute after the clock was stopped."""
    facts = PlayOutFacts(player=0, laid_ms=600_000, stopped_ms=601_000, now_ms=615_999)
    waiting = claimed_play_out(NAS, facts)
    assert (waiting.state, waiting.deadline_ms) == (PlayOut.CLAIMED, 616_000)
    done = PlayOutFacts(player=0, laid_ms=600_000, stopped_ms=601_000, now_ms=616_000)
    assert claimed_play_out(NAS, done).state is PlayOut.ACCEPTED
    assert not claimed_play_out(NAS, done).open_questions


@case("G5")
def _silence_costs_time() -> None:
    """The opponent says nothing for five seconds: thinking goes on their own clock."""
    for seconds, state in ((4.9, PlayOut.CLAIMED), (5.0, PlayOut.THINKING)):
        now = 90_000 + round(1000 * seconds)
        facts = PlayOutFacts(player=1, laid_ms=88_000, stopped_ms=90_000, now_ms=now)
        found = claimed_play_out(W1, facts)
        assert found.state is state


@case("G6")
def _six_zeros_end_it() -> None:
    """Six turns without score, a phony among them: over by itself, and racks are removed."""
    for rules in (W1, PSA):
        found = six_zeros(rules, zero_run(zeros(*MIXED)))
        assert found.state is ZeroState.OVER
        racks = racks_deducted((read_tiles("QZDD"), read_tiles("JA")), ENGLISH)
        assert after((210, 205), racks) == (186, 196)


@case("G7")
def _nobody_claims_and_play_goes_on() -> None:
    """Six passes and exchanges, nobody says so, then a play of 14 points."""
    turns = ("pass", "exchange", "pass", "pass", "exchange", "pass")
    assert six_zeros(NAS, zero_run(zeros(*turns))).state is ZeroState.DECLARABLE
    later = six_zeros(NAS, zero_run(zeros(*turns, "play")))
    assert (later.state, later.counted) == (ZeroState.COUNTING, 0)


@case("G8")
def _a_player_claims_the_end() -> None:
    """The same six, and a player stops the clock and says so."""
    turns = ("pass", "exchange", "pass", "pass", "exchange", "pass")
    assert six_zeros(NAS, zero_run(zeros(*turns)), declared=True).state is ZeroState.OVER
    racks = racks_deducted((read_tiles("QZDD"), read_tiles("JA")), ENGLISH)
    assert after((210, 205), racks) == (186, 196)


@case("G9")
def _a_kind_that_is_not_listed() -> None:
    """The six with a phony among them where the text does not list one."""
    for declared in (False, True):
        found = six_zeros(NAS, zero_run(zeros(*MIXED)), declared=declared)
        assert found.state is ZeroState.DIRECTOR
        assert (found.counted, found.needed) == (5, 6)
        assert [str(kind) for kind in found.unlisted] == ["challenged_off"]
        assert "challenged off" in said(found.open_questions[0])


@case("G10")
def _four_passes_are_not_enough() -> None:
    """Two passes each end a game at home, not in a tournament."""
    for rules in ALL:
        found = six_zeros(rules, zero_run(zeros("pass", "pass", "pass", "pass")))
        assert (found.state, found.counted, found.needed) == (ZeroState.COUNTING, 4, 6)


@case("G11")
def _every_minute_that_was_begun() -> None:
    over = (1, 60, 61, 120, 600)
    assert [overtime_points(NAS, seconds) for seconds in over] == [10, 10, 20, 20, 100]
    assert limit_state(NAS, 600) is Limit.NEAR


@case("G12")
def _a_second_too_many() -> None:
    """Ten minutes and a second."""
    assert limit_state(NAS, 601) is Limit.LOST


@case("G13")
def _ten_minutes_are_too_many() -> None:
    for rules in (W1, PSA, HK):
        assert limit_state(rules, 599) is Limit.NEAR
        assert limit_state(rules, 600) is Limit.LOST


@case("G14")
def _a_leader_forfeits() -> None:
    """Leading by 120 before the penalty: the other wins by the least margin."""
    found = overtime_forfeit(W1, (420, 300), 0)
    assert (found.scores, found.margin) == ((320, 300), 100)
    assert found.events == (Conceded(0, 100, "overtime"),)


@case("G15")
def _a_trailer_forfeits() -> None:
    """Far behind already: the margin with the penalty is the larger one."""
    assert overtime_forfeit(W1, (250, 430), 0).margin == 280
    assert overtime_forfeit(W1, (430, 250), 1).margin == 280


@case("G16")
def _a_leader_loses_by_one() -> None:
    """After the deduction the opponent is still lower and gets one point more than that."""
    found = overtime_forfeit(NAS, (420, 300), 0)
    assert (found.scores, found.margin) == ((320, 321), 1)
    assert not found.open_questions


@case("G17")
def _a_trailer_loses_as_far_as_he_is() -> None:
    """The opponent is ahead after the deduction: nobody is raised."""
    found = overtime_forfeit(NAS, (250, 430), 0)
    assert (found.scores, found.margin) == ((150, 430), 280)


@case("G18")
def _a_tie_after_the_deduction() -> None:
    """Level after the deduction: a question with a proposal, and nothing recorded."""
    found = overtime_forfeit(NAS, (400, 300), 0)
    assert found.scores == (300, 301)
    assert found.open_questions
    assert "301" in said(found.open_questions[0])
    assert found.events == ()


@case("G19")
def _less_time_after_coming_late() -> None:
    """Eighteen minutes assigned, eighteen and a half used."""
    seconds = over_s((18 * 60 - (18 * 60 + 30)) * 1000)
    assert seconds == 30
    assert after((300, 300), time_penalties(W1, (seconds, 0))) == (290, 300)


@case("G20")
def _the_clock_ran_on() -> None:
    """Out in the first minute of overtime, the clock stopped in the second."""
    assert [overtime_points(W1, seconds) for seconds in (52, 70)] == [10, 20]
    assert left_running(W1, at_end_s=52, shown_s=70) == ()


@case("G21")
def _close_enough_to_recount() -> None:
    """Margins of ten and eleven."""
    assert recount(W1, margin=10, asked_after_s=30)[1] is True
    assert recount(W1, margin=11, asked_after_s=30)[1] is False


@case("G22")
def _too_late_to_recount() -> None:
    """A second after the minute."""
    assert recount(NAS, margin=2, asked_after_s=60)[1] is True
    late, granted = recount(NAS, margin=2, asked_after_s=61)
    assert granted is False
    assert "60 s" in said(late.title)


@case("G23")
def _resigned_in_an_emergency() -> None:
    """The other leads by 40, is level, trails by 30."""
    for scores, margin in (((300, 340), 90), ((300, 300), 50), ((330, 300), 50)):
        found = resignation(W1, scores, 0, emergency=True)
        assert found.margin == margin
        assert found.events == (Conceded(0, margin, "resignation"),)


@case("G24")
def _a_leader_leaves() -> None:
    found = left_for_good(NAS, (320, 300), 0)
    assert (found.scores, found.rated) == ((320, 370), True)


@case("G25")
def _a_trailer_leaves() -> None:
    found = left_for_good(NAS, (280, 300), 0)
    assert (found.scores, found.margin) == ((230, 300), 70)


@case("G26")
def _ended_by_the_director() -> None:
    """Time is up for the round: each loses their own tiles, as after six zeros."""
    racks = racks_deducted((read_tiles("JAIEEE"), read_tiles("QZAA")), ENGLISH)
    assert after((288, 301), racks) == (275, 279)
