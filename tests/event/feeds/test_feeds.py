"""Feeds as they are found: read whole, named where they are odd, written so that they come back."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event, InitialRecord
from recorder.domain.event.placing import placings
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.feeds.checking import check_event, check_ranks
from recorder.feeds.csv_table import read_csv, write_csv
from recorder.feeds.division_file import read_division_file, write_division_file
from recorder.feeds.javascript import read_literal
from recorder.feeds.source import read_feed
from recorder.feeds.tourney_js import Feed, read_tourney_js, write_tourney_js
from recorder.feeds.tsh_config import tsh_folder
from tests.event.fields import feed_text, played, player_json

FIELD = played(9, Method.AUSTRALIAN, 5)
EVENT = Event(name="Harbour Open", date="2 May", divisions=(FIELD, replace(FIELD, name="2")))


def codes(feed: Feed) -> list[str]:
    """Everything that is found wrong with a feed."""
    return [fault.code for fault in (*feed.faults, *check_event(feed.event))]


def without_extra(event: Event) -> Event:
    return replace(
        event,
        divisions=tuple(
            replace(d, last_round=None, players=tuple(replace(p, extra={}) for p in d.players))
            for d in event.divisions
        ),
    )


def test_tourney_js_comes_back() -> None:
    """Written and read again it is the same event, anyone who left or brought a record along."""
    left = replace(FIELD.players[3], absence_margin=-50)
    brought = replace(FIELD.players[4], brought=InitialRecord(wins=2.5, losses=1, spread=-40))
    field = replace(FIELD, players=(*FIELD.players[:3], left, brought, *FIELD.players[5:]))
    event = replace(EVENT, divisions=(field,))
    feed = read_tourney_js(write_tourney_js(event, {}))
    assert without_extra(feed.event) == without_extra(event)
    assert feed.faults == []


def test_a_division_file_comes_back() -> None:
    """Several in one text, each under its name."""
    feed = read_division_file(write_division_file(EVENT), "X")
    assert without_extra(feed.event).divisions == EVENT.divisions
    assert feed.faults == []


@pytest.mark.parametrize("form", ["event.t", "event.csv", "tourney.js", "folder"])
def test_what_only_some_events_have_comes_back(form: str, tmp_path: Path) -> None:
    """A cap, records brought along, a name of blanks and slashes, names that end in a number."""
    first, *others = FIELD.players
    brought = InitialRecord(wins=2.5, losses=1, spread=-40)
    players = replace(first, name="Table 12", brought=brought, rating=-7), *others
    field = replace(FIELD, name="../Early Bird 3", players=players, spread_cap=120, last_round=18)
    event = replace(EVENT, divisions=(field, replace(FIELD, spread_cap=120, last_round=18)))
    path = tmp_path / form
    if form == "folder":
        path.mkdir()
        for name, text in tsh_folder(event).items():
            (path / name).write_text(text, encoding="utf-8")
        event = replace(event, divisions=(replace(field, name="EARLY-BIRD-3"), event.divisions[1]))
    else:
        text = {
            "event.t": write_division_file,
            "event.csv": write_csv,
            "tourney.js": lambda it: write_tourney_js(it, {}),
        }[form](event)
        path.write_text(text, encoding="utf-8")
    read = read_feed(str(path))
    plain = [replace(d, players=tuple(replace(p, extra={}) for p in d.players))
             for d in read.event.divisions]  # fmt: skip
    assert plain == [*event.divisions]
    assert read.faults == []


def test_a_table_of_a_spreadsheet_is_read_with_semicolons() -> None:
    """As some countries save it; a cell that is no number is named."""
    feed = read_csv("Name;Rating;Opponent 1;Score 1\nBrok, Ilse;1500;2;400\nCaro;x;1;380\n")
    assert [p.rating for p in feed.event.divisions[0].players] == [1500, None]
    assert feed.event.divisions[0].games[0].scores == (400, 380)
    assert [str(fault) for fault in feed.faults] == [
        "line 3, division A, player 2 Caro: rating is 'x', which is not a whole number"
    ]


def test_columns_of_a_table_are_read_however_they_are_spaced_or_named() -> None:
    """No result is left out unsaid: neither of `score1` nor of a title that nobody knows."""
    feed = read_csv("Name,Opponent1,SCORE_01\nBrok,2,400\nCaro,1,380\n")
    assert feed.event.divisions[0].games[0].scores == (400, 380)
    assert feed.faults == []
    feed = read_csv("name,opp 1,rating,rating\nBrok,2,1500,1600\n")
    assert [(fault.warning, str(fault)) for fault in feed.faults] == [
        (True, "line 1: column 'opp 1' is not read"),
        (False, "line 1: column 'rating' is there twice: the last one is read"),
    ]


def test_a_division_file_is_read_as_tsh_writes_it() -> None:
    """Comments, gaps, ratings with a fraction, vectors, an escaped semicolon."""
    feed = read_division_file(
        "# division files may say anything here\r\n"
        "Ashdown, Vera        1810+32 2 00 0; 400 00 50; board 1 0 0; p12 1 0 0; team a\\;b\r\n"
        "Brok, Ilse            1500.5 1; 380; p12 2\r\n\r\n"
        "Caro, Mateo              900\r\n",
        "A",
    )
    vera, ilse, mateo = feed.event.divisions[0].players
    assert (vera.rating, ilse.rating, mateo.rating) == (1810, 1500, 900)
    assert [seen.opponent for seen in vera.rounds] == [2, None, 0]
    assert (vera.rounds[0].table, vera.rounds[0].start, ilse.rounds[0].start) == (1, 1, 2)
    assert vera.extra == {"team": ("a;b",)}
    assert mateo.rounds == ()


def test_a_line_that_is_no_player_is_named_and_keeps_its_number() -> None:
    """The numbers of those below stay what their opponents call them."""
    feed = read_division_file("Brok, Ilse 1500 3; 400;\nnonsense here\nCaro 900 1; 380;\n", "A")
    assert [fault.line for fault in feed.faults] == [2]
    assert feed.event.divisions[0].games[0].players == (1, 3)


def test_javascript_that_is_no_json_is_read() -> None:
    """Keys without quotes, comments, single quotes, holes, hexadecimal, commas too many."""
    text = "// seen at\n newt = { a: [1, , 'it\\'s', -2.5e1, 0x1F,], /* b */ \"c\": undefined, };"
    literal = read_literal(text, text.index("{"))
    assert literal.value == {"a": [1, None, "it's", -25.0, 31], "c": None}
    assert literal.ended
    with pytest.raises(NotationError, match="nested"):
        read_literal("{a:" + "[" * 99)


def test_what_a_comment_says_is_no_feed(tmp_path: Path) -> None:
    """Above the feed, in UTF-16 as a shell of Windows writes it; a comment without end is none."""
    text = "// {not this}\n/* nor\n newt={} */ newt = " + feed_text(player_json(1, "Brok"))[5:]
    path = tmp_path / "tourney.js"
    path.write_text(text, encoding="utf-16")
    assert read_feed(str(path)).event.divisions[0].players[0].name == "Brok"
    with pytest.raises(NotationError, match="no object"):
        read_tourney_js("/* " * 200_000)


@given(st.text(alphabet="{}[]:,\"'\\ab1-.\n/*", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever it is, there is a value or an error that says so."""
    with suppress(NotationError):
        read_literal("{" + text)
    with suppress(NotationError):
        read_tourney_js(text)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8, 0.97])
