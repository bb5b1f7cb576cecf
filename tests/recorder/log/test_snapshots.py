"""A game that goes on from a snapshot of its fold is the one that is folded from its first row."""

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import recorder.table.folded
import recorder.table.snapshot
from recorder.declared.shared_values import SharedValues, UnreadableValueError
from recorder.domain.reading.table_fold import Stamped, take
from recorder.domain.reading.table_state import TableState
from recorder.domain.row_kind import Kind
from recorder.domain.tiles import TileSet
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import plan_of, play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.log.port import Row
from recorder.table.folded import Fold
from recorder.table.game_recorder import GameRecorder, TablePlan
from recorder.table.snapshot import (
    MOST_SNAPSHOT_BYTES,
    TILE_TEXTS,
    SnapshotRefusedError,
    digest_of_sources,
    fold_from,
    program_digest,
    snapshot_of,
)
from recorder.tilesets import load_tile_set
from tests.bench.hall.hall_log import game_as_scenario
from tests.boards import board_of
from tests.cases import first_of
from tests.domain.reading import test_by_hands

pytestmark = pytest.mark.slow  # plays games

SCENARIOS = Path(__file__).parents[2] / "scenarios"
GAMES = (
    "024_blank_after_phony.wespa1-wespa3_hk-wespa4-naspa",
    "031_overdraw_detected.naspa",
    "082_wrong_half_pressed_back",
    "101_taken_back.naspa",
)
TURNS = 5


@cache
def played(name: str) -> tuple[TablePlan, tuple[Row, ...]]:
    """A game's plan and its rows: a scenario, or (without a name) the program's own game."""
    path = SCENARIOS / f"{name}.scn"
    text = path.read_text(encoding="utf-8") if name else game_as_scenario(TURNS)
    scenario = parse_scenario(text, path.name)
    store = MemoryEventLog()
    play_through(scenario, store=store)
    (table,) = plan_of(scenario.setup).tables
    return table, tuple(store.read_from(1))


def game_of(table: TablePlan, rows: Sequence[Row]) -> GameRecorder:
    """A game that knows what was said of it, and not yet what follows."""
    game = GameRecorder(table)
    for row in rows:
        if (
            row.kind is not Kind.RECORDED and row.kind is not Kind.CORRECTED
        ) or row.type == "game.started":
            game.take(row)
    return game


def snapshot_after(table: TablePlan, rows: Sequence[Row]) -> bytes:
    game = game_of(table, rows)
    assert game.state is not None
    fold = game.folded.fold
    assert fold is not None
    return snapshot_of(fold, table.started.table, table.started.game)


def going_on(table: TablePlan, rows: Sequence[Row], snapshot: bytes) -> GameRecorder:
    """The game with all of its rows, which goes on from a snapshot that must hold."""

    def earlier(opening: TableState, taken: Sequence[Stamped]) -> Fold:
        started = table.started
        return fold_from(snapshot, opening, taken, table=started.table, game=started.game)

    game = game_of(table, rows)
    game.folded.go_on_from(earlier)
    return game


