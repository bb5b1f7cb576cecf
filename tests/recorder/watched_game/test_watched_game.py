"""Looks without a clock, divided into turns: by who reached in, and by what came and went."""

from dataclasses import replace

import pytest

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.errors import NotationError
from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import SYMBOLS, BoardNotSeen, BoardSeen, SquareCosts
from recorder.domain.pictured import WatchedLook
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tile
from recorder.gcg import read_gcg, write_gcg
from recorder.tilesets import load_tile_set
from recorder.watched_game import WatchedGame, read_watched, watched_json
from tests.boards import board_of

pytestmark = pytest.mark.slow

CORNERS = ((0.0, 0.0), (15.0, 0.0), (15.0, 15.0), (0.0, 15.0))
ADA, BEN = "bottom", "top"
LEANS = 16
"""The costs by which a blurred tile looks like one letter rather than another: a nat."""
STEP_MS = 20_000


def look(
    number: int,
    shown: Board,
    *reached: str,
    at_ms: int | None = None,
    arms: tuple[str, ...] = (),
) -> WatchedLook:
    """A sure look, taken twenty seconds after the one before."""
    symbols = "".join(shown.rows())
    costs = bytes(0 if symbol == mark else 160 for mark in symbols for symbol in SYMBOLS)
    seen = BoardSeen(
        frame=f"f{number}",
        squares=SquareCosts(costs),
        corners=CORNERS,
        pose_score=1.0,
        turn_margin=50.0,
        covered=0.0,
        still_ms=300,
    )
    at_ms = STEP_MS * number if at_ms is None else at_ms
    return WatchedLook(f"f{number}", at_ms, (number, number), reached, seen, arms)


def read(*looks: tuple[Board, str]) -> WatchedGame:
    """The game of boards, and of the edge from which somebody reached in before each."""
    tiles = load_tile_set("english")
    made = [
        look(number, shown, *([edge] if edge else [])) for number, (shown, edge) in enumerate(looks)
    ]
    return read_watched(made, tiles)


def told(watched: WatchedGame) -> list[str]:
    """Player, kind and play of every turn, and an exclamation mark where it is doubtful."""
    return [
        f"{turn['player']} {turn['position'] or turn['kind']} {turn['word'] or ''}".strip()
        + ("!" if turn["doubtful"] else "")
        for turn in watched_json(watched)["turns"]
    ]


START = (
    (EMPTY_BOARD, ""),
    (board_of("8D QUALM"), ADA),
    (board_of("8D QUALM", "9F BOY"), BEN),
)
PLAYED = ["1 8D QUALM", "2 9F BOY"]


def test_the_side_that_reaches_in_divides_turns_and_a_play_may_come_in_parts():
    """Two handfuls of one player's tiles are one play; times and frames are those of the last."""
    half = board_of("8D QUALM", "9F BOY").place(parse_placement("10D ZA").new_tiles())
    whole = board_of("8D QUALM", "9F BOY", "10D ZAIL")
    watched = read(*START, (half, ADA), (whole, ADA))
    assert told(watched) == [*PLAYED, "1 10D ZAIL"]
    turn = watched_json(watched)["turns"][-1]
    assert (turn["look"], turn["at_ms"], turn["frames"]) == ("f4", 80_000, [4, 4])


@pytest.mark.parametrize("again", [(ADA,), ()], ids=["reaching", "resting"])
@pytest.mark.parametrize("parts", ["10E A,10G L", "10D Z,10G L"], ids=["loose", "gap"])
def test_a_play_is_one_turn_in_whatever_order_its_tiles_are_laid(
    parts: str, again: tuple[str, ...]
):
    """The hand rests with tiles that touch nothing yet, or with a gap between them."""
    shown = START[2][0]
    looks = [look(0, EMPTY_BOARD), look(1, board_of("8D QUALM"), ADA), look(2, shown, BEN)]
    for number, part in enumerate([*parts.split(","), "10D ZAIL"], 3):
        laid = parse_placement(part).new_tiles()
        shown = shown.place({sq: tile for sq, tile in laid.items() if not shown.has_tile(sq)})
        reached = again if number == 4 else (ADA,)
        looks.append(look(number, shown, *reached, at_ms=50_000 + 1000 * number))
    assert told(read_watched(looks, load_tile_set("english"))) == [*PLAYED, "1 10D ZAIL"]


