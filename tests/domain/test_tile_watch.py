"""Which reading of a sensor speaks of which draw, with racks that are laid from all the time."""

from recorder.domain.game import Played, Withdrawn
from recorder.domain.groups import Group
from recorder.domain.observations import BagLifted, BagWeighed, CountEstimate, RackCounted, Side
from recorder.domain.plays import parse_placement
from recorder.domain.rules.account_stories import Kind
from recorder.domain.tile_spans import Sensed, sensed
from recorder.domain.tile_watch import TurnOfTiles, Watched, watch

TOTAL = 100
FIRST, SECOND, THIRD = (
    Played(0, parse_placement("8F HAND"), 0),
    Played(1, parse_placement("9F CATS"), 0),
    Played(0, parse_placement("10F TEN"), 0),
)


class Table:
    """Readings and turns, a second after each other."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.readings: list[Sensed] = []
        self.turns: list[TurnOfTiles] = []
        self.rack(0, 7)
        self.rack(1, 7)

    def rack(self, player: int, count: int) -> None:
        """A rack counter says how many tiles stand there."""
        side = (Side.LEFT, Side.RIGHT)[player]
        self._say(RackCounted(side=side, places="#" * count, confidence=0.99))

    def lift(self) -> None:
        """The bag leaves its scale."""
        self._say(BagLifted(grams=None))

    def weigh(self, tiles: int) -> None:
        """The bag is weighed."""
        estimate = CountEstimate(tiles, 0.9, ((tiles + 1, 0.05), (tiles - 1, 0.05)))
        self._say(BagWeighed(grams=1.5 * tiles, spread_g=0.0, settled=True, tiles=estimate))

    def press(self, *events: Played | Withdrawn) -> None:
        """A turn is over."""
        self.now_ms += 1000
        group = Group(ref=self.now_ms, refs=(), events=events, log_odds=0.0)
        self.turns.append(TurnOfTiles(group=group, at_ms=self.now_ms))

    def draw(self, player: int, bag: int) -> None:
        """What is due, from the bag to the rack."""
        self.lift()
        self.rack(player, 7)
        self.weigh(bag)

    def watched(self, before: Watched | None = None) -> Watched:
        """What follows, some seconds later."""
        return watch(self.turns, self.readings, TOTAL, self.now_ms + 5000, before=before)

    def _say(self, observation: RackCounted | BagLifted | BagWeighed) -> None:
        self.now_ms += 1000
        seat = {Side.LEFT: 0, Side.RIGHT: 1}
        one = sensed(self.now_ms, self.now_ms, observation, seat.get)
        assert one is not None
        self.readings.append(one)


def kinds(watched: Watched) -> list[Kind | None]:
    """The mishaps found."""
    return [
        None if one.finding.mishap is None else one.finding.mishap.kind for one in watched.found
    ]


def test_laying_tiles_is_no_shortage() -> None:
    """Each rack falls in its player's own turn, before the press, and is filled after it."""
    table = Table()
    for player, play, bag in ((0, FIRST, 82), (1, SECOND, 78), (0, THIRD, 75)):
        table.rack(player, 7 - len(play.placement.new_tiles()))
        table.press(play)
        table.draw(player, bag)
    assert table.watched() == Watched(done=table.watched().done)


def test_a_draw_after_the_opponents_is_out_of_order_and_the_next_play_no_shortage() -> None:
    """The late player is on turn then, draws, and lays tiles at once."""
    table = Table()
    table.rack(0, 3)
    table.press(FIRST)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 82)
    table.draw(0, 78)
    table.rack(0, 4)
    assert kinds(table.watched()) == [Kind.OUT_OF_ORDER]
    table.press(THIRD)
    table.draw(0, 75)
    assert kinds(table.watched()) == [Kind.OUT_OF_ORDER]


def test_nobody_draws_for_a_play_that_is_taken_back() -> None:
    """Held, challenged and taken off: rack and bag are as before."""
    table = Table()
    table.rack(0, 3)
    table.press(FIRST, Withdrawn(0, 0))
    table.rack(0, 7)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 82)
    assert kinds(table.watched()) == []


def test_while_a_play_is_held_its_draw_is_waited_for() -> None:
    """Nothing is missing from a rack that nobody has drawn to."""
    table = Table()
    table.draw(0, 86)
    table.rack(0, 3)
    table.press(FIRST)
    watched = table.watched()
    assert kinds(watched) == []
    assert watched.drawing


def test_a_draw_before_the_own_press_is_noticed_and_upsets_nothing() -> None:
    """The second player lays, draws, and presses only then."""
    table = Table()
    table.rack(0, 3)
    table.press(FIRST)
    table.draw(0, 82)
    table.rack(1, 3)
    table.draw(1, 78)
    (one,) = table.watched().unpressed
    assert one.player == 1
    table.press(SECOND)
    watched = table.watched()
    assert kinds(watched) == []
    assert len(watched.unpressed) == 1


def test_what_is_put_right_is_found_once_and_blames_no_sensor() -> None:
    """A tile too many goes back into the bag."""
    table = Table()
    table.rack(0, 3)
    table.press(FIRST)
    table.lift()
    table.rack(0, 8)
    table.weigh(81)
    table.draw(0, 82)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 78)
    assert kinds(table.watched()) == [Kind.OVERDRAW]


def test_what_was_watched_before_changes_nothing() -> None:
    """It saves time only; a reading that comes late is heard all the same."""
    table = Table()
    table.rack(0, 3)
    table.press(FIRST)
    table.lift()
    table.rack(0, 8)
    table.weigh(81)
    table.rack(1, 3)
    table.press(SECOND)
    before = table.watched()
    assert table.watched(before) == before
    late = table.readings.pop(4)
    assert table.watched(before).found != before.found
    table.readings.insert(4, late)
    assert table.watched(table.watched(before)) == before