def test_half_a_feed_is_read_as_far_as_it_goes(share: float) -> None:
    """And says at which player it breaks off."""
    text = write_tourney_js(replace(EVENT, divisions=(FIELD,)), {})
    feed = read_tourney_js(text[: int(len(text) * share)])
    assert not feed.whole
    fault = feed.faults[-1]
    assert (fault.code, fault.division) == ("broken_off", "A")
    players = feed.event.divisions[0].players
    assert fault.player == players[-1].number
    for player, right in zip(players[:-1], FIELD.players, strict=False):
        assert player.rounds == right.rounds


def test_a_division_may_be_a_number_and_a_player_missing() -> None:
    """Numbers are names here, and a hole in the list is named."""
    feed = read_tourney_js(
        feed_text(player_json(1, "Brok"), "null", player_json(3, "Caro"), name=1)
    )
    assert feed.event.divisions[0].name == "1"
    assert codes(feed) == ["player_missing"]
    assert [player.number for player in feed.event.divisions[0].players] == [1, 3]
    closed_up = read_tourney_js(feed_text(player_json(1, "Brok"), player_json(3, "Caro")))
    assert codes(closed_up) == ["player_missing"]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([{"pairings": [9], "scores": [400]}, {}], {"unknown_opponent"}),
        ([{"pairings": [1], "scores": [400]}, {}], {"own_opponent"}),
        ([{"pairings": [2], "scores": [400]}, {"pairings": [0], "scores": [50]}], {"not_mutual"}),
        ([{"scores": [400]}, {}], {"score_without_pairing"}),
        ([{"pairings": [2], "scores": [400]}, {"pairings": [1]}], {"half_a_result"}),
        ([{"pairings": "2"}, {}], {"not_a_list"}),
        ([{"pairings": [0], "scores": ["much"]}, {}], {"not_a_number"}),
        ([{"id": "one"}, {}], {"no_number"}),
        ([{"id": 2}, {}], {"number_twice"}),
        ([{"name": None}, {}], {"no_name"}),
        ([{}, {"name": "BROK"}], {"name_twice"}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, set) else "",
)
def test_what_is_wrong_is_named_and_the_rest_goes_on(
    lines: list[dict[str, object]], found: set[str]
) -> None:
    """Of two players one has an odd line; two others have played, and count."""
    feed = read_tourney_js(
        feed_text(
            player_json(1, "Brok", **lines[0]),
            player_json(2, "Caro", **lines[1]),
            player_json(3, "Dube", pairings=[4], scores=[430]),
            player_json(4, "Eklund", pairings=[3], scores=[400]),
        )
    )
    assert set(codes(feed)) == found
    rows = {row.name: row for row in placings(NO_RULE_SET, feed.event.divisions[0], 1)}
    assert len(rows) == 4
    assert (rows["Dube"].wins, rows["Dube"].spread, rows["Eklund"].losses) == (1, 30, 1)


