"""Games that are not played: what they count by the rule set, on paper and in other forms."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.domain.errors import NotationError
from recorder.domain.event.following import acts_to_follow, results_to_give_back
from recorder.domain.event.meetings import meetings_before, starts_before
from recorder.domain.event.orders import EventOrder, ForfeitGame
from recorder.domain.event.placing import placings
from recorder.domain.event.register import extended
from recorder.domain.observations import Side
from recorder.domain.orders import Concede, EndGame
from recorder.domain.rules.start.starting import Begun
from recorder.feeds.csv_table import read_csv, write_csv
from recorder.feeds.results_back import result_lines
from recorder.feeds.tourney_js import rank_vectors, read_tourney_js, write_tourney_js
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.event_record import event_preview
from recorder.orders.event_rules import rules_of
from recorder.orders.event_syntax import parse_event_order
from tests.event.event_hall import EventHall
from tests.event.fields import register_after
from tests.eventually import eventually

FIELD = (*(f"player A P{n}" for n in range(1, 5)), "round A 1 1:1-2 2:4-3")


def places(*words: str) -> dict[int, tuple[int, float, float, int]]:
    """Rank, wins, losses and spread of everybody after round 1."""
    division = register_after(*words).event.divisions[0]
    rows = placings(rules_of(division), division, 1)
    return {row.number: (row.rank, float(row.wins), float(row.losses), row.spread) for row in rows}


@pytest.mark.parametrize(
    ("rules", "words", "margins"),
    [
        ("naspa", "noshow A 1 2", (50, -50)),
        ("wespa1", "noshow A 1 2", (150, -150)),
        ("wespa3_hk", "late A 1 2", (100, -100)),
        ("wespa4", "late A 1 2", (100, -100)),
        ("psa", "late A 1 2", (150, -150)),
        ("wespa4", "noshow A 1 2 120", (120, -120)),
        ("naspa", "neither A 1 2", (-50, -50)),
    ],
)
def test_a_game_not_played_counts_what_the_rule_set_says(
    rules: str, words: str, margins: tuple[int, int]
) -> None:
    """LATE-4 and END-12: the margin is the rule set's, or the director's; both may have lost."""
    found = places(*FIELD, f"rules A {rules}", words)
    assert (found[1][3], found[2][3]) == margins
    assert [found[n][1] for n in (1, 2)] == [float(margin > 0) for margin in margins]
    assert [found[n][2] for n in (1, 2)] == [float(margin < 0) for margin in margins]


def test_without_a_rule_set_the_points_are_asked_for() -> None:
    """Nothing is guessed: no rule set, or one that does not say how both lose."""
    field = register_after(*FIELD)
    with pytest.raises(NotationError, match="write them at the end"):
        parse_event_order(["noshow", "A", "1", "2"], field.event)
    field = register_after(*FIELD, "rules A wespa1")
    with pytest.raises(NotationError, match="no rule set says"):
        parse_event_order(["neither", "A", "1", "2"], field.event)


def test_a_preview_says_what_it_changes_and_undone_it_is_gone() -> None:
    """A late player who plays after all is entered over it, too."""
    field = register_after(*FIELD, "rules A naspa", "result A 1 4 400 3 380")
    order = EventOrder(
        id="n", who="d", act=parse_event_order(["noshow", "A", "1", "2"], field.event)
    )
    changes = {row.after.number: row.after.spread for row in event_preview(field, order).ranks}
    assert changes == {1: 50, 4: 20, 2: -50, 3: -20}
    undone = extended(
        extended(field, order),
        EventOrder(id="u", who="d", act=parse_event_order(["undo", "n"])),
    )
    assert undone.event == field.event
    played = register_after(*FIELD, "noshow A 1 2 50", "result A 1 1 400 2 390").event.divisions[0]
    game = next(iter(played.games))
    assert (game.scores, game.margins) == ((400, 390), None)


def test_what_a_forfeit_means_for_later_rounds() -> None:
    """The two have not met, and NASPA counts such a start (START-1)."""
    division = register_after(*FIELD, "rules A naspa", "noshow A 1 2").event.divisions[0]
    assert meetings_before(division, 2).of(1, 2) == ()
    assert starts_before(division, 2)[1] == [Begun.FORFEIT]


def test_other_programs_get_two_rounds_without_opponent() -> None:
    """As TSH has it, with the same places; a table keeps the pair."""
    event = register_after(*FIELD, "rules A naspa", "noshow A 1 2", "result A 1 4 400 3 380").event
    written = write_tourney_js(event, rank_vectors(event, rules_of))
    feed = read_tourney_js(written)
    assert feed.faults == []
    lines = {p.number: p.in_round(1) for p in feed.event.divisions[0].players}
    assert [(lines[n].opponent, lines[n].score) for n in (1, 2, 3)] == [(0, 50), (0, -50), (4, 380)]
    ranks = json.loads(written.removeprefix("newt=").rstrip(";\n"))["divisions"][0]["players"]
    assert [player["etc"]["rrank"][1] for player in ranks[1:]] == [1, 4, 3, 2]
    (table,) = read_csv(write_csv(event)).event.divisions
    assert [game.margins for game in table.games] == [(50, -50), None]


def test_a_feed_that_forfeits_a_game_is_followed_and_told() -> None:
    """Both lines without opponent are a forfeit here; one of ours is no line to be typed."""
    ours = register_after(*FIELD, "result A 1 4 400 3 380").event
    feed = read_tourney_js(write_tourney_js(register_after(*FIELD, "noshow A 1 2 50").event, {}))
    acts = [act for act in acts_to_follow(ours, feed.event) if isinstance(act, ForfeitGame)]
    assert [(act.number, act.margin, act.other_margin) for act in acts] == [(1, 50, -50)]
    told = register_after(*FIELD, "noshow A 1 2 50", "result A 1 4 400 3 380").event
    lines = result_lines(results_to_give_back(told, register_after(*FIELD).event))
    assert lines.splitlines()[1:] == [
        "# 1 plays nobody, which counts 50",
        "# 2 plays nobody, which counts -50",
        "3 380 4 400",
    ]
    assert results_to_give_back(told, feed.event) == results_to_give_back(told, feed.event)[-1:]


def test_the_command_takes_the_rule_set_of_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the command line: the rule set named once, then no points have to be written."""
    log = str(tmp_path / "day.db")

    def run(*words: str) -> str:
        assert tilecast.main(["event", *words]) == 0
        return capsys.readouterr().out

    for words in (*FIELD, "rules A psa", "noshow A 1 2", "left A 3"):
        said = run("order", log, *words.split())
    assert "order e8 is recorded" in said
    rows: list[dict[str, Any]] = json.loads(run("standings", log, "--json"))
    assert [(row["id"], row["spread"]) for row in rows][:1] == [(1, 150)]
    listed = run("order", log).replace("\N{MINUS SIGN}", "-")
    assert "2 P2 did not come, which counts -150" in listed
    assert "3 P3 has left; each missed round counts -150" in listed
    assert tilecast.main(["event", "order", log, "rules", "A", "chess"]) == 1
    assert "These rules cannot be used" in capsys.readouterr().err


