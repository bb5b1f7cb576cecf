"""Lists of people as they are pasted."""

import json

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event, EventDivision, EventPlayer
from recorder.domain.event.following import acts_to_follow
from recorder.domain.event.orders import EnterPlayer
from recorder.domain.notices import CodedText
from recorder.feeds.division_file import read_division_file, write_division
from recorder.feeds.rating_list import read_rating_list
from recorder.feeds.roster import read_roster
from recorder.feeds.tourney_js import read_tourney_js, write_tourney_js
from recorder.texts.telling import coded_text

KNOWN = Event(
    divisions=(EventDivision(name="B", players=(EventPlayer(number=1, name="Hoang, Linh"),)),)
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ashdown, Vera 1905", ("A", "Ashdown, Vera", 1905, "")),
        ("12. Vera Ashdown  AA012345  1905", ("A", "Vera Ashdown", 1905, "AA012345")),
        ("Brok, Ilse:XT006003 1840", ("A", "Brok, Ilse", 1840, "XT006003")),
        ("Caro Mateo\t1722\tW1234", ("A", "Caro Mateo", 1722, "W1234")),
        ("Ng, Bo", ("A", "Ng, Bo", 0, "")),
        ("name;rating;div\nDube, Thandi;1610;Open", ("Open", "Dube, Thandi", 1610, "")),
        (
            'Player,Rating,NASPA ID\n"Eklund, Saga",1555,AA000001',
            ("A", "Eklund, Saga", 1555, "AA000001"),
        ),
        ("Division Early Bird\nFarouk, Nour 1490", ("Early-Bird", "Farouk, Nour", 1490, "")),
        ("Div. B\nFarouk, Nour 1490", ("B", "Farouk, Nour", 1490, "")),
        ("Div Patel 1700", ("A", "Div Patel", 1700, "")),
        ("Gruppe B:\nFarouk, Nour 1490", ("B", "Farouk, Nour", 1490, "")),
        ("7\tNour Farouk\t1490", ("A", "Nour Farouk", 1490, "")),
        ("1490 Nour Farouk", ("A", "Nour Farouk", 1490, "")),
        ("- Nour Farouk \u2013 1490", ("A", "Nour Farouk", 1490, "")),
        ("AA012345 Nour Farouk (1490.6)", ("A", "Nour Farouk", 1491, "AA012345")),
        ("Nour Farouk 1490*", ("A", "Nour Farouk", 1490, "")),
        ('\ufeff"name","rating"\n"Farouk, Nour","1,490"', ("A", "Farouk, Nour", 1490, "")),
        ("First name,Last name,Rating\nNour,Farouk,1490", ("A", "Farouk, Nour", 1490, "")),
        ("Name;Vorname;Wertung\nFarouk;Nour;1490,5", ("A", "Farouk, Nour", 1490, "")),
        ("Division B\nname;rating\nFarouk, Nour;1490", ("B", "Farouk, Nour", 1490, "")),
        ("| name | rating |\n|---|---|\n| Nour Farouk | 1490 |", ("A", "Nour Farouk", 1490, "")),
    ],
)
def test_a_line_is_a_player(text: str, found: tuple[str, str, int, str]) -> None:
    """Whatever stands around the name."""
    (entry,) = read_roster(text, "A", KNOWN)
    assert (entry.division, entry.name, entry.rating, entry.ident) == found
    assert entry.doubt is None


def said(found: CodedText | None) -> str:
    """What a director reads of it."""
    return coded_text(found, "roster") if found else ""


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("name;rating\nFarouk, Nour;-12", "rating not read: -12"),
        ("name;rating\nFarouk, Nour;unrated", ""),
        ("Nour Farouk -12", "figures in the name"),
    ],
)
def test_what_is_no_rating_is_named(text: str, note: str) -> None:
    """It stands beside the player when a director looks at the list."""
    (entry,) = read_roster(text, "A", KNOWN)
    assert (entry.rating, said(entry.note)) == (0, note)


def test_who_is_there_already_is_named() -> None:
    """In this division, in another one, or twice in the list."""
    entries = read_roster("HOANG, Linh 1500\nLinh Hoang\nAsh 1\nash 2\n,\n", "A", KNOWN)
    assert [said(entry.doubt) for entry in entries] == [
        "plays in division B already", "plays in division B already",
        "", "plays in division A already", "no name",
    ]  # fmt: skip
    entries = read_roster("Ash AA000001\nAshe AA000001\nBo AA000002", "A", KNOWN)
    assert [said(entry.doubt) for entry in entries] == ["", "plays in division A already", ""]


def test_a_table_that_is_none_is_named() -> None:
    """A field that has no end."""
    with pytest.raises(NotationError, match="is not a table"):
        read_roster('name;rating\n"' + "x" * 150_000, "A", KNOWN)
    with pytest.raises(NotationError, match="line 3 has a quotation mark"):
        read_roster('name,rating\nBo,1500\n"Vera,1905\nCy,1400', "A", KNOWN)


def test_no_line_of_a_long_list_is_left_out_unsaid() -> None:
    """It is refused as a whole."""
    with pytest.raises(NotationError, match="up to 2000 lines"):
        read_roster("Bo\n" * 2_001, "A", KNOWN)