def test_tiles_that_come_off_before_the_other_player_lays_were_taken_back():
    """A play withdrawn after a challenge; its player lays nothing else, so it was a turn."""
    phony, after = board_of("8D QUALM", "9F BOY", "10D ZAIL"), board_of("8D QUALM", "9F BOY")
    watched = read(*START, (phony, ADA), (after, ADA), (board_of("8D QUALMY", "9F BOY"), BEN))
    withdrawn = [*PLAYED, "1 10D ZAIL", "1 10D ZAIL", "2 8D .....Y"]
    assert told(watched) == withdrawn
    assert watched_json(watched)["turns"][3]["kind"] == "withdraw"


def test_a_play_that_comes_off_tile_by_tile_was_made_whole():
    """A look between shows two of its tiles yet: what was withdrawn are all of them."""
    after = board_of("8D QUALM", "9F BOY")
    two = after.place(parse_placement("10D ZA").new_tiles())
    whole, next_play = (
        board_of("8D QUALM", "9F BOY", "10D ZAIL"),
        board_of("8D QUALMY", "9F BOY"),
    )
    looks = [*START, (whole, ADA), (two, ADA), (after, ADA), (next_play, BEN)]
    assert told(read(*looks)) == [*PLAYED, "1 10D ZAIL", "1 10D ZAIL", "2 8D .....Y"]


def test_tiles_that_an_arm_hid_for_one_look_are_still_the_play_before():
    """They look bare under it; the next look shows them beside the other player's."""
    after = board_of("8D QUALM", "9F BOY")
    two = after.place(parse_placement("10D ZA").new_tiles())
    plays = ("8D QUALM", "9F BOY", "10D ZAIL")
    looks = [*START, (board_of(*plays), ADA), (two, BEN), (board_of(*plays, "11G LA"), BEN)]
    assert told(read(*looks)) == [*PLAYED, "1 10D ZAIL", "2 11G LA"]


def test_a_tile_that_looks_bare_while_the_other_player_lays_is_not_taken_back():
    """One of several, twice: no play was withdrawn, and the looks after go on from the board."""
    plays = ["8B RETAINS", "H8 .QUALM", "13H .OBY", "14J AX"]
    looks = [(EMPTY_BOARD, ""), (board_of(plays[0]), ADA)]
    for number, (edge, hidden, first) in enumerate(
        [(BEN, "8C E", "H9 Q"), (ADA, "H10 U", "13I O"), (BEN, "13I O", "14J A")], 1
    ):
        before = board_of(*plays[:number]).place(parse_placement(first).new_tiles())
        looks += [
            (before.remove(parse_placement(hidden).new_tiles()), edge),
            (board_of(*plays[: number + 1]), edge),
        ]
    assert told(read(*looks)) == [f"{1 + at % 2} {play}" for at, play in enumerate(plays)]


def test_two_turns_taken_for_one_do_not_leave_out_the_rest_of_the_game():
    """More than two racks lie there since the last turn, but few of them are new."""
    plays = ("8B RETAINS", "8J QUALMY", "B8 .OBY", "11B .OX")
    looks = [look(0, EMPTY_BOARD)]
    for number, edge in enumerate((ADA, ADA, BEN, ADA), 1):
        looks.append(look(number, board_of(*plays[:number]), edge, at_ms=5_000 * number))
    watched = read_watched(looks, load_tile_set("english"))
    assert told(watched)[-2:] == ["2 B8 .OBY", "1 11B .OX"]
    assert watched_json(watched)["unused"] == []


