"""What commentators are shown beyond the public frame, and that the public is not."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from dashboard import cli
from dashboard.app import Settings, create_app
from dashboard.auth.access import Role
from dashboard.cli import settings_from
from dashboard.commentator.analysis import Analysis, Analyst, Question, load_lists
from dashboard.commentator.missed import played_so_far
from dashboard.commentator.worker import Worker
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from dashboard.live.messages.merge_patch import patched
from devices.lab.demonstration import WORDS as WORDS_OF_THE_DEMO
from devices.lab.demonstration import load_game
from recorder.commands.command_line import CommandParser
from recorder.domain.errors import NotationError
from recorder.domain.game import Exchanged, Passed, Withdrawn
from recorder.domain.notices import in_words
from recorder.domain.observations import ClockPressed, DeviceLost, RackCounted, RackSeen, Side
from recorder.domain.tile_text import read_tiles, write_tiles
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually

if TYPE_CHECKING:
    from recorder.frames import booth

START_MS = 1_700_000_000_000
BASE = "http://127.0.0.1:8015"
COMMENTATOR, DIRECTOR = "commentator-1", "director-key-1"
WORDS = "ZEPHYR ZEPHYRS COPY CAVE CAVES HE SHE HEN QI QIS RETAINS TRAINERS ANTE AT AE"
LETTERS = "QIJVKXW"
"""A rack that no overlay may ever show; none of it is in a name or a word on the board."""


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table with a log of its own; a game is on."""
    writer = write_table(START_MS)
    writer.start()
    return writer


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "event.txt"
    path.write_text("\n".join(WORDS.split()), encoding="utf-8")
    return path


def rack(letters: str, side: Side = Side.LEFT, **rest: Any) -> RackSeen:
    return RackSeen(
        side=side, letters=read_tiles(letters), slots=read_tiles(letters), confidence=0.98, **rest
    )


def press(side: Side, left_ms: int, right_ms: int) -> ClockPressed:
    """A player ends the turn."""
    other = Side.RIGHT if side is Side.LEFT else Side.LEFT
    return ClockPressed(side=side, left_ms=left_ms, right_ms=right_ms, running=other)


def told(table: TableWriter, analysis: Analysis | None = None) -> dict[str, Any]:
    """The commentator's model after everything that the table has written."""
    hub = Hub(0, lambda: table.at, analysis=analysis)
    hub.take(Batch(tuple(table.rows), anew=False, caught_up=True))
    model = hub.channel(table.table, Role.COMMENTATOR).model
    assert model is not None
    return model


def test_an_unknown_rack_is_unknown(table: TableWriter) -> None:
    """Nothing seen, nothing more seen, or the camera gone: no letters; and no best plays."""
    assert told(table)["racks"] == [{"seen": None, "counted": None}] * 2
    table.observe(rack("RETAINS"), "rack-1")
    assert told(table)["racks"][0]["seen"]["letters"] == "RETAINS"
    table.observe(rack(""), "rack-1")
    assert told(table)["racks"][0]["seen"] is None
    table.observe(rack("RETAINS"), "rack-1")
    table.observe(DeviceLost(device="rack-1", reason=in_words("unplugged")), "rack-1")
    assert told(table)["racks"][0]["seen"] is None


def test_a_turn_keeps_the_rack_it_was_made_from_and_its_time(table: TableWriter) -> None:
    """Tiles leave the rack while the play forms, and new ones come before it is recorded."""
    table.observe(rack("ZEPHYRS"), "rack-1")
    table.observe(rack("S"), "rack-1")
    ended = table.observe(press(Side.LEFT, 1_460_000, 1_500_000), "clock-1")
    table.observe(rack("SAINTED"), "rack-1")
    table.play(0, "8D ZEPHYR", refs=[ended.seq])
    (line,) = told(table)["sheet"]
    assert line["rack"]["letters"] == "ZEPHYRS"
    assert (line["clocks"], line["spent_ms"]) == ([1_460_000, 1_500_000], 40_000)
    assert told(table)["racks"][0]["seen"]["letters"] == "SAINTED"


