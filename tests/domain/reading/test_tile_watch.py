"""Which reading of a sensor speaks of which draw, with racks that are laid from all the time."""

import random
from bisect import insort
from dataclasses import replace

import pytest

from recorder.domain.game import Played, Withdrawn
from recorder.domain.instruments import BagLifted, BagWeighed, CountEstimate
from recorder.domain.observations import RackCounted, Side
from recorder.domain.plays import parse_placement
from recorder.domain.tile_account.finding import Action
from recorder.domain.tile_account.sensor_reports import Sensed, sensed
from recorder.domain.tile_account.stories import MishapKind
from recorder.domain.tile_account.unheard_lifts import SensedTiles
from recorder.domain.tile_account.watch import TurnOfTiles, Watched, watch_tiles
from recorder.domain.turns import Turn
from tests.cases import first_of

TOTAL = 100
AFRESH = 2
"""Of so many shuffles each step is worked out from nothing as well."""
FIRST, SECOND, THIRD, FOURTH = (
    Played(0, parse_placement("8F HAND"), 0),
    Played(1, parse_placement("9F CATS"), 0),
    Played(0, parse_placement("10F TEN"), 0),
    Played(1, parse_placement("11F ODE"), 0),
)


class Table:
    """Readings and turns, a second after each other."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.readings: list[Sensed] = []
        self.turns: list[TurnOfTiles] = []
        self._weighed = TOTAL - 14
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
        """The bag is weighed: a full one roughly, what left it since the last time well."""
        level = CountEstimate(tiles, 0.7, ((tiles + 1, 0.25), (tiles - 1, 0.05)))
        gone, self._weighed = self._weighed - tiles, tiles
        taken = CountEstimate(gone, 0.998, ((gone + 1, 0.001), (gone - 1, 0.001)))
        if not any(one.is_weight for one in self.readings):
            taken = None
        self._say(
            BagWeighed(grams=1.5 * tiles, spread_g=0.0, settled=True, tiles=level, taken=taken)
        )

    def press(self, *events: Played | Withdrawn) -> None:
        self.now_ms += 1000
        group = Turn(ref=self.now_ms, refs=(), events=events, log_odds=0.0)
        self.turns.append(TurnOfTiles(group=group, at_ms=self.now_ms))

    def draw(self, player: int, bag: int, *, held: int = 7, is_heard: bool = True) -> None:
        """From the bag to the rack; not ``is_heard``: the bag was gone for less than noticed."""
        if is_heard:
            self.lift()
        self.rack(player, held)
        self.weigh(bag)

    def watched(self, before: Watched | None = None) -> Watched:
        """What follows, some seconds later."""
        return watch_tiles(self.turns, self.readings, TOTAL, self.now_ms + 5000, before=before)

    def _say(self, observation: RackCounted | BagLifted | BagWeighed) -> None:
        self.now_ms += 1000
        seat = {Side.LEFT: 0, Side.RIGHT: 1}
        one = sensed(self.now_ms, self.now_ms, observation, seat.get)
        assert one is not None
        self.readings.append(one)


def laid(*, weighed: bool = False) -> Table:
    """The first player has laid four tiles and pressed; ``weighed``: the bag has been, before."""
    table = Table()
    if weighed:
        table.weigh(86)
    table.rack(0, 3)
    table.press(FIRST)
    return table


def overdrawn(*, is_heard: bool = True) -> Table:
    """The first player plays four and draws five."""
    table = laid(weighed=True)
    table.draw(0, 81, held=8, is_heard=is_heard)
    return table


def eventful(*, is_heard: bool) -> Table:
    """Overdrawn and put right; three spilled and gathered; the second draws, then presses."""
    table = overdrawn(is_heard=is_heard)
    table.draw(0, 82, is_heard=is_heard)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 75, is_heard=is_heard)
    if is_heard:
        table.lift()
    table.weigh(78)
    table.rack(0, 4)
    table.draw(0, 75, is_heard=is_heard)
    table.press(THIRD)
    return table


def kinds(watched: Watched) -> list[MishapKind | None]:
    return [
        None if one.finding.mishap is None else one.finding.mishap.kind for one in watched.found
    ]


def test_a_draw_after_the_opponents_is_out_of_order_and_the_next_play_no_shortage() -> None:
    """The late player is on turn then, draws, and lays tiles at once."""
    table = laid()
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 82)
    table.draw(0, 78)
    table.rack(0, 4)
    assert kinds(table.watched()) == [MishapKind.OUT_OF_ORDER]
    table.press(THIRD)
    table.draw(0, 75)
    assert kinds(table.watched()) == [MishapKind.OUT_OF_ORDER]


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
    table = laid()
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
    table = laid()
    table.lift()
    table.rack(0, 8)
    table.weigh(81)
    table.draw(0, 82)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 78)
    assert kinds(table.watched()) == [MishapKind.OVERDRAW]


def test_what_was_watched_before_changes_nothing() -> None:
    """It saves time only; a reading that comes late is heard all the same."""
    table = laid()
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


@pytest.mark.parametrize("is_heard", [True, False])
def test_scale_and_rack_that_agree_alert_of_one_tile_from_a_full_bag(*, is_heard: bool) -> None:
    """The bag's change shows one tile, where its weight alone could be either."""
    (one,) = overdrawn(is_heard=is_heard).watched().found
    assert one.finding.action is Action.ALERT
    assert one.finding.witnesses == ("bag_scale", "rack_counter_1")
    assert (one.finding.mishap.kind, one.finding.mishap.player) == (MishapKind.OVERDRAW, 0)