def test_tiles_that_were_only_tried_out_are_no_turn():
    """The same player lays other tiles at once: nothing was withdrawn. After long, a doubt."""
    tried, settled = (
        board_of("8D QUALM", "9F BOY", "10D ZAIL"),
        board_of("8D QUALM", "9F BOY", "D8 .I"),
    )
    soon = [look(0, EMPTY_BOARD), look(1, board_of("8D QUALM"), ADA), look(2, START[2][0], BEN)]
    soon += [
        look(3, tried, ADA, at_ms=60_000),
        look(4, START[2][0], ADA, at_ms=63_000),
        look(5, settled, ADA, at_ms=66_000),
    ]
    assert told(read_watched(soon, load_tile_set("english"))) == [*PLAYED, "1 D8 .I"]
    slow = read(*START, (tried, ADA), (START[2][0], ADA), (settled, ADA))
    assert told(slow) == [*PLAYED, "1 D8 .I!"]


def test_who_sits_where_shows_a_turn_before_the_first_tiles():
    """The player named first exchanged: no board shows it, but the first tiles are the other's."""
    looks = [
        look(number, shown, *([edge] if edge else [])) for number, (shown, edge) in enumerate(START)
    ]
    tiles = load_tile_set("english")
    assert told(read_watched(looks, tiles, PictureEdge.BOTTOM)) == PLAYED
    unseen, first, second = told(read_watched(looks, tiles, PictureEdge.TOP))
    assert unseen.startswith("1 ")
    assert (first, second) == ("2 8D QUALM!", "1 9F BOY")
    loose = board_of().place(parse_placement("8D Q").new_tiles())
    parts = [(EMPTY_BOARD, ""), (loose, ADA), *START[1:]]
    looks = [
        look(number, shown, *([edge] if edge else [])) for number, (shown, edge) in enumerate(parts)
    ]
    assert told(read_watched(looks, tiles, PictureEdge.TOP)) == [unseen, first, second]


def test_the_same_player_twice_means_a_turn_that_nobody_saw():
    """The other passed or exchanged, which no board shows; it and the turn after are doubtful."""
    watched = read(*START, (board_of("8D QUALM", "9F BOY", "10D ZAIL"), BEN))
    assert told(watched) == [*PLAYED, "1 no_play!", "2 10D ZAIL!"]


QUICK = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y", "H1 MAGICAL.", "1H .ANNERS")
LATE = 4
"""The number of the look before which somebody thinks, or exchanges."""


@pytest.mark.parametrize(
    ("pause_s", "arms", "mark"),
    [
        (60, (ADA, BEN, ADA), "!"),
        (60, (ADA,), ""),
        (60, (), ""),
        (25, (ADA, BEN, ADA), ""),
    ],
    ids=["exchanged", "thought", "unseen", "quick"],
)
def test_two_turns_that_show_on_no_board_are_doubted_by_a_pause_and_by_arms(
    pause_s: int, arms: tuple[str, ...], mark: str
):
    """The opponent exchanged and then this player; a long thought alone is nothing to doubt.

    Where no arm was seen they leave no trace, and none is reported.
    """
    looks, at_ms = [look(0, EMPTY_BOARD)], 0
    for number in range(1, len(QUICK) + 1):
        at_ms += 1000 * (pause_s if number == LATE else 20)
        edge = BEN if number % 2 == 0 else ADA
        shown = board_of(*QUICK[:number])
        came = arms if number == LATE else ()
        looks.append(look(number, shown, edge, at_ms=at_ms, arms=(*came, edge)))
    watched = read_watched(looks, load_tile_set("english"))
    marks = [turn[len(turn.rstrip("!")) :] for turn in told(watched)]
    assert marks == [mark if number == LATE else "" for number in range(1, len(QUICK) + 1)]


def test_arms_that_always_come_and_go_say_nothing():
    """Racks lie in the picture: players sort their tiles before every turn, and think long once.

    Unless somebody says where the first player sits, an exchange may still lie before the first.
    """
    looks, at_ms = [look(0, EMPTY_BOARD)], 0
    for number in range(1, len(QUICK) + 1):
        at_ms += 60_000 if number == LATE else 20_000
        other, edge = (ADA, BEN) if number % 2 == 0 else (BEN, ADA)
        sorting = (edge, other) * (2 if number == LATE else 1)
        looks.append(
            look(number, board_of(*QUICK[:number]), edge, at_ms=at_ms, arms=(*sorting, edge))
        )
    tiles = load_tile_set("english")
    assert not [
        turn for turn in told(read_watched(looks, tiles, PictureEdge.BOTTOM)) if "!" in turn
    ]
    first, *others = told(read_watched(looks, tiles))
    assert first == "1 8D QUALM!"
    assert not [turn for turn in others if "!" in turn]