def test_tiles_drawn_too_many_are_no_rack_to_play_from(table: TableWriter, words: Path) -> None:
    """Eight tiles: the reason is reported; when one is back in the bag, it is a rack again."""
    analysis = Analysis(lists=load_lists(words))
    table.observe(rack("RETAINSX"), "rack-1")
    assert told(table, analysis)["best"]["why"] == "rack_too_long"
    table.observe(rack("RETAINS"), "rack-1")
    assert "why" not in told(table, analysis)["best"]
    table.observe(rack("RET"), "rack-1")
    assert told(table, analysis)["best"]["rack"] == "RETAINS"


@pytest.mark.parametrize(
    ("letters", "why"),
    [("ZZRETAI", "rack_not_left"), ("???RETA", "rack_not_left"), ("RETAINS", "")],
)
def test_a_rack_that_cannot_be_is_not_searched(
    table: TableWriter, words: Path, letters: str, why: str
) -> None:
    """A second Z, or a third tile without a letter: something lies face down or was misread."""
    table.observe(rack(letters), "rack-1")
    assert told(table, Analysis(lists=load_lists(words)))["best"].get("why", "") == why


def test_between_press_and_record_nothing_is_searched(table: TableWriter, words: Path) -> None:
    """The board on record is not the one that the next play is made on."""
    table.observe(rack("RETAINS"), "rack-1")
    table.observe(press(Side.LEFT, 1_460_000, 1_500_000), "clock-1")
    best = told(table, Analysis(lists=load_lists(words)))["best"]
    assert best["why"] == "not_recorded_yet"


def test_a_correction_keeps_moves_beside_their_lines(table: TableWriter) -> None:
    """A line taken out takes its clock along; what follows stays where it was.

    Of two turns where one was recorded the second was ended by the press that is known.
    """
    rows = []
    for player, text in ((0, OPENING[0]), (1, OPENING[1])):
        side = (Side.LEFT, Side.RIGHT)[player]
        ended = table.observe(press(side, 1_000_000 - player, 900_000), "clock-1")
        rows.append(table.play(player, text, refs=[ended.seq]))
    ended = table.observe(press(Side.LEFT, 800_000, 900_000), "clock-1")
    table.record(Passed(0), refs=[ended.seq])
    table.correct(rows[1].seq, Passed(1), Passed(1))
    clocks = [line.get("clocks") for line in told(table)["sheet"]]
    times = [[1_000_000, 900_000], [999_999, 900_000], [800_000, 900_000]]
    assert clocks == [times[0], None, times[1], times[2]]
    table.correct(rows[1].seq)
    assert [line["clocks"] for line in told(table)["sheet"]] == [times[0], times[2]]


def test_one_verdict_for_a_play_and_the_hooks_of_its_word(table: TableWriter, words: Path) -> None:
    """Never a verdict for a word (CHAL-2); a line that lays no word has none."""
    table.play(0, "8D ZEPHYR")
    table.play(1, "F6 CO.Y")
    table.play(0, "6F .AVE")
    table.record(Withdrawn(0, 9))
    sheet = told(table, Analysis(lists=load_lists(words)))["sheet"]
    assert [line["verdict"] for line in sheet] == ["good", "good", "good", None]
    assert [line["hooks"] for line in sheet[:1]] == [{"front": "", "back": "S"}]
    assert sheet[3]["hooks"] is None
    assert told(table)["sheet"][0]["verdict"] is None


def test_a_phony_and_a_blank_that_nobody_named(table: TableWriter, words: Path) -> None:
    """A bad word makes the play bad; what hangs on the blank's letter is open."""
    table.play(0, "8D ZEP?YR")
    table.play(1, "F6 CU.Y")
    sheet = told(table, Analysis(lists=load_lists(words)))["sheet"]
    assert [line["verdict"] for line in sheet] == ["undecided", "bad"]
    assert sheet[0]["hooks"] is None


def test_known_racks_leave_the_pool(table: TableWriter) -> None:
    """A rack read with doubt, or one that cannot be, stays in it."""
    table.observe(rack("RETAINS"), "rack-1")
    pool = told(table)["pool"]
    assert (pool["count"], pool["off_board"], pool["less"]) == (93, 100, [0])
    table.observe(rack("INS"), "rack-1")
    assert told(table)["pool"]["count"] == 93
    table.observe(rack("QQZZXXJ", Side.RIGHT), "rack-2")
    assert told(table)["pool"]["less"] == [0]
    table.observe(rack("QZXJKVW", Side.RIGHT, doubtful=(1,)), "rack-2")
    assert told(table)["pool"]["less"] == [0]