def test_the_id_goes_out_with_the_feed() -> None:
    """Behind the name where letsplayscrabble looks for it, and for itself."""
    players = tuple(
        EventPlayer(number=n, name=f"P{n}", ident=ident)
        for n, ident in enumerate(("XT006003", "AA000001", ""), start=1)
    )
    event = Event(divisions=(EventDivision(name="A", players=players),))
    written = json.loads(write_tourney_js(event, {})[5:-2])["divisions"][0]["players"][1:]
    assert [(p["name"], p.get("member"), p["etc"].get("xtid")) for p in written] == [
        ("P1:XT006003", "XT006003", [6003]), ("P2", "AA000001", None), ("P3", None, None)
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["tourney.js", "tsh"])
def test_an_id_comes_back_from_a_feed(form: str) -> None:
    """Beside the name, not in it; a feed that is followed gives it to the event here."""
    player = EventPlayer(number=1, name="Ashdown, Vera", ident="XT006003")
    event = Event(divisions=(EventDivision(name="A", players=(player,)),))
    if form == "tsh":
        text = write_division(event.divisions[0])
        assert "Ashdown, Vera:XT17" not in text
        read = read_division_file(text, "A").event
    else:
        read = read_tourney_js(write_tourney_js(event, {})).event
    (found,) = read.divisions[0].players
    assert (found.name, found.ident) == ("Ashdown, Vera", "XT006003")
    (entered,) = acts_to_follow(Event(), read)
    assert isinstance(entered, EnterPlayer)
    assert (entered.name, entered.ident) == ("Ashdown, Vera", "XT006003")


WESPA = """{"players": [
    {"playerid": 5, "name": "Vera Ashdown", "country": "NZL", "cswrating": 2070},
    {"playerid": 6, "name": "Ilse Brok", "country": "NLD", "cswrating": 1800},
    {"playerid": 7, "name": "Ilse Brok", "country": "BEL", "cswrating": 1200}]}"""
CROSS_TABLES = """{"players": [
    {"playerid": "6003", "name": "Vera Ashdown", "twlrating": 1900, "cswrating": 1950},
    {"playerid": "17589", "name": "Mateo Caro", "twlrating": 1500, "cswrating": 0}]}"""
LATEST = """\
Nick Cty Name                 Games Rating Lastplayed  Dev
VASH NZL Vera Ashdown           812  2070 20260901    60 GM **
MCWV CAN Maximiliana Caro-Wes    12  1455 20260301   160 -- --
"""
NASPA = """\
#name\trating\trank\texpiry\tgames
Ashdown, Vera\t1905\t12\t20271231\t2345\tAA000123
Caro, Mateo\t1444\t800\t20271231\t99
"""
TABLE = 'Id,Rank,Country,Player,Games,Rating\nAA000123,1,NZL,"Ashdown, Vera",812,2070\n'


@pytest.mark.parametrize(
    ("listed", "line", "rating", "ident", "note"),
    [
        (WESPA, "Ashdown, Vera", 2070, "W0005", ""),
        (WESPA, "ASHDOWN Véra", 2070, "W0005", ""),
        (WESPA, "Vera Ashdown 1999", 1999, "W0005", "rated 2070 in the rating list"),
        (WESPA, "Brok, Ilse", 0, "", "several in the rating list: W0006 (1800), W0007 (1200)"),
        (WESPA, "Brok, Ilse W0007", 1200, "W0007", ""),
        (WESPA, "Dube, Thandi", 0, "", "not in the rating list"),
        (CROSS_TABLES, "Ashdown, Vera", 1900, "XT006003", ""),
        (LATEST, "Ashdown, Vera", 2070, "", ""),
        (LATEST, "Caro-Westerveld, Maximiliana", 1455, "", ""),
        (NASPA, "Vera Ashdown", 1905, "AA000123", ""),
        (NASPA, "Caro, Mateo", 1444, "", ""),
        (TABLE, "Vera Ashdown", 2070, "AA000123", ""),
    ],
)
def test_a_rating_list_fills_in_what_a_line_leaves_out(
    listed: str, line: str, rating: int, ident: str, note: str
) -> None:
    """Of somebody who is called so alone; what the line says itself holds."""
    (entry,) = read_roster(line, "A", Event(), read_rating_list(listed))
    assert (entry.rating, entry.ident, entry.doubt) == (rating, ident, None)
    assert said(entry.note) == note


def test_of_two_ratings_the_one_that_was_asked_for() -> None:
    """Cross-tables has one for each word list; 0 is none."""
    ratings = read_rating_list(CROSS_TABLES, collins=True)
    found = [
        entry.rating for entry in read_roster("Vera Ashdown\nMateo Caro", "A", Event(), ratings)
    ]
    assert found == [1950, 0]


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '{"players": 3}', "<html>", "Ash\nBo\n", '"', "x" * 200_000]
)
def test_what_is_no_rating_list_is_named(text: str) -> None:
    """Whatever was chosen by mistake."""
    with pytest.raises(NotationError, match="rating list"):
        read_rating_list(text)