def test_two_exchanges_before_the_first_tiles_are_doubted():
    """As many games begin with them as have them later."""
    looks = [look(0, EMPTY_BOARD, at_ms=0)]
    for number in range(1, len(QUICK) + 1):
        edge = BEN if number % 2 == 0 else ADA
        came = (ADA, BEN) if number == 1 else ()
        shown, at_ms = board_of(*QUICK[:number]), 60_000 + 20_000 * number
        looks.append(look(number, shown, edge, at_ms=at_ms, arms=(*came, edge)))
    first, *others = told(read_watched(looks, load_tile_set("english")))
    assert first == "1 8D QUALM!"
    assert not [turn for turn in others if turn.endswith("!")]


@pytest.mark.parametrize(("first_ms", "doubt"), [(60_000, "!"), (30_000, "")])
def test_another_table_before_the_first_tiles_may_hide_exchanges(first_ms: int, doubt: str):
    """Its full board is not where this game begins; where long nothing came, that is doubted."""
    looks = [
        look(0, EMPTY_BOARD, at_ms=0),
        look(1, board_of(*FULL), at_ms=5_000),
        look(2, EMPTY_BOARD, at_ms=8_000),
    ]
    for number in range(1, len(QUICK) + 1):
        edge, at_ms = BEN if number % 2 == 0 else ADA, first_ms + 20_000 * (number - 1)
        looks.append(look(number + 2, board_of(*QUICK[:number]), edge, at_ms=at_ms))
    first, *others = told(read_watched(looks, load_tile_set("english")))
    assert first == f"1 8D QUALM{doubt}"
    assert not [turn for turn in others if turn.endswith("!")]


def test_tiles_tried_out_after_a_turn_that_nobody_saw_are_one_turn_still():
    """Laid, taken off and laid elsewhere by who played last: one turn was not seen, not two."""
    tried, settled = (
        board_of("8D QUALM", "9F BOY", "10D ZAIL"),
        board_of("8D QUALM", "9F BOY", "D8 .I"),
    )
    looks = [look(0, EMPTY_BOARD), look(1, board_of("8D QUALM"), ADA), look(2, START[2][0], BEN)]
    looks += [
        look(3, tried, BEN, at_ms=60_000),
        look(4, START[2][0], BEN, at_ms=63_000),
        look(5, settled, BEN, at_ms=66_000),
    ]
    read_so = read_watched(looks, load_tile_set("english"))
    assert told(read_so) == [*PLAYED, "1 no_play!", "2 D8 .I!"]


def test_another_table_and_a_replay_are_left_out():
    """What cannot go on from the board so far is no look at this game as it is."""
    other, replayed = board_of("8H WITHER", "12C NOBLE"), EMPTY_BOARD
    third = board_of("8D QUALM", "9F BOY", "10D ZAIL")
    watched = read(*START, (other, ""), (replayed, ""), (third, ADA))
    assert told(watched) == [*PLAYED, "1 10D ZAIL"]
    left_out = [unused["look"] for unused in watched_json(watched)["unused"]]
    assert left_out == ["f3", "f4"]


def test_a_letter_seen_more_often_than_the_set_has_it_is_doubted_where_it_was_laid():
    """Three M, all read without doubt: one of them is a W, and nobody knows which."""
    plays = ["8D QUALM", "H8 .AMBOY", "13F MA.", "14F ODE"]
    edges = (ADA, BEN, ADA, BEN)
    shown = [(board_of(*plays[: number + 1]), edge) for number, edge in enumerate(edges)]
    watched = read((EMPTY_BOARD, ""), *shown)
    assert [turn[-1] == "!" for turn in told(watched)] == [True, True, True, False]
    assert watched_json(watched)["turns"][0]["doubts"] == [
        "3 tiles read as M, but the set has 2: one of them is another letter"
    ]


