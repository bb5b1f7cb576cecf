"""What a look shows against the rules of placement is read as it lies, nothing invented."""

from dataclasses import dataclass

import pytest

from recorder.domain.board import name_across
from recorder.domain.game import GameEvent, IllegallyPlayed, NoPlay, Played, Withdrawn
from recorder.domain.observations import SquareCosts
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.reconstruct import Reconstruction, begin, step
from recorder.domain.tiles import Tile
from recorder.tilesets import load_tile_set
from tests.looks import Beliefs, look

pytestmark = pytest.mark.slow

EMPTY: dict[str, str] = {}
HAND = {"8G": "H", "8H": "A", "8I": "N", "8J": "D"}
CAT = {"9F": "C", "9G": "A", "9H": "T"}
PRESSED = LookContext(as_pressed=True)


@dataclass
class Board:
    """Tiles by square names, on which plays are laid and taken off."""

    tiles: dict[str, str]

    def look(self, beliefs: Beliefs | None = None) -> SquareCosts:
        """A clear look at it, but for the squares of ``beliefs``."""
        sure = {name: {letter: 0.97} for name, letter in self.tiles.items()}
        return look("." * 15, sure | (beliefs or {}))


def read(*boards: SquareCosts, context: LookContext = PRESSED) -> Reconstruction:
    known = begin(load_tile_set("english"))
    for ref, one in enumerate(boards, start=1):
        known = step(known, one, context, ref=ref)
    return known


def laid(*boards: dict[str, str]) -> Reconstruction:
    """Clear looks at boards that grow by these tiles."""
    lying: dict[str, str] = {}
    looks = []
    for new in boards:
        lying = lying | new
        looks.append(Board(lying).look())
    return read(*looks)


def told(known: Reconstruction) -> list[str]:
    return [_text(event) for one in known.turns for event in one.events]


def _text(event: GameEvent) -> str:
    match event:
        case Played(player=player, placement=placement, score=score):
            return f"{player} {placement} {score}"
        case IllegallyPlayed(player=player, tiles=tiles, faults=faults):
            squares = " ".join(f"{name_across(sq)}={tile}" for sq, tile in tiles)
            return f"{player} {faults[0]} {squares}"
        case Withdrawn(player=player):
            return f"{player} withdrawn"
        case NoPlay(player=player):
            return f"{player} no play"
    return str(event)


AGAINST_THE_RULES = {
    "not_in_line": ({"9F": "C", "9G": "A", "9H": "T", "13A": "S"}, "9F=C 9G=A 9H=T 13A=S"),
    "gap": ({"9F": "C", "9G": "A", "9I": "T"}, "9F=C 9G=A 9I=T"),
    "not_touching": ({"3C": "C", "3D": "A", "3E": "T"}, "3C=C 3D=A 3E=T"),
    "two_plays": ({"7G": "A", "9G": "E", "8K": "S"}, "7G=A 8K=S 9G=E"),
    "diagonal": ({"9K": "C", "10L": "A", "11M": "T"}, "9K=C 10L=A 11M=T"),
}


@pytest.mark.parametrize("fault", AGAINST_THE_RULES)
def test_a_laying_against_the_rules_is_read_square_by_square(fault: str) -> None:
    """Its player has it, just the tiles that lie there, and what is wrong with it first."""
    tiles, text = AGAINST_THE_RULES[fault]
    known = laid(HAND, tiles)
    assert told(known) == ["0 8G HAND 16", f"1 {fault} {text}"]
    assert not known.turns[0].doubts


@pytest.mark.parametrize("fault", AGAINST_THE_RULES)
def test_the_game_stays_readable_after_a_laying_against_the_rules(fault: str) -> None:
    """The next play is the other player's; what is taken back is withdrawn."""
    tiles, text = AGAINST_THE_RULES[fault]
    stands = laid(HAND, tiles, {"9J": "O", "10J": "G"})
    assert told(stands)[:2] == ["0 8G HAND 16", f"1 {fault} {text}"]
    assert told(stands)[2].startswith("0 J8 .OG ")
    without = Board(HAND).look()
    back = read(Board(HAND).look(), Board(HAND | tiles).look())
    back = step(back, without, LookContext(LookKind.BETWEEN), ref=3)
    assert told(back) == ["0 8G HAND 16", f"1 {fault} {text}", "1 withdrawn"]


FIRST_PLAYS = {
    "off_centre": ({"6C": "C", "6D": "A", "6E": "T"}, "6C=C 6D=A 6E=T"),
    "one_tile": ({"8H": "A"}, "8H=A"),
}


@pytest.mark.parametrize("fault", FIRST_PLAYS)
def test_a_first_play_beside_the_centre_or_of_one_tile_is_read(fault: str) -> None:
    tiles, text = FIRST_PLAYS[fault]
    after = {"7D": "S"} if fault == "off_centre" else {"8I": "T"}
    known = laid(tiles, after)
    assert told(known)[0] == f"0 {fault} {text}"
    assert isinstance(known.turns[1].events[0], Played)