def test_a_number_twice_in_a_table_is_named_and_nobody_is_lost() -> None:
    """Given twice, or one that a row without a number has by its place: nobody loses theirs."""
    feed = read_csv("name,number\nBrok,1\nCaro,1\nDube,2\nEve,4\nFarouk,\nGruber,5\n")
    assert [(p.number, p.name) for p in feed.event.divisions[0].players] == [
        (1, "Brok"), (2, "Dube"), (4, "Eve"), (5, "Farouk"), (6, "Caro"), (7, "Gruber")
    ]  # fmt: skip
    assert [(fault.code, fault.line) for fault in feed.faults] == [
        ("number_twice", 3), ("number_twice", 7)
    ]  # fmt: skip


def test_two_games_at_once_and_a_table_twice_are_named() -> None:
    """A player whom two others name, and two games at one table."""
    lines = ((2, 1), (1, 1), (4, 1), (3, 1), (4, 2))
    feed = read_tourney_js(
        feed_text(
            *(
                player_json(n, f"P{n}x", pairings=[other], scores=[400 + n], etc={"board": [table]})
                for n, (other, table) in enumerate(lines, start=1)
            )
        )
    )
    assert set(codes(feed)) == {"two_games_at_once", "table_twice", "not_mutual"}
    two = next(f for f in check_event(feed.event) if f.code == "two_games_at_once")
    assert two.place == "division A, round 1, player 4 P4x"


def test_a_rank_that_the_results_do_not_give_is_a_warning() -> None:
    """The feed's own rank beside the one that is counted."""
    feed = read_tourney_js(
        feed_text(
            player_json(1, "Brok", pairings=[2], scores=[400], etc={"rrank": [1, 2]}),
            player_json(2, "Caro", pairings=[1], scores=[300], etc={"rrank": [2, 2]}),
        )
    )
    (fault,) = check_ranks(NO_RULE_SET, feed.event.divisions[0])
    assert (fault.code, fault.player, fault.round, fault.warning) == ("rank_differs", 1, 1, True)


def test_a_feed_that_ranks_who_has_left_is_one_warning() -> None:
    """It has places 1, 3, 4 after round 2, for 2 has left between: not one line for each."""
    left = {"off": [-50], "rrank": [2, 2]}
    feed = read_tourney_js(
        feed_text(
            player_json(1, "Brok", pairings=[3, 4], scores=[400, 400], etc={"rrank": [1, 1, 1]}),
            player_json(2, "Caro", pairings=[4, 0], scores=[340, 60], etc=left),
            player_json(3, "Dube", pairings=[1, 0], scores=[345, 50], etc={"rrank": [3, 4, 3]}),
            player_json(4, "Eklund", pairings=[2, 1], scores=[300, 300], etc={"rrank": [4, 3, 4]}),
        )
    )
    (fault,) = check_ranks(NO_RULE_SET, feed.event.divisions[0])
    assert (fault.code, fault.player, fault.warning) == ("rank_differs", None, True)
    assert "2 Caro" in fault.message
    assert "2 ranks differ" in fault.message


