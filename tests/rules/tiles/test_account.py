"""The tile account: nothing is lost in any story, one source asks, two that agree alert."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devices.sensors.scale_profile import ScaleProfile
from recorder.domain.errors import RecorderError
from recorder.domain.notices import Notice, coded
from recorder.domain.tile_account.account import (
    Account,
    disturb,
    draw,
    exchange,
    open_account,
    play,
    read,
    take_up,
)
from recorder.domain.tile_account.finding import AccountFinding, Action, judge, notice_of
from recorder.domain.tile_account.readings import Counted, SourceReading, Taken, Zone
from recorder.domain.tile_account.stories import MishapKind
from tests.cases import first_of
from tests.rules.tiles.tile_games import CAMERAS, PLASTIC, SCALE, WOOD, TileGame, actions, weighed

pytestmark = pytest.mark.slow

SOURCES = (*CAMERAS, SCALE, "table camera", "board camera")


def opened() -> Account:
    """After both opening draws, nothing read."""
    account = draw(play(open_account(100, sources=SOURCES), player=0, tiles=0))
    return draw(play(account, player=1, tiles=0))


def rack(player: int, count: int) -> Counted:
    return Counted(source=CAMERAS[player], zone=Zone.rack(player), count=count)


def bag(count: int, chance: float = 0.995) -> Taken:
    rest = (1 - chance) / 2
    chances = {count: chance, count - 1: rest, count + 1: rest}
    return Taken(source=SCALE, level=chances)


def seen(zone: Zone, count: int, source: str = "table camera") -> Counted:
    return Counted(source=source, zone=zone, count=count)


def found(account: Account, *readings: SourceReading) -> AccountFinding:
    return judge(read(account, readings))


def after_a_play() -> Account:
    """Player 1 has laid five and drawn; all read well before."""
    account = read(opened(), [rack(0, 7), rack(1, 7), bag(86)])
    return draw(play(account, player=0, tiles=5))


def test_two_sources_that_agree_alert() -> None:
    """Eight on the rack, six out of the bag."""
    alert = found(after_a_play(), rack(0, 8), bag(80))
    assert alert.action is Action.ALERT
    assert (alert.mishap.kind, alert.mishap.count) == (MishapKind.OVERDRAW, 1)
    assert alert.mishap.player == 0
    assert set(alert.witnesses) == {CAMERAS[0], SCALE}
    eight = coded("counted", source=CAMERAS[0], zone="rack_1", tiles=8, should=7)
    assert eight in alert.evidence
    assert notice_of(alert) is Notice.OVERDRAW
    assert (alert.mishap.player, alert.numbers["level"], alert.numbers["tiles"]) == (0, "alert", 1)


def test_one_source_alone_asks() -> None:
    """A camera that counts eight may be wrong; so may a scale."""
    for reading in (rack(0, 8), bag(80)):
        asked = found(after_a_play(), reading)
        assert asked.action is Action.ASK
        assert asked.witnesses == (reading.source,)


def test_a_source_that_another_contradicts_is_named_itself() -> None:
    """Eight on the rack, but five left the bag: no word about the player."""
    device = found(after_a_play(), rack(0, 8), bag(81))
    assert device.action is Action.DEVICE
    assert device.contradicted == (CAMERAS[0],)
    assert device.mishap is None
    assert notice_of(device) is Notice.DEVICE_CONTRADICTS
    assert device.numbers == {"sources": CAMERAS[0]}


def test_a_camera_that_is_always_one_off_never_alerts() -> None:
    """It is told to be looked after, however often it says so."""
    account = opened()
    for number in range(12):
        player = number % 2
        account = draw(play(account, player=player, tiles=3))
        left = 86 - 3 * (number + 1)
        account = read(account, [rack(0, 8), rack(1, 7), bag(left)])
        assert judge(account).action in (Action.QUIET, Action.DEVICE)
    assert judge(account).contradicted == (CAMERAS[0],)


def test_a_tile_went_back_into_the_bag() -> None:
    """The bag is heavier with no exchange under way: only a scale sees that."""
    account = read(after_a_play(), [rack(0, 7), bag(81)])
    asked = found(disturb(account), bag(82))
    assert asked.action is Action.ASK
    assert asked.mishap.kind is MishapKind.RETURNED
    alert = found(disturb(account), bag(82), rack(0, 6))
    assert alert.action is Action.ALERT
    assert (alert.mishap.kind, alert.mishap.player) == (MishapKind.RETURNED, 0)


def test_the_same_look_again_is_no_second_witness() -> None:
    """Nothing moved on that rack since; the same error would count twice."""
    account = read(after_a_play(), [rack(0, 8)])
    once = judge(account)
    account = read(draw(play(account, player=1, tiles=3)), [rack(0, 8), rack(1, 7)])
    assert judge(account).action is once.action is Action.ASK
    assert read(account, [rack(1, 7)]) == account


@pytest.mark.parametrize("tiles", [9, 12, 45])
def test_a_play_that_nobody_can_have_made_is_asked_about(tiles: int) -> None:
    """Nine tiles were an overdraw by two, twelve by five, forty-five an error of the record."""
    asked = judge(play(opened(), player=0, tiles=tiles))
    assert asked.action is Action.ASK
    assert asked.evidence[0].code == "more_played_than_held"
    assert asked.numbers.get("level", "ask") == "ask"
    assert (0 if asked.mishap is None else asked.mishap.count) == (tiles - 7 if tiles < 45 else 0)


def test_new_tiles_that_lie_apart_are_counted_on_the_table() -> None:
    """Courtesy tiles: two on the rack, five beside it; then all of them racked."""
    account = read(opened(), [rack(0, 7), bag(86)])
    account = draw(play(account, player=0, tiles=5), apart=True)
    account = read(account, [rack(0, 2), bag(81), seen(Zone.TABLE, 5)])
    assert judge(account).action is Action.QUIET
    alert = found(account, bag(80), seen(Zone.TABLE, 6))
    assert alert.action is Action.ALERT
    assert alert.mishap.kind is MishapKind.OVERDRAW
    assert found(take_up(account, player=0), rack(0, 7), seen(Zone.TABLE, 0)).counts[:3] == (
        5,
        7,
        7,
    )


def test_an_unknown_source_is_refused() -> None:
    """With the names that there are."""
    with pytest.raises(RecorderError, match="no source 'nose', only rack camera 1"):
        read(opened(), [seen(Zone.TABLE, 0, "nose")])


ACTS = st.lists(
    st.tuples(
        st.sampled_from(("play", "draw", "apart", "up", "exchange", "disturb", "count")),
        st.integers(0, 1),
        st.integers(0, 7),
    ),
    max_size=14,
)


def acted(account: Account, act: str, player: int, number: int) -> Account:
    """One act of a list that nobody has made sense of."""
    if act in ("draw", "apart"):
        return draw(account, apart=act == "apart")
    if act == "disturb":
        return disturb(account)
    if act == "count":
        return read(account, [rack(player, number), bag(10 * number)])
    acts = {"play": play, "up": take_up, "exchange": exchange}
    return acts[act](account, player=player, tiles=number)


@settings(max_examples=25)
@given(ACTS)
def test_no_tile_is_lost_or_made_in_any_story(acts: list[tuple[str, int, int]]) -> None:
    """All zones make the whole set, tiles of another set on top; none holds fewer than none."""
    account = opened()
    for act, player, number in acts:
        account = acted(account, act, player, number)
        for story in account.stories:
            *places, foreign = story.counts
            assert sum(places) == 100 + foreign
            assert min(story.counts) >= 0
        assert account.stories[0].log_p == 0


@settings(max_examples=40)
@given(st.permutations([rack(0, 8), rack(1, 7), bag(80), seen(Zone.TABLE, 0)]))
def test_the_order_of_readings_does_not_matter(readings: list[Counted]) -> None:
    together = judge(read(after_a_play(), readings))
    account = after_a_play()
    for one in readings:
        account = read(account, [one])
    assert judge(account).action is together.action
    assert judge(account).mishap == together.mishap
    assert judge(account).log_odds == pytest.approx(together.log_odds)


@settings(max_examples=15)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=10))
def test_nothing_is_said_while_all_sources_agree(plays: list[int]) -> None:
    """Whatever is played, no question and no alert."""
    account, left = opened(), 86
    for number, tiles in enumerate(plays):
        player = number % 2
        account = draw(play(account, player=player, tiles=tiles))
        drawn = min(tiles, left)
        left -= drawn
        on_rack = rack(player, 7 - tiles + drawn)
        readings: list[SourceReading] = [on_rack, bag(left), seen(Zone.TABLE, 0)]
        account = read(account, readings)
        assert judge(account).action is Action.QUIET


@pytest.mark.parametrize("tile", first_of(1, [WOOD, PLASTIC]), ids=["1.0 g", "1.5 g"])
def test_whole_games_with_erring_sensors_bring_no_alert(tile: ScaleProfile) -> None:
    """Cameras that misread one look in a hundred, a scale that is 0.1 g off."""
    for seed in range(6):
        game = TileGame(random.Random(seed), tile)
        assert actions(game.to_the_end())[Action.ALERT] == 0


@pytest.mark.parametrize("kind", [MishapKind.OVERDRAW, MishapKind.UNDERDRAW, MishapKind.LOOSE])
def test_an_alert_names_what_happened(kind: MishapKind) -> None:
    """In whole games with erring sensors; where one of them errs just then, it may not add up.

    A tile on the floor is seen by nothing but the rack camera, which can miss it.
    """
    named = []
    for seed in range(10):
        game = TileGame(random.Random(seed), PLASTIC)
        last = game.to_the_end(wrong_at=seed % 12, wrong=kind)[-1]
        assert game.happened
        read_right = all(
            one.count == len(game.racks[one.zone == Zone.RACK_2])
            for one in game.account.readings
            if isinstance(one, Counted)
        )
        assert last.action in (Action.ALERT, Action.ASK) or not read_right
        if last.mishap is not None and read_right:
            named.append(last.mishap.kind)
    assert len(named) >= 9
    assert set(named) == {kind}


def test_other_tiles_in_the_bag_weigh_otherwise() -> None:
    """Seven exchanged: half a gram is no reason to doubt the scale, a tile's mass is."""
    account = read(opened(), [rack(0, 7), weighed(PLASTIC, 129.0)])
    account = exchange(account, player=0, tiles=7)
    for after_g, action in ((129.6, Action.QUIET), (127.5, Action.ASK)):
        assert found(account, weighed(PLASTIC, after_g, 129.0)).action is action