def test_eight_tiles_in_one_turn_are_all_read() -> None:
    """Seven are what a rack holds; an eighth is seen, not dropped."""
    eight = {f"8{column}": letter for column, letter in zip("ABCDEFGH", "RELATION", strict=True)}
    (event,) = laid(eight).turns[0].events
    assert isinstance(event, IllegallyPlayed)
    assert event.faults[0] == "over_seven"
    assert len(event.tiles) == 8


def test_a_square_that_was_seen_bare_is_never_filled() -> None:
    """TO_EN with a bare gap is no TOTEN, however slow an illegal laying is."""
    gap = {"9G": "T", "9H": "O", "9J": "E", "9K": "N"}
    known = laid(HAND, gap)
    assert told(known)[1] == "1 gap 9G=T 9H=O 9J=E 9K=N"
    assert known.board.cells.count(Tile("T")) == 1


def test_a_square_that_nobody_could_see_is_filled() -> None:
    """Under a hand a legal play explains the look better than a gap that nobody saw."""
    hidden: Beliefs = {"9H": {"#": 0.97}}
    tiles = {"9F": "C", "9G": "A", "9I": "S"}
    known = read(Board(HAND).look(), Board(HAND | tiles).look(hidden))
    event = known.turns[1].events[0]
    assert isinstance(event, Played)
    assert known.turns[1].doubts


@pytest.mark.parametrize(("tile", "wins"), [(0.6, "legal"), (0.97, "legal"), (0.985, "illegal")])
def test_only_plain_evidence_makes_a_turn_illegal(tile: float, wins: str) -> None:
    """What the eyes now and then get wrong (four nats) stays a doubt beside the legal play."""
    beliefs: Beliefs = {"3C": {"E": tile, ".": 0.99 - tile}}
    known = read(Board(HAND).look(), Board(HAND | CAT).look(beliefs))
    event = known.turns[1].events[0]
    assert isinstance(event, Played if wins == "legal" else IllegallyPlayed)


def test_tiles_of_the_next_player_make_no_turn_illegal() -> None:
    """Where the board may have moved since the press, what is too much belongs to nobody yet."""
    begun = Board(HAND | CAT | {"3C": "E"}).look()
    moved = read(Board(HAND).look(), begun, context=LookContext())
    assert told(moved) == ["0 8G HAND 16", "1 9F CAT 14"]
    assert told(read(Board(HAND).look(), begun))[1].startswith("1 not_in_line")


def test_a_doubt_stays_with_its_turn() -> None:
    """A tile that no play explains is a doubt of the turn that first shows it, and of no later."""
    stray = {"3C": "E"}
    more = {"10H": "O"}
    boards = [HAND, HAND | CAT | stray, HAND | CAT | stray | more, HAND | CAT | stray | more]
    known = read(*(Board(one).look() for one in boards), context=LookContext())
    doubtful = [bool(one.doubts) for one in known.turns]
    assert doubtful == [False, True, False, False]


@pytest.mark.parametrize(
    ("now", "square"), [({}, None), ({"8L": "D"}, "8L")], ids=["gone", "moved"]
)
def test_an_earlier_tile_that_lies_elsewhere_changes_no_play(
    now: dict[str, str], square: str | None
) -> None:
    """HAND stays HAND; the turn that first shows the tile elsewhere, or nowhere, says so."""
    lying = {name: letter for name, letter in HAND.items() if name != "8J"} | CAT | now
    known = read(Board(HAND).look(), Board(lying).look())
    assert told(known) == ["0 8G HAND 16", "1 9F CAT 14"]
    ((was, found),) = known.turns[1].astray
    assert name_across(was) == "8J"
    assert (None if found is None else name_across(found)) == square


def test_a_letter_that_is_exchanged_after_the_press_changes_no_play() -> None:
    """HAND was pressed and stays; the square that shows another tile is reported with it."""
    other = HAND | {"8J": "G"}
    known = read(Board(HAND).look(), Board(other | CAT).look())
    assert told(known) == ["0 8G HAND 16", "1 9F CAT 14"]
    assert [name_across(sq) for sq in known.best.turns[1].changed] == ["8J"]


def test_loose_tiles_taken_off_after_the_reply_leave_both_plays() -> None:
    """The laying stays a turn without its tiles, the reply is the next one."""
    loose = {"3C": "C", "3D": "A", "3E": "T"}
    known = laid(HAND, loose, CAT)
    known = step(known, Board(HAND | CAT).look(), LookContext(LookKind.BETWEEN), ref=4)
    events = [event for one in known.turns for event in one.events]
    assert isinstance(events[1], IllegallyPlayed)
    assert sorted(map(name_across, events[1].lifted)) == ["3C", "3D", "3E"]
    assert told(known)[2] == "0 9F CAT 14"
    assert known.board.cells.count(Tile("")) == 225 - 7