def test_a_letter_that_no_look_reads_plainly_is_doubted_however_often_it_looks_the_same():
    """Each of five looks leans to the blank by a little: so does the eyes' error in each."""
    place = parse_placement("9F BOY")
    blurred, looks = [sq for sq, tile in place.new_tiles().items() if tile == read_tile("O")], []
    for number, (shown, edge) in enumerate([*START, *[(START[2][0], ADA)] * 4]):
        plain = look(number, shown, *([edge] if edge else []))
        costs = bytearray(plain.seen.squares.costs)
        for square in blurred if number > 1 else ():
            costs[square * len(SYMBOLS) + SYMBOLS.index("?")] = 0
            costs[square * len(SYMBOLS) + SYMBOLS.index("O")] = LEANS
        seen = replace(plain.seen, squares=SquareCosts(bytes(costs)))
        looks.append(replace(plain, seen=seen))
    watched = read_watched(looks, load_tile_set("english"))
    assert told(watched) == ["1 8D QUALM", "2 9F B?Y!"]
    assert watched_json(watched)["turns"][-1]["doubts"] == ["9G reads as ? or O"]


def test_where_all_reach_in_from_one_edge_players_alternate():
    """The edge says nothing then; plays long apart are turns of the players in order."""
    watched = read((EMPTY_BOARD, ""), *((shown, ADA) for shown, _ in START[1:]))
    assert told(watched)[0] == PLAYED[0]
    assert told(watched)[1].startswith(PLAYED[1])
    assert watched_json(watched)["sides"] == []
    assert watched_json(read(*START))["sides"] == [ADA, BEN]


def test_photographs_without_times_are_a_turn_each():
    """Also where two plays could be one: nobody takes a photograph of half a play."""
    tiles = load_tile_set("english")
    boards = (
        EMPTY_BOARD,
        board_of("8D QUAL"),
        board_of("8D QUALM"),
        board_of("8D QUALM", "9F BOY"),
    )
    looks = [look(number, shown) for number, shown in enumerate(boards)]
    untimed = [replace(timed, at_ms=None) for timed in looks]
    assert [line.rstrip("!") for line in told(read_watched(untimed, tiles))] == [
        "1 8D QUAL",
        "2 8D ....M",
        "1 9F BOY",
    ]


FULL = ("8D QUALM", "9F BOY", "10D ZAIL", "H1 MAGICAL.", "1H .ANNERS")


def test_half_a_game_is_told_from_where_the_source_begins():
    """What lies there is no turn; the first turn is doubtful, and no GCG can be written of it."""
    watched = read(
        (board_of("8H WITHER", "12C NOBLE", "14C NOBLE"), ""),
        (board_of(*FULL), ""),
        (board_of(*FULL), ""),
        (board_of(*FULL, "10D ....S"), ADA),
        (board_of(*FULL, "10D ....S", "N1 .EA"), BEN),
    )
    document = watched_json(watched)
    assert told(watched) == ["1 10D ....S!", "2 N1 .EA"]
    assert [turn["total"] for turn in document["turns"]] == [34, 6]
    assert document["began_with"] == list(board_of(*FULL).rows())
    assert document["board"] == list(board_of(*FULL, "10D ....S", "N1 .EA").rows())
    assert [unused["look"] for unused in document["unused"]] == ["f0"]
    with pytest.raises(NotationError, match="a game in progress"):
        watched.game(("Ada", "Ben"))


def test_a_source_without_a_board_that_lasts_is_refused():
    """No board at all names the commonest reason; a picture of a full board is no game."""
    tiles = load_tile_set("english")
    unseen = WatchedLook("f0", 0, (0, 0), (), BoardNotSeen(frame="f0", reason="no board found"))
    with pytest.raises(NotationError, match="no board found"):
        read_watched([unseen], tiles)
    with pytest.raises(NotationError, match="no two pictures"):
        read_watched([look(0, board_of(*FULL))], tiles)


def test_the_gcg_says_when_each_play_was_seen():
    """Times are notes, which every program that reads GCG passes over."""
    text = write_gcg(read(*START).game(("Ada", "Ben")))
    assert "#note seen at 0:00:20" in text
    assert read_gcg(text.encode()).final == (52, 23)