@pytest.mark.parametrize("delay_ms", [0, 60_000])
def test_no_rack_ever_reaches_the_public(table: TableWriter, words: Path, delay_ms: int) -> None:
    """Neither letters nor counts, late or not, in no message of the public channel."""
    hub = Hub(delay_ms, lambda: table.at, analysis=Analysis(lists=load_lists(words)))
    sent: list[str] = []
    table.observe(rack(LETTERS), "rack-1")
    table.observe(RackCounted(side=Side.LEFT, places="#######", confidence=0.9), "count-1")
    ended = table.observe(press(Side.LEFT, 1_460_000, 1_500_000), "clock-1")
    table.play(0, "8D ZEPHYR", refs=[ended.seq])
    table.observe(rack(LETTERS), "rack-1")
    for row in table.rows:
        hub.take(Batch((row,), anew=False, caught_up=True))
        sent.append(json.dumps(hub.channel(table.table, Role.VIEWER).model))
    table.at += 10 * 60_000
    hub.tick()
    sent.append(json.dumps(hub.channel(table.table, Role.VIEWER).model))
    live = hub.channel(table.table, Role.COMMENTATOR).model
    assert live is not None
    assert LETTERS in json.dumps(live)
    for text in sent:
        assert LETTERS not in text
        frame = json.loads(text) or {}
        assert not {"racks", "pool", "best", "sheet", "chance"} & frame.keys()
    assert "ZEPHYR" in sent[-1]


def settings_of(table: TableWriter, words: Path, *options: str) -> Settings:
    """A dashboard at the table's log, as the command line makes it."""
    parser = CommandParser()
    cli.register(parser.add_subparsers())
    keys = ["--commentator-token", COMMENTATOR, "--director-token", DIRECTOR]
    given = parser.parse_args(
        ["dashboard", "--log", str(table.log._path), "--words", str(words), *keys, *options]
    )
    return settings_from(given, None)


def open_app(table: TableWriter, words: Path, *options: str) -> TestClient:
    """A browser of sorts at such a dashboard."""
    return TestClient(create_app(settings_of(table, words, *options)), base_url=BASE)


def worker_of(settings: Settings) -> subprocess.Popen[bytes]:
    analyst = settings.analysis.analyst
    assert analyst._worker is not None
    return analyst._worker


def until(socket: WebSocketTestSession, key: str, wanted: str) -> Any:
    """Read messages until a key of the frame has a field; the other ends when the test does."""
    frame: Any = {}
    while True:
        message = socket.receive_json()
        frame = message["frame"] if "frame" in message else patched(frame, message.get("patch", {}))
        if wanted in (frame.get(key) or {}):
            return frame[key]


@pytest.mark.slow
def test_best_plays_come_when_they_are_found(table: TableWriter, words: Path) -> None:
    """Found in a process of their own, for the rack of the player on turn."""
    table.observe(rack("RETAINS"), "rack-1")
    with open_app(table, words) as client:
        client.get(f"/enter/{COMMENTATOR}")
        with client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/commentator/1") as socket:
            best = until(socket, "best", "plays")
    assert (best["player"], best["rack"]) == (0, "RETAINS")
    assert (best["plays"][0]["word"], best["plays"][0]["leave"]) == ("RETAINS", "")
    assert best["plays"][0]["score"] == 50 + 2 * (7 + 1)


@pytest.mark.slow
def test_what_turns_gave_away(table: TableWriter, words: Path) -> None:
    """A play that came off is worth nothing; what nobody can know is not rated, and not guessed."""
    for turn, (letters, text) in enumerate((("ZEPHYRS", "8D ZEPHYR"), ("HENQIAT", "F6 HE."))):
        side = (Side.LEFT, Side.RIGHT)[turn]
        table.observe(rack(letters, side), f"rack-{turn}")
        ended = table.observe(press(side, 1_460_000, 1_450_000), "clock-1")
        table.play(turn, text, refs=[ended.seq])
    table.record(Withdrawn(1, table.rows[-1].body["data"]["score"]))
    table.play(0, "9C HEN")  # nobody saw this rack
    table.record(Exchanged(1, 3))
    with open_app(table, words) as client:
        assert client.get("/api/booth/1/review").status_code == 401
        client.get(f"/enter/{COMMENTATOR}")
        eventually(lambda: client.get("/api/booth/1/best/0").status_code == 200, "it is read")
        review = client.get("/api/booth/1/review").json()
    assert set(review["turns"]) == {"0", "1"}
    phony = review["turns"]["1"]
    assert phony["lost"] > phony["best"]["worth"] - 12, "all of it, but for what the rack is worth"
    assert [(player["turns"], player["rated"]) for player in review["players"]] == [(2, 1), (2, 1)]
    assert all(0 <= player["accuracy"] <= 100 for player in review["players"])