def test_a_game_conceded_at_its_table_counts_its_margin(tmp_path: Path) -> None:
    """W1 sets a margin and leaves the scores alone (END-11); one never begun is a forfeit."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        hall = EventHall(tmp_path, log)
        for words in FIELD:
            hall.orders(words)
        for table in (1, 2):
            hall.show(table)
        hall.start(1)
        hall.show(1, "8G HAND")
        hall.press(1, Side.LEFT)
        hall.show(1, "8G HAND")
        hall.stop(1)
        hall.rules(1, Concede(player=0, margin=50, how="resignation"))
        hall.rules(2, Concede(player=1, margin=150, how="lateness"))
        for table in (1, 2):
            hall.rules(table, EndGame())
            hall.sign(table)
        games = {game.players: game for game in hall.division().games}
        assert (games[1, 2].scores, games[1, 2].margins) == ((16, 0), (-50, 50))
        assert (games[3, 4].forfeited, games[3, 4].margins) == (True, (-150, 150))
        assert "has_result" in {change.code for change in hall.changes("result A 1 1 16 2 0")}
        assert [row[1:] for row in hall.standings()] == [
            *((4, 1.0, 150), (2, 1.0, 50)),
            *((1, 0.0, -50), (3, 0.0, -150)),
        ]
        hall.recorder.stop()
    with public_pages(tmp_path / "log.db") as client:
        (division,) = client.get("/event/data.json").json()["divisions"]
        said = client.get("/event/field/results.txt").text.replace("\N{MINUS SIGN}", "-")
        players = client.get("/event/rounds.json?division=A").json()["players"]
        over = client.get("/public/games.json").json()["games"]
    assert [(game["winner"], game["margins"]) for game in division["games"]] == [
        (1, [-50, 50]),
        (0, [150, -150]),
    ]
    assert sorted(result["winner"] for result in division["results"]) == [0, 1]
    latest = {row["id"]: row["latest"] for row in division["standings"]}
    assert [[game["margin"] for game in latest[n]] for n in (1, 2, 3, 4)] == [[-50], [50], [], []]
    assert "P1 16 (-50) \N{EN DASH} 0 (+50) P2" in said.splitlines()
    assert {p["id"]: p["rounds"][0]["margin"] for p in players} == {1: -50, 2: 50, 3: -150, 4: 150}
    assert [game["result"]["loser"] for game in over] == [0, 1]


@contextmanager
def public_pages(log: Path) -> Iterator[TestClient]:
    """A spectator's browser, once the log has been read."""
    keys = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=log, access=keys))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        eventually(lambda: client.get("/healthz").json()["log"] == "following", "it follows")
        yield client
