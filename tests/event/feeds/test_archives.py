"""Archives of several division files, lines that are no players, ratings that overlays show."""

import json
from dataclasses import replace

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.event.highs import HIGHS, high_games, prizes_of
from recorder.domain.event.orders import EnterResult, EventOrder
from recorder.domain.event.rating import projected_ratings
from recorder.domain.event.register import extended
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.division_file import read_division_file
from recorder.feeds.rating_office import write_archive, write_standings, write_tou
from recorder.feeds.tourney_js import write_tourney_js
from recorder.orders.event_rules import rules_of
from recorder.printing.event_sheets import EventSheet, event_sheets
from tests.event.fields import register_after

ARCHIVE = """\
# tsh archive file
division OPEN OPEN.t
division EARLY EARLY.t
config rating_system = "nsa2008"
#begin_file name=OPEN.t
Ashdown, Vera 1500 2; 431
Brok, Ilse 1400 1; 380
#end_file name=OPEN.t
#begin_file name=EARLY.t
Caro, Mateo 1000 2; 350
Dube, Thandi 900 1; 340
#end_file name=EARLY.t
"""


def test_an_archive_is_as_many_divisions() -> None:
    """Its settings are no players and shift nobody's number."""
    feed = read_division_file(ARCHIVE, "event")
    assert feed.faults == []
    assert [(d.name, [p.name for p in d.players]) for d in feed.event.divisions] == [
        ("OPEN", ["Ashdown, Vera", "Brok, Ilse"]),
        ("EARLY", ["Caro, Mateo", "Dube, Thandi"]),
    ]
    assert [game.scores for d in feed.event.divisions for game in d.games] == [
        (431, 380),
        (350, 340),
    ]


def test_a_stray_line_takes_no_number() -> None:
    """It is named with its line, and the games of everybody else count."""
    feed = read_division_file("welcome to the harbour\nAda 1500 2; 400\nBen 1400 1; 380\n", "A")
    assert [(fault.code, fault.line) for fault in feed.faults] == [("not_a_player", 1)]
    assert [game.scores for game in feed.event.divisions[0].games] == [(400, 380)]


@pytest.mark.parametrize(
    ("ratings", "after"),
    [((1517, 1300), (1524, 1293)), ((1850, 1633), (1855, 1626)), ((2017, 1800), (2020, 1795))],
    ids=["20 points", "16 from 1800 on", "10 from 2000 on"],
)
def test_ratings_change_as_naspa_has_it(ratings: tuple[int, int], after: tuple[int, int]) -> None:
    """217 points more win two of three games; a third of a game is won beyond that."""
    feed = read_division_file(f"Ada {ratings[0]} 2; 400\nBen {ratings[1]} 1; 380\n", "A")
    projected = projected_ratings(feed.event.divisions[0])
    assert (projected[1], projected[2]) == ((after[0],), (after[1],))


def test_the_feed_has_projected_ratings() -> None:
    """After each round, by the games played so far; what a feed brought along stays."""
    feed = read_division_file("Ada 1500 2 3; 400 380\nBen 1500 1; 380\nCy 1500 0 1; 50 400\n", "A")
    (division,) = feed.event.divisions
    assert projected_ratings(division) == {1: (1510, 1500), 2: (1490, 1490), 3: (1500, 1510)}
    players = json.loads(write_tourney_js(feed.event, {})[5:-2])["divisions"][0]["players"]
    assert [player["etc"]["newr"] for player in players[1:]] == [
        [1510, 1500],
        [1490, 1490],
        [1500, 1510],
    ]
    brought = read_division_file("Ada 1500 2; 400; newr 1520\nBen 1500 1; 380\n", "A")
    players = json.loads(write_tourney_js(brought.event, {})[5:-2])["divisions"][0]["players"]
    assert players[1]["etc"]["newr"] == [1520]


DAY = (
    "about name Größtes Turnier",
    "about date 2026-05-01",
    "player A Ashdown, Vera 1905",
    "player A Żółć, Świętosława 1840",
    "player A Caro, Mateo 1722",
    "player A Dan 1500",
    "player A Eve 1400",
    "remove A 4",
    "change A 3 class 1",
    "prizes A 1 class 1",
    *("round A 1 1:2-1 2:3-5", "result A 1 2 380 1 431", "noshow A 1 5 50"),
    *("round A 2 1:1-3 bye 2 out 5", "result A 2 1 400 3 400"),
)


