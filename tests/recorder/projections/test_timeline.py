"""What the director reads of the record: doubts, evidence, corrections and what only adds."""

from collections.abc import Callable

import pytest

from recorder.domain.game import Passed
from recorder.domain.notices import coded, in_words
from recorder.domain.observations import DeviceLost
from recorder.domain.orders import EntryName, Order, Remove, Sign
from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline, timeline, words_of_entries
from recorder.texts import load_catalogue
from recorder.texts.telling import coded_text
from recorder.wire.orders import TableOrder, encode_order
from tests.dashboard.table_writer import TableWriter, look_at

CHALLENGED = """
rules wespa1
start
+25
lay 8F CATER
+3
press 1
+5
say 2 challenge
+3
stop
"""


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    return write_table(1_800_000_000_000)


def test_the_directors_timeline_shows_doubts_and_what_they_rest_on(table: TableWriter) -> None:
    """Reasons, both candidates and the rows of evidence are there; a correction marks its row."""
    table.start()
    assert table.state is not None
    seen = table.observe(look_at(table.state, {"8D": "Z"}))
    other = {"type": "game.passed", "data": {"player": 0, "rack": ""}}
    doubt = {
        "reasons": ["8E reads E or F"],
        "alternatives": [{"events": [other], "log_odds": -1.5}],
        "squares": ["8E"],
    }
    played = table.play(0, "8D ZEPHYR", points=50, doubt=doubt, refs=[seen.seq])
    corrected = table.correct(played.seq, Passed(0))
    table.observe(DeviceLost(device="clock-1", reason=in_words("silent")), "clock-1")
    items = {item["seq"]: item for item in timeline(table.rows)}
    assert items[played.seq]["text"] == "8D ZEPHYR +50"
    assert items[played.seq]["refs"] == [seen.seq]
    assert items[played.seq]["superseded_by"] == corrected.seq
    told = items[played.seq]["doubt"]
    assert (told["reasons"], told["squares"]) == (["8E reads E or F"], ["8E"])
    assert told["alternatives"] == [{"text": "pass", "log_odds": -1.5}]
    stands, rival = told["candidates"]
    assert (stands["candidate"], stands["text"]) == (0, "8D ZEPHYR +50")
    assert stands["events"][0]["squares"] == ["8D", "8E", "8F", "8G", "8H", "8I"]
    assert (rival["candidate"], rival["events"][0]["type"]) == (1, "game.passed")
    assert items[corrected.seq]["text"] == "pass"
    assert max(items.values(), key=lambda item: item["seq"])["type"] == "device.lost"
    assert seen.seq not in items


def test_a_challenge_is_said_of_a_play_and_corrects_nothing() -> None:
    """The row that holds the fact stands for the play, which reads as before."""
    store = MemoryEventLog()
    play_through(parse_scenario(CHALLENGED, "a.scn"), store=store)
    told = [item for item in timeline(store.read_from(1)) if item["entries"]]
    assert {item["text"] for item in told} == {"8F CATER +14"}
    *before, last = told
    assert [item["adds"] for item in (*before[1:], last)] == [True] * len(before)
    assert last["facts"].keys() == {"challenge_after_ms"}


def test_a_device_that_floods_is_not_called_lost(table: TableWriter) -> None:
    """The cause comes first, for the director and in the timeline; back, there is nothing."""
    table.start()
    table.play(0, "8D ZEPHYR", points=50, doubt={"reasons": ["8E reads E or F"]})
    reason = coded("floods", most=50)
    row = table.observe(DeviceLost(device="clock-1", reason=reason), "clock-1")
    story = Timeline(row.table)
    for read in table.rows:
        story.advance(read)
    need, doubt = needs(story.items(), story.procedures(), story.standing(), story.devices())
    assert doubt["kind"] == "doubt"
    assert (need["mark"], need["text"]) == ("Sends too much", "clock-1")
    assert need["remedy"].startswith("it sends more than 50 messages a second")
    items = {item["seq"]: item for item in timeline(table.rows)}
    assert items[row.seq]["text"].startswith("clock-1 sends too much: ")


def test_a_device_that_was_never_heard_is_not_called_lost(table: TableWriter) -> None:
    """A pad that nobody has opened is in the venue's list, and needs no decision at the table."""
    table.start()
    for device, code in (("pad-1", "never_heard"), ("cam-1", "no_heartbeat")):
        table.observe(DeviceLost(device=device, reason=coded(code, ms=60_000)), device)
    story = Timeline(table.rows[0].table)
    for read in table.rows:
        story.advance(read)
    (need,) = needs(story.items(), story.procedures(), story.standing(), story.devices())
    assert need["text"] == "cam-1"
    assert story.devices()["pad-1"]["lost"]


def test_people_read_of_players_by_name_and_of_entries_as_what_they_are(table: TableWriter) -> None:
    """A director knows no rows: neither an order, a doubt nor a refusal speaks of their numbers."""
    table.start(("Anna", "Ben"))
    turn = {
        "reasons": [{"code": "clock_against_order", "values": {"player": 1}}],
        "alternatives": [],
    }
    played = table.play(0, "8D ZEPHYR", points=50, doubt={**turn, "squares": []})
    for name, act in (("a", Sign(player=1)), ("b", Remove(entry=EntryName(played.seq)))):
        order = Order(id=name, who="director", act=act)
        type_name, data = encode_order(TableOrder(table=1, order=order))
        table.write(Kind.RULED, {"type": type_name, "data": data})
    said = [item["text"] for item in timeline(table.rows) if "order" in item]
    assert said == ["result signed by Ben", "8D ZEPHYR +50 did not happen"]
    told = timeline(table.rows)[1]["doubt"]
    assert told["reasons"][0].startswith("it was Ben's turn by order of play")
    texts = load_catalogue().with_entries(words_of_entries(timeline(table.rows)))
    refused = coded("nothing_to_correct", entry=EntryName(played.seq).number)
    assert coded_text(refused, "refusal", texts) == "8D ZEPHYR +50: nothing to correct"
