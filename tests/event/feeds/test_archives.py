"""Archives of several division files, lines that are no players, ratings that overlays show."""

import json

from recorder.domain.event.rating import projected_ratings
from recorder.feeds.division_file import read_division_file
from recorder.feeds.tourney_js import write_tourney_js

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