@pytest.mark.parametrize("is_heard", [True, False])
def test_lifts_that_no_scale_noticed_follow_from_the_weights(*, is_heard: bool) -> None:
    """What is put right stays found, and the draw before the press is seen either way."""
    watched = eventful(is_heard=is_heard).watched()
    assert kinds(watched) == [MishapKind.OVERDRAW, MishapKind.SPILLED]
    assert [one.player for one in watched.unpressed] == [0]


def test_a_bag_that_is_weighed_after_the_next_press_still_speaks_of_the_draw_before() -> None:
    """The opponent plays at once; nobody has lifted the bag since."""
    table = laid(weighed=True)
    table.lift()
    table.rack(0, 8)
    table.rack(1, 3)
    table.press(SECOND)
    table.weigh(81)
    table.draw(1, 77)
    found = table.watched().found
    assert [one.finding.action for one in found] == [Action.ASK, Action.ALERT]
    assert set(kinds(table.watched())) == {MishapKind.OVERDRAW}


def test_a_rack_that_is_filled_before_its_bag_is_weighed_takes_nothing_back() -> None:
    """One tile too few, then the missing one, with a bag that was gone unnoticed."""
    table = laid(weighed=True)
    table.draw(0, 83, held=6)
    found = table.watched().found
    assert kinds(table.watched()) == [MishapKind.UNDERDRAW]
    table.now_ms += 5000
    table.rack(0, 7)
    between = watch_tiles(table.turns, table.readings, TOTAL, table.now_ms + 500)
    assert (between.found, between.drawing) == (found, True)
    table.weigh(82)
    (one,) = table.watched().found
    assert one == replace(found[0], over_ms=table.now_ms)


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_of(6, range(20)))
def test_what_is_found_does_not_depend_on_the_order_of_arrival(seed: int) -> None:
    """Readings and presses come late, and each time everything is watched once more."""
    table = eventful(is_heard=seed % 2 == 0)
    expected = table.watched()
    chance = random.Random(seed)
    readings, turns = list(table.readings), list(table.turns)
    arriving = [*readings, *turns]
    chance.shuffle(arriving)
    heard, table.turns = SensedTiles(), []
    before: Watched | None = None
    for one in arriving:
        if isinstance(one, Sensed):
            heard.take(one)
        else:
            insort(table.turns, one, key=lambda some: some.at_ms)
        before = watch_tiles(table.turns, heard, TOTAL, table.now_ms + 5000, before=before)
        if seed < AFRESH:
            afresh = watch_tiles(table.turns, list(heard), TOTAL, table.now_ms + 5000)
            assert before == afresh
            assert list(heard.with_lifts) == list(SensedTiles(heard).with_lifts)
    assert before == expected


def test_a_press_that_comes_late_is_waited_for_before_it_is_missed() -> None:
    """Three seconds after the draw nobody has pressed."""
    table = laid()
    table.draw(0, 82)
    table.rack(1, 3)
    table.draw(1, 78)
    soon = watch_tiles(table.turns, table.readings, TOTAL, table.now_ms + 500)
    assert (soon.unpressed, soon.drawing) == ((), True)
    assert len(table.watched().unpressed) == 1


def test_a_bag_lifted_twice_before_it_is_weighed_is_put_right_all_the_same() -> None:
    """It bounced on its scale, or was not put down well; what comes next is found."""
    table = overdrawn()
    table.lift()
    table.draw(0, 82)
    table.rack(1, 3)
    table.press(SECOND)
    table.draw(1, 79, held=6)
    assert kinds(table.watched()) == [MishapKind.OVERDRAW, MishapKind.UNDERDRAW]


def test_who_draws_in_two_goes_draws_once() -> None:
    """Two tiles, the bag put down for a moment, two more; nothing is missing in between."""
    table = laid(weighed=True)
    table.lift()
    table.rack(0, 5)
    table.lift()
    between = watch_tiles(table.turns, table.readings, TOTAL, table.now_ms + 200)
    assert (between.found, between.drawing) == ((), True)
    table.rack(0, 7)
    table.weigh(82)
    assert kinds(table.watched()) == []


def test_a_scale_alone_takes_each_lift_for_another_draw() -> None:
    """Two who had to draw did so one after the other, and the bag came to rest only then."""
    table = Table()
    table.readings.clear()
    table.weigh(86)
    table.press(FIRST)
    table.press(SECOND)
    table.lift()
    table.lift()
    table.weigh(78)
    assert table.watched().found == ()


def test_a_pause_in_the_middle_of_a_draw_is_no_shortage() -> None:
    """One tile of four, the bag weighed again, five seconds, and the other three."""
    table = laid(weighed=True)
    table.draw(0, 85, held=4)
    between = table.watched()
    assert (between.found, between.drawing) == ((), True)
    table.lift()
    assert table.watched().found == ()
    table.rack(0, 7)
    table.weigh(82)
    assert table.watched().found == ()


def test_a_bag_lifted_in_the_instant_of_its_weight_is_lifted_after_it() -> None:
    """The weight is that of the first go, the rack's next count that of the second."""
    table = laid(weighed=True)
    table.draw(0, 85, held=4)
    table.now_ms -= 1000
    table.lift()
    table.rack(0, 7)
    assert watch_tiles(table.turns, table.readings, TOTAL, table.now_ms + 200).found == ()
    table.weigh(82)
    assert table.watched().found == ()


def test_two_who_draw_before_they_press_spill_nothing_and_no_scale_is_blamed() -> None:
    """Both play, draw and press, one after the other; then the first lays tiles again."""
    table = Table()
    table.weigh(86)
    for player, play, bag in ((0, FIRST, 82), (1, SECOND, 78), (0, THIRD, 75), (1, FOURTH, 72)):
        table.rack(player, 7 - len(play.placement.new_tiles()))
        table.lift()
        assert table.watched().found == ()
        table.rack(player, 7)
        table.press(play)
        table.weigh(bag)
    assert table.watched().found == ()