@pytest.mark.parametrize("is_after_the_reply", [False, True])
def test_a_second_sensors_count_of_a_rack_is_news(*, is_after_the_reply: bool) -> None:
    """The camera counts eight; the counter's seven settles it, before the next play or after."""
    sources = ("camera", "counter")
    account = draw(play(open_account(100, sources=sources), player=0, tiles=0))
    account = draw(play(account, player=1, tiles=0))
    seven = Counted(source="counter", zone=Zone.RACK_1, count=7)
    account = read(account, [Counted(source="camera", zone=Zone.RACK_1, count=7), seven])
    account = draw(play(account, player=0, tiles=5))
    account = read(account, [Counted(source="camera", zone=Zone.RACK_1, count=8)])
    if not is_after_the_reply:
        account = read(account, [seven])
    account = draw(play(account, player=1, tiles=5))
    if is_after_the_reply:
        account = read(account, [seven])
    assert judge(account).counts[Zone.RACK_1] == 7
    assert judge(account).log_odds > 3


def test_counts_that_no_story_explains_do_not_add_up() -> None:
    """One rack holds two too many, and the bag two too many as well: 102 of 100 tiles."""
    account = read(opened(), [rack(0, 7), rack(1, 7), bag(86)])
    account = draw(play(account, player=0, tiles=5))
    odd = found(account, rack(0, 9), bag(83), rack(1, 7))
    assert odd.action is Action.COUNT
    assert notice_of(odd) is Notice.COUNTS_DISAGREE
    assert odd.numbers == {"bag": 83, "rack_1": 9, "rack_2": 7, "board": 5}


@pytest.mark.parametrize("tiles", range(1, 8))
@pytest.mark.parametrize("kind", [MishapKind.OVERDRAW, MishapKind.UNDERDRAW, MishapKind.SPILLED])
def test_every_number_of_tiles_is_found(kind: MishapKind, tiles: int) -> None:
    """Two sensors agree on how many are too many, too few, or fell out of the bag."""
    account = read(opened(), [rack(0, 7), rack(1, 7), bag(86)])
    account = draw(play(account, player=0, tiles=7))
    onto_rack = {MishapKind.OVERDRAW: tiles, MishapKind.UNDERDRAW: -tiles}.get(kind, 0)
    out_of_bag = tiles if kind is MishapKind.SPILLED else onto_rack
    alert = found(account, rack(0, 7 + onto_rack), bag(79 - out_of_bag, chance=0.9995))
    assert (alert.mishap.kind, alert.mishap.count) == (kind, tiles)
    assert alert.action in (Action.ALERT, Action.ASK)
