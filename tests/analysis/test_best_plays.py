"""The search for plays, held against trying every word everywhere."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from recorder.analysis.best_plays import PlayFinder
from recorder.analysis.leaves import leave_points
from recorder.domain.board import (
    CENTRE,
    EMPTY_BOARD,
    SIZE,
    Board,
    Direction,
    Square,
    along,
    line_from,
    neighbours,
)
from recorder.domain.plays import Fault, Placement, placement_faults
from recorder.domain.scoring import score, words_formed
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import EMPTY, unnamed
from recorder.tilesets import load_tile_set
from tests.boards import board_of

pytestmark = pytest.mark.slow

ENGLISH, GERMAN = load_tile_set("english"), load_tile_set("german")
WORDS = (  # noqa: SIM905 - a list of a hundred quoted words reads worse
    "AB AD AE AH AI AS AT BA BE BO DE DO ED EH EL EN ES ET HA HE HO ID IN IS IT LA LO MA ME MI MY"
    " NA NE NO OE OH ON OR OS RE SO TA TE TI TO BOY QUALM QUALMS TRAIN TRAINS TRAINER RETAINS"
    " NASTIER STAINER RETINAS TOE TOES TON TONS TEN TENS NET NETS SET SETS TIN TINS NIT NITS SIT"
    " ANT ANTS TAN TANS EAT EATS TEA TEAS ATE SEAT EAST STAR RATS TARS ARTS NEAR EARN RAIN IRON"
    " ION IONS LION LIONS OIL OILS SOIL TOIL TOILS NAIL NAILS SNAIL ZA QI ZIT ZITS EX AX AXE AXES"
    " TAXI TAXIS OX BOX BOXES BOXER BOXERS FOX FOXES"
).split()


def everything(
    words: Iterable[str], board: Board, rack: str
) -> Iterator[tuple[str, Direction, str, int]]:
    """All plays, the slow way: position, word as it reads, the best score for its blanks."""
    listed = set(words)
    letters = Counter(rack) + Counter(map(str, map(unnamed, board.cells)))
    taken = board.occupied() or (CENTRE,)
    joining = {*taken, *(near for sq in taken for near in neighbours(sq) if not board.is_empty)}
    for word in listed:
        if (Counter(word) - letters).total() > rack.count("?"):
            continue
        for number in range(SIZE * SIZE):
            for direction in Direction:
                line = line_from(Square(number), direction, len(word))
                if len(line) < len(word) or joining.isdisjoint(line):
                    continue
                best = max(laid(listed, board, rack, word, direction, line), default=-1)
                if best >= 0:
                    yield (
                        Placement(line[0], direction, read_tiles(word)).position,
                        direction,
                        word,
                        best,
                    )


def laid(
    listed: set[str],
    board: Board,
    rack: str,
    word: str,
    direction: Direction,
    line: tuple[Square, ...],
) -> Iterator[int]:
    """The scores of a word at a place, for every choice of blanks that the rack allows."""
    there = zip(line, word, strict=True)
    if any(board.has_tile(sq) and str(unnamed(board[sq])) != letter for sq, letter in there):
        return
    around = [along(line[0], direction, step) for step in (-1, len(word))]
    if any(sq is not None and board.has_tile(sq) for sq in around):
        return
    text = "".join(
        "." if board.has_tile(sq) else letter for sq, letter in zip(line, word, strict=True)
    )
    if (Counter(text.replace(".", "")) - Counter(rack)).total() > rack.count("?"):
        return
    plain = Placement(line[0], direction, read_tiles(text))
    # Which tiles are blanks changes the supply, and nothing else that can be wrong with a play.
    if text == "." * len(text) or placement_faults(board, plain, ENGLISH) & ~Fault.NOT_IN_SUPPLY:
        return
    if not all(
        write_tiles(map(unnamed, one.tiles)) in listed for one in words_formed(board, plain)
    ):
        return
    for tiles in blanked(text):
        if Counter("?" if t.islower() else t for t in tiles if t != ".") - Counter(rack):
            continue
        placement = Placement(line[0], direction, read_tiles(tiles))
        if not placement_faults(board, placement, ENGLISH):
            yield score(board, placement, ENGLISH)


def blanked(text: str) -> Iterator[str]:
    yield text
    for first in range(len(text)):
        once = text[:first] + text[first].lower() + text[first + 1 :]
        if once != text:
            yield once
            for second in range(first + 1, len(text)):
                twice = once[:second] + once[second].lower() + once[second + 1 :]
                if twice != once:
                    yield twice


@pytest.mark.parametrize(
    ("board", "rack"),
    [
        ((), "QUALMSB"),
        ((), "RETAIN?"),
        (("8D QUALM",), "BOYSTEN"),
        (("8D QUALM", "9F BOY"), "TRAINES"),
        (("8D QuALM", "9F BOY", "H8 ..TOE"), "AXSNI?E"),
        (("8D TRAINER",), "S"),
        (("8D TRAINER", "K4 SNAI."), "FOXES??"),
    ],
    ids=["opening", "opening with a blank", "one word", "two", "blank on the board", "one", "two?"],
)
def test_it_finds_every_play_with_its_score(board: tuple[str, ...], rack: str) -> None:
    """The same plays and scores as trying everything, blanks where they cost least."""
    position = board_of(*board)
    slowly = {(where, word): points for where, _, word, points in everything(WORDS, position, rack)}
    found = PlayFinder(WORDS, ENGLISH).best(position, read_tiles(rack), most=10_000)
    quickly: dict[tuple[str, str], int] = {}
    for play in found:
        cells = zip(play.placement.squares(), play.placement.word, strict=True)
        word = write_tiles(unnamed(position[sq] if t is EMPTY else t) for sq, t in cells)
        quickly[(play.placement.position, word)] = play.score
        assert play.score == score(position, play.placement, ENGLISH)
    assert quickly == slowly
    assert len(found) == len(quickly) > 0


def test_the_leave_is_what_stays_on_the_rack() -> None:
    """Tiles and blanks, and what they are worth decides between plays of one score."""
    best = PlayFinder(["BOX", "BOXER"], ENGLISH).best(EMPTY_BOARD, read_tiles("BOXER?S"))
    longest = next(play for play in best if play.placement.word == read_tiles("BOXER"))
    assert longest.leave == read_tiles("S?")
    assert longest.worth == longest.score + leave_points(read_tiles("S?"), ENGLISH.vowels)
    assert [play.worth for play in best] == sorted((play.worth for play in best), reverse=True)


def test_nothing_is_found_where_nothing_fits() -> None:
    """No word, no rack, no list: an empty answer, not an error."""
    assert PlayFinder(WORDS, ENGLISH).best(EMPTY_BOARD, read_tiles("VVVVVVV")) == []
    assert PlayFinder(WORDS, ENGLISH).best(EMPTY_BOARD, read_tiles("")) == []
    assert PlayFinder([], ENGLISH).best(EMPTY_BOARD, read_tiles("TRAINES")) == []


def test_no_play_runs_over_a_blank_that_nobody_has_named() -> None:
    """Its letter is not known, so no word over it is."""
    board = board_of("8G T?E")
    plays = PlayFinder(["TOE", "TOES", "AT"], ENGLISH).best(board, read_tiles("SA"), most=100)
    assert all("8G" not in play.placement.position for play in plays)
    assert plays


def test_letters_beyond_the_alphabet_are_found_too() -> None:
    """German words with umlauts; words with letters outside the set are left out."""
    finder = PlayFinder(["ÖL", "ÖLE", "SSS", "STRAẞE"], GERMAN)
    words = {play.placement.word for play in finder.best(EMPTY_BOARD, read_tiles("ÖLE"), most=100)}
    assert words == {read_tiles("ÖL"), read_tiles("ÖLE")}


@pytest.mark.parametrize(
    ("better", "worse"), [("?", "S"), ("S", "E"), ("E", "V"), ("AE", "EE"), ("AT", "AE"), ("", "Q")]
)
def test_the_rule_of_thumb_prefers_what_players_prefer(better: str, worse: str) -> None:
    """A blank before an S, an S before an E, different before double, balance before vowels."""
    assert leave_points(read_tiles(better), ENGLISH.vowels) > leave_points(
        read_tiles(worse), ENGLISH.vowels
    )


def test_only_so_many_are_told_and_they_are_the_first_of_all() -> None:
    """Where the last ones are worth the same, the names decide, as in the whole list."""
    position = board_of("8D QuALM", "9F BOY", "H8 ..TOE")
    finder = PlayFinder(WORDS, ENGLISH)
    everything_found = finder.best(position, read_tiles("AXSNI?E"), most=10_000)
    for most in (0, 1, 2, 7, 50):
        assert finder.best(position, read_tiles("AXSNI?E"), most=most) == everything_found[:most]
