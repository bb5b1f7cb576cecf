"""A scenario's table as pictures and bytes says what the plain one says."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import tilecast
from devices.lab.scenario_senses import RenderedSenses
from recorder.domain.board import Square, parse_square
from recorder.domain.instruments import SlipMark
from recorder.domain.observations import BoardNotSeen, BoardSeen, Side
from recorder.domain.reading.looks import TRUSTED_POSE
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import EMPTY, Tile
from recorder.lab.scenario.senses import BoardView, ClockLine, ClockSaid, PlainSenses
from recorder.lab.scenario.steps import Setup, SlipShows
from recorder.lab.scenario.table_top import LyingTile

pytestmark = pytest.mark.pixels

SETUP = Setup(minutes=1)
GAME = """
rules wespa4
sensors clock camera racks slip box
rack 1 CATERS?
slip 1 empty
start
+20
lay 8F CATs
slip 1 S
+2
say 1 score 10
press 1
+2
expect turn 1 1 play 8F CATs 10
+20
cover
+2
uncover
+2
lay 9E TEA
+2
press 2
+1
expect turn 2 2 play 9E TEA 11
+2
stop
expect totals 10 11
"""


@pytest.fixture(scope="module")
def rendered() -> Iterator[RenderedSenses]:
    """Devices that see pictures."""
    senses = RenderedSenses(SETUP)
    yield senses
    senses.close()


def lying(**tiles: LyingTile) -> dict[Square, LyingTile]:
    """Tiles by the names of their squares."""
    return {parse_square(name)[0]: tile for name, tile in tiles.items()}


def word(place: str, letters: str, degrees: int = 0) -> dict[Square, LyingTile]:
    """A word across, each letter turned so far."""
    start = parse_square(place)[0]
    return {
        Square(start + at): LyingTile(read_tile(tile), 1, degrees=degrees)
        for at, tile in enumerate(letters)
    }


@pytest.mark.parametrize(
    "view",
    [
        BoardView(word("8F", "QUaLM")),
        BoardView(word("8H", "MLAUQ", degrees=180)),
        BoardView(
            word("8F", "QUALM") | lying(H9=LyingTile(read_tile("A"), 1, is_face_up=False)), knocks=1
        ),
    ],
    ids=["as usual", "upside down", "a back and a knock"],
)
def test_a_picture_is_read_as_the_plain_look_says(rendered: RenderedSenses, view: BoardView):
    """The same symbol on every square; the way up too, where the camera is calibrated."""
    plain = PlainSenses(60_000).board(view, "f", 900)
    seen = rendered.board(view, "f", 900)
    assert isinstance(seen, BoardSeen)
    assert isinstance(plain, BoardSeen)
    assert [seen.squares.best(sq) for sq in range(225)] == [
        plain.squares.best(sq) for sq in range(225)
    ]
    assert seen.letters_turned in ({plain.letters_turned} if not view.knocks else {None, 0})


def test_a_tile_that_lies_turned_is_told_where_its_letter_shows_it(rendered: RenderedSenses):
    """The L, the A and the E are reported, the M and the O not."""
    view = BoardView(word("8F", "QUALM") | word("6D", "LAMEO", 180) | word("10C", "TREND"))
    plain, seen = PlainSenses(60_000).board(view, "f", 900), rendered.board(view, "f", 900)
    assert isinstance(plain, BoardSeen)
    assert isinstance(seen, BoardSeen)
    assert [tile.degrees for tile in plain.turned_tiles] == [180] * 3
    assert set(seen.turned_tiles) == set(plain.turned_tiles)


def test_a_back_and_a_blank_look_alike(rendered: RenderedSenses):
    """What a look says of ten backs and of ten blanks in their places: blanks, as surely."""
    margins: list[float] = []
    for tile in (LyingTile(read_tile("A"), 1, is_face_up=False), LyingTile(read_tile("?"), 1)):
        view = word("8H", "TEA") | {Square((17 + 20 * at) % 225): tile for at in range(10)}
        seen = rendered.board(BoardView(view), "f", 900)
        assert isinstance(seen, BoardSeen)
        read = [seen.squares.best_and_margin(sq) for sq, lying in view.items() if lying == tile]
        assert [symbol for symbol, _ in read].count(read_tile("?")) >= 9
        margins.append(sorted(margin for _, margin in read)[5])
    assert abs(margins[0] - margins[1]) < 1


def test_a_covered_board_is_not_seen(rendered: RenderedSenses):
    """A cloth over all of it: no look that a turn could be read from."""
    seen = rendered.board(BoardView(word("8F", "CAT"), is_covered=True), "f", 900)
    assert isinstance(seen, BoardNotSeen) or seen.pose_score < TRUSTED_POSE


def test_a_board_may_stand_turned():
    """The camera was calibrated on it as it is: squares are those of its lettering."""
    senses = RenderedSenses(replace(SETUP, turned=90))
    seen = senses.board(BoardView(word("8F", "CAT"), turned=90), "f", 900)
    senses.close()
    assert isinstance(seen, BoardSeen)
    assert [seen.squares.best(square) for square in range(110, 113)] == [
        read_tile("C"),
        read_tile("A"),
        read_tile("T"),
    ]
    assert seen.letters_turned == 0


def test_a_rack_is_read_and_of_backs_nothing_is_said(rendered: RenderedSenses):
    """Letters as they are; backs alone are no rack to the eyes."""
    seen = rendered.rack(Side.LEFT, 7, read_tiles("CATERS?"))
    assert seen is not None
    assert seen.letters == read_tiles("CATERS?")
    assert rendered.rack(Side.LEFT, 6, None) is None


@pytest.mark.parametrize(
    ("shown", "letters"),
    [
        (SlipShows(1), [EMPTY, EMPTY]),
        (SlipShows(1, (Tile("T"), Tile("R"))), [Tile("T"), Tile("R")]),
        (SlipShows(1, (EMPTY,)), [SlipMark.UNREADABLE, EMPTY]),
    ],
)
def test_a_slip_is_read(rendered: RenderedSenses, shown: SlipShows, letters: list[Tile | SlipMark]):
    """Circled letters, topmost first; two in a row cannot be read."""
    seen = rendered.slip(shown)
    assert seen is not None
    read = [one.mark if one.mark is SlipMark.UNREADABLE else one.letter for one in seen.entries]
    assert read[:2] == letters


def clock_words(clock: ClockLine) -> list[ClockSaid]:
    """What a clock says in a game with stops, a correction and overtime."""
    said: list[ClockSaid] = [*clock.reset(), *clock.press(Side.RIGHT)]
    said += [*clock.advance(20_000), *clock.press(Side.RIGHT), *clock.press(Side.LEFT)]
    said += [*clock.advance(10_000), *clock.pause(), *clock.pause(), *clock.run(Side.LEFT)]
    said += [*clock.set(5_000, 30_000), *clock.advance(6_000), *clock.pause()]
    return said


def test_the_clocks_bytes_say_what_the_plain_clock_says(rendered: RenderedSenses):
    """Switches, the flag, times set by the host: through the firmware, the line, the driver."""
    assert clock_words(rendered.clock) == clock_words(PlainSenses(60_000).clock)


def test_a_game_is_played_through_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Tilecast scenario --pixels: a blank by its slip, a cloth over the board, a play beneath."""
    file = tmp_path / "game.scn"
    file.write_text(GAME, encoding="utf-8")
    status = tilecast.main(["scenario", "--pixels", str(file)])
    assert (status, capsys.readouterr().out) == (0, f"{file}: 3 hold\n")
