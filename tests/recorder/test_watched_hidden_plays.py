"""Plays that no look shows by themselves, where no clock speaks: a cut hid them, or an arm."""

from recorder.domain.plays import parse_placement
from recorder.watched_game import watched_json
from tests.recorder.test_watched_game import ADA, BEN, START, read, told


def test_two_plays_in_one_look_are_told_as_two_and_doubtful():
    """A cut hid the first, of one tile; whoever laid last is known, which was first is not."""
    laid = parse_placement("10D ZAIL").new_tiles() | parse_placement("D7 E").new_tiles()
    both = START[2][0].place(laid)
    beside = both.place(parse_placement("E5 AXE").new_tiles())
    watched = read(*START, (both, BEN), (beside, ADA))
    assert told(watched)[2:] == ["1 10D ZAIL!", "2 D7 E.!", "1 E5 AXE."]
    doubts = watched_json(watched)["turns"][2]["doubts"]
    assert "two plays in one look: their order and players are assumed" in doubts


def test_a_play_beside_a_tile_that_nobody_was_seen_to_lay_is_doubtful():
    """Its score was told without that tile, and without a word."""
    laid = parse_placement("10D ZAIL").new_tiles() | parse_placement("D7 E").new_tiles()
    hidden = START[2][0].place(laid)
    beside = hidden.place(parse_placement("E5 AXE").new_tiles())
    watched = read(*START, (hidden, ADA), (beside, BEN))
    assert told(watched)[2:] == ["1 10D ZAIL!", "2 E5 AXE.!"]
    doubts = watched_json(watched)["turns"][3]["doubts"]
    assert doubts == ["lies beside a tile that no play explains: 7D"]