def test_a_tou_file_is_as_liwords_writes_it() -> None:
    """Plain letters, a block a game, own number where nobody was met, numbers without holes."""
    assert write_tou(register_after(*DAY).event).splitlines() == [
        "*M01.05.2026 Grosstes Turnier",
        "*A",
        f"{0:39}",
        "Vera Ashdown         2431   2 1400  +3",
        "Swietoslawa Zolc      380  +1   50   2",
        "Mateo Caro           2150   3 1400   1",
        "Eve                   100   4  100   4",
        "*** END OF FILE ***",
    ]
    assert write_tou(register_after(*DAY).event).count("\r\n") == 8
    with pytest.raises(NotationError, match="needs the day of the event, and '' is not one"):
        write_tou(replace(register_after(*DAY).event, date=""))


def test_an_archive_and_a_table_of_places() -> None:
    event = register_after(*DAY).event
    feed = read_division_file(write_archive(event), "event")
    assert feed.faults == []
    assert [p.name for p in feed.event.divisions[0].players] == [
        p.name for p in event.divisions[0].players
    ]
    assert write_standings(event, rules_of).splitlines() == [
        "division,rank,username,wins,losses,draws,winpts,spread",
        "A,1,Vera Ashdown,1,0,1,1.5,51",
        "A,2,Mateo Caro,1,0,1,1.5,50",
        "A,3,Świętosława Żółć,1,1,0,1.0,-1",
        "A,4,Eve,0,2,0,0.0,-100",
    ]


def test_prizes_and_high_games() -> None:
    """A class pays its best who has no place that pays; a tie has no loser."""
    (division,) = register_after(*DAY).event.divisions
    prizes = [(p.prize_class, p.place, p.number) for p in prizes_of(division, NO_RULE_SET, 2)]
    assert prizes == [(0, 1, 1), (1, 1, 3)]
    assert [game.score for game in high_games(division, "game", 3)] == [431, 400, 400]
    assert [(game.number, game.score) for game in high_games(division, "loss", 3)] == [(2, 380)]
    assert [game.number for game in high_games(division, "win", 3)] == [1]


def test_who_is_level_at_a_place_that_pays_is_on_the_sheet() -> None:
    """Three with one record and two prizes: all three; and both who are level in their class."""
    day = (
        *(f"player A P{n}" for n in range(1, 7)),
        *(f"change A {n} class 1" for n in (4, 5, 6)),
        *("prizes A 2 class 1", "round A 1 1:1-2 2:3-4 3:5-6", "result A 1 1 400 2 300"),
        *("result A 1 3 400 4 300", "result A 1 5 400 6 300"),
    )
    event = register_after(*day).event
    (division,) = event.divisions
    prizes = [(p.prize_class, p.place, p.number) for p in prizes_of(division, NO_RULE_SET, 1)]
    assert prizes == [(0, 1, 1), (0, 1, 3), (0, 1, 5), (1, 1, 4), (1, 1, 6)]
    sheets = event_sheets(EventSheet.PRIZES, event, division, 1, NO_RULE_SET)
    assert [text.text for page in sheets for text in page.words].count("Place 1") == 3


def test_who_concedes_has_lost_whatever_the_scores() -> None:
    """In ratings, high games and the file for a rating office; 0-0 there is no tie."""
    day = [*(f"player A P{n} 1500" for n in range(1, 5)), "about date 2026-05-01"]
    day += ["round A 1 1:1-2 2:3-4", "result A 1 3 0 4 0"]
    register = register_after(*day)
    act = EnterResult(
        division="A", round=1, first=1, first_score=400, second=2, second_score=350, margin=-50
    )
    event = extended(register, EventOrder(id="c", who="table 1", act=act)).event
    (division,) = event.divisions
    assert {n: after[-1] for n, after in projected_ratings(division).items()} == {
        1: 1490, 2: 1510, 3: 1500, 4: 1500
    }  # fmt: skip
    found = {kind: [g.number for g in high_games(division, kind, 2)] for kind in HIGHS}
    assert found == {"game": [1, 2], "loss": [1], "win": [2], "total": [2]}
    lines = write_tou(event).splitlines()[3:7]
    assert [line.split()[1:] for line in lines] == [
        ["400", "+2"],
        ["2350", "1"],
        *[["0", n] for n in "34"],
    ]
