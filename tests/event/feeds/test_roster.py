"""Lists of people as they are pasted."""

import json

import pytest

from recorder.domain.event.divisions import Event, EventDivision, EventPlayer
from recorder.feeds.roster import read_roster
from recorder.feeds.tourney_js import write_tourney_js

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
    ],
)
def test_a_line_is_a_player(text: str, found: tuple[str, str, int, str]) -> None:
    """Whatever stands around the name."""
    (entry,) = read_roster(text, "A", KNOWN)
    assert (entry.division, entry.name, entry.rating, entry.ident) == found
    assert entry.doubt == ""


def test_who_is_there_already_is_named() -> None:
    """In this division, in another one, or twice in the list."""
    entries = read_roster("HOANG, Linh 1500\nAsh 1\nash 2\n,\n", "A", KNOWN)
    assert [entry.doubt for entry in entries] == [
        "plays in division B already", "", "plays in division A already", "no name"
    ]  # fmt: skip


def test_the_id_goes_out_with_the_feed() -> None:
    """Behind the name where letsplayscrabble looks for it, and for itself."""
    players = tuple(
        EventPlayer(number=n, name=f"P{n}", ident=ident)
        for n, ident in enumerate(("XT006003", "AA000001", ""), start=1)
    )
    event = Event(divisions=(EventDivision(name="A", players=players),))
    written = json.loads(write_tourney_js(event, {})[5:-2])["divisions"][0]["players"][1:]
    assert [(p["name"], p.get("member")) for p in written] == [
        ("P1:XT006003", "XT006003"), ("P2", "AA000001"), ("P3", None)
    ]  # fmt: skip