def test_few_rated_turns_make_no_accuracy() -> None:
    """One of three is no measure of a game; one of two is."""
    best: booth.Play = {
        "position": "8D", "word": "CAT", "text": "CAT", "score": 10, "leave": "", "worth": 10.0
    }  # fmt: skip
    rated: booth.Missed = {"best": best, "lost": 0.0, "chance": 0.0}
    first, second = played_so_far([(0, rated), (1, rated), (0, None), (1, None), (0, None)])
    assert (first["rated"], first["accuracy"]) == (1, None)
    assert (second["rated"], second["accuracy"]) == (1, 100)


@pytest.mark.slow
def test_best_plays_of_an_earlier_turn(table: TableWriter, words: Path) -> None:
    """For the board and the rack of then; a line that is no turn has none."""
    table.observe(rack("ZEPHYRS"), "rack-1")
    ended = table.observe(press(Side.LEFT, 1_460_000, 1_500_000), "clock-1")
    table.play(0, "8D ZEPHYR", refs=[ended.seq])
    with open_app(table, words) as client:
        assert client.get("/api/booth/1/best/0").status_code == 401
        client.get(f"/enter/{COMMENTATOR}")
        until_line = client.get("/api/booth/1/best/0")
        while until_line.status_code == 404:
            until_line = client.get("/api/booth/1/best/0")
        assert until_line.json()["plays"][0]["word"] == "ZEPHYRS"
        assert client.get("/api/booth/1/best/7").status_code == 404
        odds = client.get("/api/booth/1/draw", params={"wanted": "s?", "drawn": 7}).json()
        assert odds["wanted"] == "S?"
        assert odds["any"] > odds["each"]["S"] > odds["each"]["?"] > 0


@pytest.mark.slow
def test_a_search_that_died_is_started_again(table: TableWriter, words: Path) -> None:
    """One answer says that it is not running; the next question has an answer."""
    table.observe(rack("RETAINS"), "rack-1")
    settings = settings_of(table, words)
    with TestClient(create_app(settings), base_url=BASE) as client:
        client.get(f"/enter/{COMMENTATOR}")
        with client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/commentator/1") as socket:
            until(socket, "best", "plays")
            worker_of(settings).kill()
            table.observe(rack("QISUUVW"), "rack-1")
            assert "not running" in until(socket, "best", "why")["why"]
            table.observe(rack("CAVESUU"), "rack-1")
            assert until(socket, "best", "plays")["rack"] == "CAVESUU"