@pytest.mark.parametrize("name", first_of(2, ["", *GAMES]))
def test_a_game_cut_anywhere_goes_on_as_it_would_have(name: str) -> None:
    """Its state, what it writes and its next snapshot are those of a game without one."""
    table, rows = played(name)
    whole = game_of(table, rows)
    news, again = whole.pending_rows(rows[-1].at), snapshot_after(table, rows)
    assert any(row.kind is Kind.RECORDED for row in news)
    for cut in (len(rows) // 3, 2 * len(rows) // 3, len(rows) - 2):
        snapshot = snapshot_after(table, rows[:cut])
        game = going_on(table, rows, snapshot)
        assert game.state == whole.state, cut
        assert game.pending_rows(rows[-1].at) == news, cut
        fold = game.folded.fold
        assert fold is not None
        # Equal parts that are one object in one of the two make other bytes of the same state.
        next_snapshot = snapshot_of(fold, table.started.table, table.started.game)
        assert going_on(table, rows, next_snapshot).state == whole.state, cut
        assert going_on(table, rows, again).state == whole.state, cut
        assert len(snapshot) < MOST_SNAPSHOT_BYTES // 20


def test_what_comes_late_is_folded_in_at_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the snapshot all is folded again from the first; behind it from the snapshot."""
    table, rows = played("")
    whole = game_of(table, rows)
    news = whole.pending_rows(rows[-1].at)
    seen = [row for row in rows if row.kind is Kind.OBSERVED]
    cut = rows.index(seen[-6]) + 1
    folded: list[int] = []

    def counted(state: TableState, stamped: Stamped) -> TableState:
        folded.append(stamped.seq)
        return take(state, stamped)

    monkeypatch.setattr(recorder.table.folded, "take", counted)
    for late, again in ((seen[4], len(seen)), (seen[-2], 2)):
        begun = [row for row in rows[:cut] if row is not late]
        rest = [row for row in rows if row is not late]
        game = going_on(table, rest, snapshot_after(table, begun))
        folded.clear()
        assert game.state is not None
        assert len(folded) <= 5
        game.take(late)
        folded.clear()
        assert game.state == whole.state
        assert len(folded) == again
        assert game.pending_rows(rows[-1].at) == news


def test_a_look_that_a_table_knows_twice_stays_one() -> None:
    """Parts that are the same object are written once, and are the same object again."""
    state = game_of(*played("")).state
    look, turns = state.looks.latest, state.turns
    assert look is not None
    off = replace(turns.taken_off, unchallenged=turns.reconstruction)
    claimed = replace(state.questions, before_claimed_end=turns)
    once = replace(state, turns=replace(turns, taken_off=replace(off, unchallenged=None)))
    twice = replace(
        state,
        looks=replace(state.looks, since_press=look, at_stop=look),
        turns=replace(turns, taken_off=off),
        questions=claimed,
    )
    values = SharedValues(TableState, {TileSet: turns.tile_set}, TILE_TEXTS)
    nodes = values.write(twice)
    again = values.read(json.loads(json.dumps(nodes)))
    assert again == twice
    assert again.looks.since_press is again.looks.latest is again.looks.at_stop
    before = again.questions.before_claimed_end
    known = again.turns.reconstruction
    assert again.turns.taken_off.unchallenged is known is before.reconstruction
    assert len(nodes) <= len(values.write(once)) + 2, "the turns before, with what was taken off"


def test_a_table_without_a_clock_is_kept_too() -> None:
    """Who reaches over the board divides its turns."""
    table = test_by_hands.Table()
    table.sees(board_of())
    table.sees(board_of("8D QUALM"), test_by_hands.ADA)
    table.sees(board_of("8D QUALM", "9F BOY"), test_by_hands.BEN)
    assert table.state.questions.by_hands is not None
    values = SharedValues(TableState, {TileSet: table.state.turns.tile_set}, TILE_TEXTS)
    assert values.read(json.loads(json.dumps(values.write(table.state)))) == table.state


@pytest.mark.parametrize(
    "nodes",
    [
        *(None, {}, [], [[]], [[0]], [[-1, []]], [["0", []]], [[True, []]], [[10_000, []]]),
        *([[0, []]], [[0, "x"]], [[0, [0] * 99]], [[1, [[1, 2], 3, 4, 5, "yes"]]], 5, "x"),
    ],
)
def test_what_is_no_state_is_said_to_be_none(nodes: object) -> None:
    """Nothing comes out of it but the complaint."""
    values = SharedValues(TableState, {TileSet: load_tile_set("english")}, TILE_TEXTS)
    with pytest.raises(UnreadableValueError):
        values.read(nodes)


def test_no_part_of_a_snapshot_may_be_another() -> None:
    """Each value in it is of the type that is declared there, or the whole is refused."""
    state = game_of(*played("")).state
    values = SharedValues(TableState, {TileSet: state.turns.tile_set}, TILE_TEXTS)
    nodes = values.write(state)
    for place in range(0, len(nodes), 25):
        for wrong in ({}, -1, 1.5, "?", [[]], len(nodes)):
            changed = [*nodes[:place], [nodes[place][0], wrong], *nodes[place + 1 :]]
            with pytest.raises(UnreadableValueError):
                values.read(changed)


def repacked(snapshot: bytes, state: bytes, **said: object) -> bytes:
    """A snapshot with other contents, whose checksum is right."""
    head = json.loads(snapshot.partition(b"\n")[0])
    packed = zlib.compress(state, 1)
    head |= {"state": hashlib.sha256(packed).hexdigest(), **said}
    return json.dumps(head).encode() + b"\n" + packed


def test_a_snapshot_that_does_not_rest_on_this_log_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By its program, its opening, its rows or its bytes; each time it is said why."""
    table, rows = played("")
    snapshot = snapshot_after(table, rows)
    game = game_of(table, rows)
    opening, taken = game.folded.opening, game.folded.taken
    other = replace(taken[3], hash="0" * 64)
    anew = replace(opening, clock=replace(opening.clock, silence_ms=15_000))
    cut, spoiled = snapshot[:-9], snapshot[:-9] + b"a" + snapshot[-8:]
    damaged: list[tuple[bytes, str]] = [
        (b"", "a snapshot"),
        (b"x" * 100, "a snapshot"),
        (b"x" * (MOST_SNAPSHOT_BYTES + 1), "too large"),
        (cut, "damaged"),
        (spoiled, "damaged"),
        (repacked(snapshot, b"[]"), "cannot be read"),
        (repacked(snapshot, b"{"), "cannot be read"),
        (repacked(snapshot, b"[" * 100_000), "cannot be read"),
        (repacked(snapshot, b"1" * 20_000_000), "cannot be read"),
        (repacked(snapshot, b"[]", v=2), "v must be"),
        (repacked(snapshot, b"[]", taken=10**6), "fewer rows"),
        (repacked(snapshot, b"[]", taken=len(taken) - 1), "other rows"),
    ]

    def complaint(
        snapshot: bytes = snapshot,
        opening: TableState = opening,
        taken: Sequence[Stamped] = taken,
        game: str = "scenario",
    ) -> str:
        try:
            fold_from(snapshot, opening, taken, table=1, game=game)
        except SnapshotRefusedError as fault:
            return str(fault)
        return ""

    assert complaint() == ""
    assert "fewer rows" in complaint(taken=taken[:-1])
    assert "other rows" in complaint(taken=(*taken[:3], other, *taken[4:]))
    assert "other rows" in complaint(taken=(taken[1], taken[0], *taken[2:]))
    assert "opened otherwise" in complaint(opening=anew)
    assert "another game" in complaint(game="round-2-table-1")
    for bad, why in damaged:
        assert why in complaint(bad), (bad[:60], why)
    monkeypatch.setattr(recorder.table.snapshot, "program_digest", lambda: "0" * 64)
    assert "another release" in complaint()


def test_every_source_of_the_recorder_tells_a_program_from_another(tmp_path: Path) -> None:
    """A line more in one of them, and it is another; without any there is nothing to go by."""
    assert len(program_digest()) == 64
    assert digest_of_sources(tmp_path) == ""
    (tmp_path / "rules").mkdir()
    (tmp_path / "fold.py").write_text("a = 1\n")
    (tmp_path / "rules" / "one.toml").write_text("b = 1\n")
    before = digest_of_sources(tmp_path)
    (tmp_path / "rules" / "one.toml").write_text("b = 2\n")
    assert len({before, digest_of_sources(tmp_path), program_digest()}) == 3


def test_a_game_of_which_something_was_left_out_has_no_snapshot() -> None:
    """What broke the fold is in the log, and a fixed release reads it."""
    table, rows = played("")
    game = game_of(table, rows)
    assert game.folded.fold is None, "nothing is folded yet"
    game.folded._under_way = game.folded.taken[2]
    assert game.folded.drop_culprit() is not None
    assert game.state is not None
    assert game.folded.fold is None


def test_a_state_that_breaks_the_fold_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is left out for it: the game is folded from its first row."""
    table, rows = played("")
    cut = len(rows) // 2
    begun = game_of(table, rows[:cut])
    clock = replace(begun.state.clock, now=replace(begun.state.clock.now, remaining_ms=()))
    turns = replace(begun.state.turns, reconstruction=None)
    broken = replace(begun.state, clock=clock, turns=turns)
    fold = Fold(begun.folded.opening, begun.folded.taken, broken)
    game = game_of(table, rows)
    game.folded.go_on_from(lambda _opening, _taken: fold)
    assert game.state == game_of(table, rows).state
    assert game.folded.fold is not None
    assert "folded from the first" in caplog.text
