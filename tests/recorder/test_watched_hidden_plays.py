"""Plays that no look shows by themselves, where no clock speaks: a cut hid them, or an arm."""

from recorder.domain.plays import parse_placement
from recorder.watched_game import watched_json
from tests.recorder.test_watched_game import ADA, BEN, PLAYED, START, board, read, told


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


def test_squares_that_were_misread_for_a_while_do_not_end_the_game():
    """Shade was taken for tiles beside two plays: all that followed was left out, to the end."""
    first, second = board("8D QUALM", "2B TA"), board("8D QUALM", "2B TA", "9F BOY", "13M ON")
    plays = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y", "11E HA", "12D OX")
    plain = [(board(*plays[:end]), ADA if end % 2 else BEN) for end in range(3, 7)]
    turns = told(read(START[0], (first, ADA), (second, BEN), *plain))
    assert turns[0] == "1 8D QUALM"
    assert "!" in turns[-3]  # the one with which it goes on
    assert turns[-2:] == ["1 11E HA", "2 12D OX"]


def test_a_replay_of_an_earlier_board_is_left_out_however_long_it_is():
    """It lacks whole plays; a board of which a square was misread lacks parts of them."""
    now = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y")
    boards = [(board(*now[:end]), edge) for end, edge in ((3, ADA), (4, BEN))]
    replay = [(board(*now[:2]), ADA), (board(*now[:2]), ""), (board(*now[:2]), BEN)]
    turns = told(read(*START, *boards, *replay, (board(*now, "11E .."), ADA)))
    assert turns[:4] == [*PLAYED, "1 10D ZAIL", "2 8D .....Y"]
