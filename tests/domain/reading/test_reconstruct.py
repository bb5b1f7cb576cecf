"""Reconstruction on boards drawn as text: what the looks show becomes what was played."""

import pytest

from recorder.domain.game import NoPlay, Played, Withdrawn
from recorder.domain.notices import coded
from recorder.domain.observations import COVERED_SYMBOL, SquareCosts
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.reconstruct import Reconstruction, begin, step
from recorder.domain.turns import Turn
from recorder.tilesets import load_tile_set
from tests.looks import SURE, look


def reconstruct(*looks: SquareCosts, kind: LookKind = LookKind.PHOTO) -> Reconstruction:
    """Weigh some looks in order, English tiles, player 0 first."""
    known = begin(load_tile_set("english"))
    for ref, one in enumerate(looks, start=1):
        known = step(known, one, LookContext(kind), ref=ref)
    return known


def told(known: Reconstruction) -> list[str]:
    """The proposals as short texts: player, play and score."""
    lines = []
    for turn in known.turns:
        for event in turn.events:
            match event:
                case Played(player=player, placement=placement, score=score):
                    lines.append(f"{player} {placement} {score}")
                case Withdrawn(player=player, score=score):
                    lines.append(f"{player} withdrawn {score}")
                case NoPlay(player=player):
                    lines.append(f"{player} no play")
    return lines


EMPTY = "..............."
HAND = """
...............
...............
......HAND.....
"""
HANDS = """
...............
...............
......HANDS....
..........EA...
"""
HAND_WITH_CAT = """
...............
...............
......HAND.....
.....CAT.......
"""


def test_a_photograph_of_tiles_taken_back_passes_no_turn() -> None:
    known = reconstruct(look(HAND), look(HAND_WITH_CAT), look(HAND), look(HAND_WITH_CAT))
    assert told(known) == ["0 8G HAND 16", "1 9F CAT 14", "1 withdrawn 14", "0 9F CAT 14"]


def test_a_withdrawal_seen_with_the_next_play_is_its_own_event_before_it() -> None:
    """The tiles of one play are gone and another play stands: two events of one look."""
    other = HAND.replace("HAND.", "HANDY")
    known = reconstruct(look(HAND), look(HAND_WITH_CAT), look(other))
    assert [len(turn.events) for turn in known.turns] == [1, 1, 2]
    assert told(known)[2:] == ["1 withdrawn 14", "0 8G ....Y 12"]


def test_other_letters_on_the_same_squares_are_a_withdrawal_and_a_play() -> None:
    """The taken-back play's squares may be filled again before the next look."""
    known = reconstruct(look(HAND), look(HAND_WITH_CAT), look(HAND_WITH_CAT.replace("CAT", "FIR")))
    assert told(known)[2:] == ["1 withdrawn 14", "0 9F FIR 15"]


def test_a_hand_over_the_board_hides_and_removes_nothing() -> None:
    """Covered squares keep what was there; the turn is read from what can be seen."""
    covered = HAND_WITH_CAT.replace("HAND", "H###")
    known = reconstruct(look(HAND), look(covered), look(HAND_WITH_CAT))
    assert told(known)[0] == "0 8G HAND 16"
    assert told(known)[1] == "1 9F CAT 14"


def squares_named(turn: Turn) -> list[object]:
    return [dict(doubt.values).get("square") for doubt in turn.doubts]


def test_a_later_look_settles_a_doubtful_letter() -> None:
    """V or Y at first; two clear looks later the play and its score are corrected."""
    text = HAND.replace("HAND", "GIVE")
    unsure = look(text, {"8I": {"Y": 0.5, "V": 0.45}})
    first = reconstruct(unsure).turns[0]
    assert first.doubts
    assert "8I" in squares_named(first)
    settled = reconstruct(unsure, look(text), look(text)).turns[0]
    assert [str(event.placement) for event in settled.events if isinstance(event, Played)] == [
        "8G GIVE"
    ]
    assert "8I" not in squares_named(settled)


def test_no_set_has_two_js() -> None:
    """A second J gives way to the next best reading, and is named as a doubt when close."""
    text = """
    ...............
    ...............
    ......JIBE.....
    ......ON.......
    """
    rows = "\n".join(line.strip() for line in text.strip().splitlines())
    first = rows.replace("ON", "..")
    known = reconstruct(look(first), look(rows, {"9G": {"J": 0.5, "O": 0.4}}))
    assert told(known)[1].startswith("1 9G ON")


def test_squares_that_no_play_explains_are_named_to_the_director() -> None:
    """A tile far from everything is no play; it is a doubt with its square."""
    stray = look(HAND_WITH_CAT, {"15O": {"Q": 0.95}})
    last = reconstruct(look(HAND), stray).turns[-1]
    assert coded("unexplained_tiles", squares="15O") in last.doubts


@pytest.mark.parametrize("player", [0, 1])
def test_between_presses_only_a_withdrawal_counts(player: int) -> None:
    """A forming play seen before the press changes nothing; tiles gone are a withdrawal."""
    known = begin(load_tile_set("english"), first_player=player)
    known = step(known, look(HAND), LookContext(), ref=1)
    forming = step(known, look(HAND_WITH_CAT), LookContext(LookKind.BETWEEN), ref=2)
    assert told(forming) == [f"{player} 8G HAND 16"]
    gone = step(known, look(EMPTY), LookContext(LookKind.BETWEEN), ref=2)
    assert told(gone) == [f"{player} 8G HAND 16", f"{player} withdrawn 16"]


def test_two_plays_in_one_look_are_told_with_a_doubt() -> None:
    """A photograph or a press went missing: both plays are recorded, their order is in doubt."""
    both = look(HAND_WITH_CAT + "......OX.......\n")
    known = reconstruct(look(HAND), both)
    assert told(known)[:3] == ["0 8G HAND 16", "1 9F CAT 14", "0 10G OX 25"]
    assert coded("two_plays_in_one_look") in known.turns[1].doubts


def test_a_doubt_is_of_its_own_turn_and_of_no_later_one() -> None:
    """Under an arm a play may have been taken back: every later turn would be the other player's.

    That is one doubt, about one turn: the later plays lie there anyone who made them.
    """
    hidden = {name: {COVERED_SYMBOL: SURE} for name in ("9F", "9G", "9H")}
    later = [
        "\n...............\n...............\n......HANDS....\n",
        "\n...............\n..........O....\n......HANDS....\n",
        "\n...............\n..........O....\n......HANDS....\n..........E....\n",
    ]
    known = reconstruct(
        look(HAND),
        look(HAND_WITH_CAT),
        look(HAND_WITH_CAT, hidden),
        *(look(text, hidden) for text in later),
    )
    doubtful = [turn.ref for turn in known.turns if turn.doubts]
    assert doubtful == [3], "no play, or the withdrawal of CAT"
    (other,) = known.turns[2].alternatives
    assert isinstance(other.events[0], Withdrawn)
    assert all(not one.alternatives for one in known.turns if one.ref != 3)