@pytest.mark.slow
def test_the_public_may_see_what_the_last_turn_could_have_been(
    table: TableWriter, words: Path
) -> None:
    """Only when the director says so, late, and without what stays on the rack."""
    table.observe(rack("ZEPHYRS"), "rack-1")
    ended = table.observe(press(Side.LEFT, 1_460_000, 1_500_000), "clock-1")
    table.play(0, "8D ZEPHYR", refs=[ended.seq])
    with (
        open_app(table, words, "--delay", "60", "--show-best") as client,
        client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/table/1") as socket,
    ):
        best = until(socket, "best", "plays")
    assert (best["n"], best["player"], best["plays"][0]["word"]) == (1, 0, "ZEPHYRS")
    assert all(one.keys() == {"position", "word", "text", "score"} for one in best["plays"])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--show-best"], "without --delay"),
        (["--show-best", "--delay", "60"], "needs the event's word list"),
        (["--words", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(options: list[str], why: str) -> None:
    """The recorder helps no player, and guesses no list."""
    parser = CommandParser()
    cli.register(parser.add_subparsers())
    given = parser.parse_args(["dashboard", "--log", "x.db", *options])
    with pytest.raises((NotationError, OSError), match=why):
        settings_from(given, None)


def test_a_tile_set_of_ones_own_has_hooks_and_best_plays(tmp_path: Path) -> None:
    """Its letters are read from its file, and a word of the list is laid with them."""
    own, words = tmp_path / "club.toml", tmp_path / "club.txt"
    faces = "".join(
        f'{{ label = "{label}", count = 30, value = 2{", vowel = true" * (label == "W")} }},'
        for label in ("W", "Ŵ", "DD")
    )
    own.write_text(f'name = "club"\nblanks = 2\nfaces = [{faces}]\n', encoding="utf-8")
    words.write_text("DDWŴ\nWDD\n", encoding="utf-8")
    assert load_lists(words, own)["club"].count == 2
    asked = Question("club", "." * 225, "W[DD]WW")
    assert Worker(words, own).answer(asked).plays[0]["word"] == "W[DD]"


def test_without_a_list_the_page_says_what_to_do(table: TableWriter, tmp_path: Path) -> None:
    """No verdicts, no hooks, no plays; and a file that is no list is named."""
    model = told(table)
    assert model["list"]["why"] == "no_words"
    assert model["best"]["why"] == model["list"]["why"]
    bad = tmp_path / "empty.txt"
    bad.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(NotationError, match=r"empty\.txt"):
        load_lists(bad)


@pytest.mark.slow
def test_the_search_ends_with_its_dashboard(table: TableWriter, words: Path) -> None:
    table.observe(rack("RETAINS"), "rack-1")
    settings = settings_of(table, words)
    with TestClient(create_app(settings), base_url=BASE) as client:
        client.get(f"/enter/{COMMENTATOR}")
        with client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/commentator/1") as socket:
            until(socket, "best", "plays")
        worker = worker_of(settings)
    assert worker.poll() is not None


def late_in_the_demo(table: TableWriter, left: int) -> None:
    """The demo's game but for so many last events, at the table's own log."""
    events = load_game(None).events
    table.start(game="demo")
    for event in events[: len(events) - left]:
        table.record(event)


def ending_of(table: TableWriter) -> Any:
    """How the game ends, as its commentators get it once it has been calculated."""
    with open_app(table, WORDS_OF_THE_DEMO) as client:
        client.get(f"/enter/{COMMENTATOR}")
        with client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/commentator/1") as socket:
            return until(socket, "ending", "depth")


@pytest.mark.further
@pytest.mark.slow
def test_the_end_is_solved_once_the_bag_is_empty(table: TableWriter) -> None:
    """By the opponent's rack alone: what is neither there nor on the board is the rack on turn."""
    late_in_the_demo(table, 3)
    table.observe(rack("NRS?", Side.RIGHT), "rack-2")
    ending = ending_of(table)
    assert (ending["player"], ending["bag"], ending["needs"]) == (0, 0, 31)
    assert ending["solved"]
    assert [(play["text"], play["score"]) for play in ending["course"]] == [("OUTAGE", 7)]
    assert ending["spread"] == -30 + 7 + 2 * 3


@pytest.mark.slow
@pytest.mark.parametrize(("laid", "bag"), first_of(1, [("10F Z", 2), ("10F ZI", 1)]))
def test_last_draws_are_weighed(table: TableWriter, laid: str, bag: int) -> None:
    """With one or two tiles in the bag: the most likely to win first, over every draw."""
    late_in_the_demo(table, 6)
    table.play(1, laid)
    cells = write_tiles(table.state.board.cells)
    asked = Question("english", cells, "DEENOTU", lead=6, seconds=2)
    ending = Worker(WORDS_OF_THE_DEMO).answer(asked).ending
    assert ending["bag"] == bag
    wins = [option["win"] for option in ending["options"]]
    assert wins == sorted(wins, reverse=True)
    assert all(0 <= win <= 1 for win in wins)


def test_an_end_is_not_guessed(table: TableWriter, words: Path) -> None:
    """More tiles in the bag, no rack, a rack in doubt: nothing, or why there is none."""
    analysis = Analysis(load_lists(words), endings=Analyst(words))
    late_in_the_demo(table, 6)
    assert told(table, analysis)["ending"] is None
    table.play(1, "10F ZIG")
    assert told(table, analysis)["ending"]["why"] == "rack_not_known"
    table.observe(rack("DEENOTU", doubtful=(2,)), "rack-1")
    assert told(table, analysis)["ending"]["why"] == "rack_doubtful"
