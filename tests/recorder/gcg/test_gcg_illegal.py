"""Illegal layings in the field's formats: programs that know no such thing can follow the game."""

from recorder.domain.game import GameEvent, IllegallyPlayed, Played, Withdrawn, replay
from recorder.domain.laying_faults import LayingFault
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tiles
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, read_gcg, write_gcg
from recorder.tilesets import load_tile_set
from tests.domain.test_illegal_layings import CATER, LOANS_AND_E, tiles

ENGLISH = load_tile_set("english")
PLAYERS = (GcgPlayer("Ada", "Ada"), GcgPlayer("Ben", "Ben"))
OUT_OF_LINE = IllegallyPlayed(
    1, tiles(LOANS_AND_E), (LayingFault.NOT_IN_LINE, LayingFault.NOT_TOUCHING), 18
)
GAP = IllegallyPlayed(1, tiles("K4=L K5=O K7=N K8=S"), (LayingFault.GAP,), 14)
GOOD = IllegallyPlayed(1, tiles("C12=G D12=O E12=O F12=D"), (LayingFault.NOT_TOUCHING,), 12)
OAM = Played(0, parse_placement("J8 .OAM"), 8)


def game(*events: GameEvent) -> GcgGame:
    return GcgGame(players=PLAYERS, tile_set=ENGLISH, moves=tuple(map(GcgMove, events)))


def lines(*events: GameEvent) -> list[str]:
    return write_gcg(game(*events)).splitlines()[3:]


def test_a_laying_in_one_line_is_a_play_with_a_note() -> None:
    """Our own reader knows it again, and finds no fault with it."""
    assert lines(CATER, GAP, OAM)[1:3] == [
        ">Ben: LNOS K4 LO.NS +14 14",
        "#note illegal laying (gap): 4K=L 5K=O 7K=N 8K=S",
    ]
    again = read_gcg(write_gcg(game(CATER, GAP, OAM)))
    assert again.ok
    assert [type(event) for event in again.events] == [Played, IllegallyPlayed, Played]
    assert again.events[1].faults == GAP.faults
    assert write_gcg(again) == write_gcg(game(CATER, GAP, OAM))


def test_a_laying_in_no_line_is_several_plays_of_one_player() -> None:
    """Board and totals are right after it; the opponent's pass between is marked as none."""
    assert lines(CATER, OUT_OF_LINE)[1:] == [
        ">Ben: ALNOS K4 LOANS +18 18",
        "#note illegal laying (not_in_line not_touching): 4K=L 5K=O 6K=A 7K=N 8K=S 11C=E",
        ">Ada: UNKNOWN - +0 14",
        "#note no turn: the tiles before and after it were laid in one",
        ">Ben: E 11C E +0 18",
        "#note score agreed 0, computed 1",
    ]
    again = read_gcg(write_gcg(game(CATER, OUT_OF_LINE)))
    assert again.ok, again.faults
    assert replay(ENGLISH, again.events).board == replay(ENGLISH, [CATER, OUT_OF_LINE]).board
    assert again.final == (14, 18)


def test_parts_of_a_laying_that_touch_nothing_are_no_faults() -> None:
    """Two tiles in a corner: what our own writer writes, our own reader accepts."""
    apart = IllegallyPlayed(
        1, tiles("K4=L K5=O K6=A K7=N K8=S N1=A O1=T"), (LayingFault.NOT_IN_LINE,), 18
    )
    again = read_gcg(write_gcg(game(CATER, apart, OAM)))
    assert again.ok, again.faults
    assert replay(ENGLISH, again.events).board == replay(ENGLISH, [CATER, apart, OAM]).board
    other = write_gcg(game(CATER, apart)) + ">Ada: XU 15A XU +0 14\n"
    assert "play_not_connected" in [fault.fault for fault in read_gcg(other).faults]


def test_a_laying_in_no_line_that_was_taken_back_is_a_pass() -> None:
    """There is no play that could be taken back; the note names the tiles."""
    assert lines(CATER, OUT_OF_LINE, Withdrawn(1, 18), OAM)[1:] == [
        ">Ben: AELNOS - +0 0",
        "#note illegal laying (not_in_line not_touching): 4K=L 5K=O 6K=A 7K=N 8K=S 11C=E",
        ">Ada: AMO J8 .OAM +8 22",
    ]


def test_tiles_that_came_off_after_the_reply_are_not_on_the_board() -> None:
    """A pass with a note, from which our own reader has the laying again."""
    gone = tuple(sq for sq, _ in GOOD.tiles)
    lifted = IllegallyPlayed(1, GOOD.tiles, GOOD.faults, 0, read_tiles("DGOO"), gone)
    text = write_gcg(game(CATER, lifted, OAM))
    assert ">Ben: DGOO - +0 0" in text
    assert "#note illegal laying (not_touching): 12C=G" in text
    again = read_gcg(text)
    assert again.ok
    assert again.events[1] == lifted