def test_byes_absences_and_players_who_left() -> None:
    """A bye is won, an absence lost; who never came is last and shifts no rank."""
    feed = read_tourney_js(
        feed_text(
            player_json(1, "Brok", pairings=[0], scores=[-50], etc={"off": [-50]}),
            player_json(2, "Caro", pairings=[0], scores=[50]),
            player_json(3, "Dube", pairings=[0], scores=[-50]),
            player_json(4, "Eklund", pairings=[5], scores=[420]),
            player_json(5, "Farouk", pairings=[4], scores=[420]),
            player_json(6, "Gruber", pairings=[0], scores=[0]),
        )
    )
    rows = placings(NO_RULE_SET, feed.event.divisions[0], 1)
    assert [(row.name, row.rank, row.wins, row.losses) for row in rows] == [
        ("Caro", 1, 1, 0),
        ("Eklund", 2, 0.5, 0.5),
        ("Farouk", 2, 0.5, 0.5),
        ("Gruber", 4, 0, 0),
        ("Dube", 5, 0, 1),
        ("Brok", 6, 0, 1),
    ]


def test_a_cap_penalties_and_a_record_brought_along_count() -> None:
    """Spread by at most the cap, points off it, wins from before."""
    feed = read_tourney_js(
        feed_text(
            player_json(1, "Brok", pairings=[2], scores=[600], etc={"penalty": [-20]}),
            player_json(2, "Caro", pairings=[1], scores=[300], etc={"initrec": [3, 1, 25]}),
            spread_cap=200,
        )
    )
    rows = {row.name: row for row in placings(NO_RULE_SET, feed.event.divisions[0], 1)}
    assert (rows["Brok"].wins, rows["Brok"].spread) == (1, 180)
    assert (rows["Caro"].wins, rows["Caro"].losses, rows["Caro"].spread) == (3, 2, -175)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("tourney.js", "<!doctype html><title>404</title>", "page of HTML"),
        ("tourney.js", 'newt={"config":{}};', "no divisions"),
        ("tourney.js", "", "is empty"),
        ("notes.txt", "see you on Saturday", "is not a feed"),
        ("a.t", "# nobody yet\n", "no line of a player"),
        ("a.csv", "who,what\n1,2\n", "no column `name`"),
    ],
)
def test_what_is_no_feed_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: str, complaint: str
) -> None:
    """The message says what was found and what is wanted."""
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(NotationError, match=complaint):
        read_feed(str(path))


def test_a_folder_of_tsh_is_an_event(tmp_path: Path) -> None:
    """Divisions by config.tsh; a file that is not there is a fault, the rest is read."""
    (tmp_path / "config.tsh").write_text(
        "division a a.t\ndivision b b.t\nconfig event_name = 'Harbour Open'\n"
        "config max_rounds = 12\n"
    )
    (tmp_path / "a.t").write_bytes("Brøk, Ilse 1500 2; 400;\nCaro 900 1; 380;\n".encode("latin-1"))
    feed = read_feed(str(tmp_path))
    (only,) = feed.event.divisions
    assert (feed.event.name, only.name, only.last_round) == ("Harbour Open", "A", 12)
    assert only.players[0].name == "Brøk, Ilse"
    assert [fault.code for fault in feed.faults] == ["unreadable"]


def test_what_no_event_can_have_is_named(tmp_path: Path) -> None:
    """A score of a million, a second division of the same name, a name with a bell in it."""
    text = (
        "newt={divisions:["
        + ",".join(
            f'{{name:"A",players:[null,{{id:1,name:"A\\u0007 {n}",pairings:[2],scores:[{score}]}},'
            f'{{id:2,name:"B {n}",pairings:[1],scores:[300]}}]}}'
            for n, score in ((1, 400), (2, 1_000_000))
        )
        + "]};"
    )
    file = tmp_path / "odd.js"
    file.write_text(text, encoding="utf-8")
    feed = read_feed(str(file))
    assert [fault.code for fault in feed.faults] == ["division_twice", "score_impossible"]
    first, second = feed.event.divisions
    assert (first.name, second.name) == ("A", "A-2")
    assert ([g.scores for g in first.games], [g.scores for g in second.games]) == (
        [(400, 300)],
        [None],
    )
    assert first.player(1).name.isprintable()
