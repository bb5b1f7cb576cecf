"""What would be wrong on air: letters off their tiles, a browser's own page, wrong clocks."""

import numpy as np
import pytest
from playwright.sync_api import expect

from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Played,
    TimePenalty,
    Withdrawn,
)
from recorder.domain.observations import ClockPressed, Side
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tiles
from recorder.wire.events import encode_event
from tests.browser.conftest import Screen, Server
from tests.browser.overlays.test_scenes import pixels
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser

ALPHABET = ("8A ABCDEFGHIJKLMNO", "O8 .PQRSTUV", "A8 .WXYZÄÖÜ")


def ink(picture: np.ndarray, box: dict[str, float]) -> tuple[float, float, float, float]:
    """The box of the ink on a tile: left, top, right, bottom, in shares of the tile."""
    left, top = round(box["x"]), round(box["y"])
    right, bottom = round(box["x"] + box["width"]), round(box["y"] + box["height"])
    margin = round(box["width"] * 0.05)  # the edges of the tile are dark too
    inside = picture[top + margin : bottom - margin, left + margin : right - margin, :3]
    dark = inside.astype(float).mean(axis=2) < 128
    rows, cols = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    ends = (cols[0], rows[0], cols[-1] + 1, rows[-1] + 1)
    return tuple((end + margin) / box["width"] for end in ends)


@pytest.mark.further
def test_every_letter_lies_in_the_middle_of_its_tile(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Its ink, within 2 % of the tile; capitals are at least 60 % of it, and all alike."""
    table.start(tile_set="german")
    for text in ALPHABET:
        table.play(0, text, points=0)
    screen.page.set_viewport_size({"width": 828, "height": 828})
    screen.page.goto(server.url(f"/o/table-{table.table}/board?hide=last&theme=contrast"))
    screen.shows("document.querySelectorAll('.tile').length === 29")
    screen.page.evaluate("document.fonts.ready")
    screen.page.add_style_tag(content=".value { visibility: hidden }")
    screen.shows("document.getAnimations().length === 0")
    picture = pixels(screen)
    tall = {}
    for tile in screen.page.locator(".tile").all():
        left, top, right, bottom = ink(picture, tile.bounding_box())
        middle = ((left + right) / 2, (top + bottom) / 2)
        assert middle == pytest.approx((0.5, 0.5), abs=0.02), tile.inner_text()
        tall[tile.inner_text().strip()[:1]] = bottom - top
    assert len(tall) == 29
    plain = [tall[letter] for letter in "ABDEFHIKLMNPRTXZ"]
    assert min(plain) >= 0.6
    assert max(plain) - min(plain) < 0.02


@pytest.mark.further
def test_an_address_with_a_mistake_waits_clear(screen: Screen, server: Server) -> None:
    """It may be on air: no words of a browser, and a slot that is made later is shown."""
    for path in ("/o/tabel/score", "/overlay/score?table=abc", "/o/table-1/scor"):
        screen.page.goto(server.url(path))
        screen.page.wait_for_timeout(300)
        assert pixels(screen)[:, :, 3].max() == 0
    screen.complaints.clear()  # the browser names the status of such a page


def test_a_silent_server_stops_the_clocks(screen: Screen, server: Server) -> None:
    """Ten seconds after its last word: no overtime is made up that nobody has seen."""
    screen.page.goto(server.url("/o/table-1/clocks"))
    ran = screen.page.evaluate(
        """async () => {
            const script = document.querySelector("script[type=module]").src;
            const { ServerClock } = await import(
                script.replace("overlay/page.js", "shared/server-clock.js"));
            const clock = new ServerClock();
            clock.first(1_000_000);
            const now = performance.now.bind(performance);
            const at = (ms) => { performance.now = () => now() + ms; return clock.now(); };
            return [at(5_000), at(60_000), at(600_000)].map((ms) => Math.round(ms / 1000) - 1000);
        }"""
    )
    assert ran == [5, 10, 10]


def test_clocks_leave_when_the_game_is_over(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Their overtime is in the score by then: shown beside it, it would be taken off twice."""
    table.start()
    table.play(0, "8D ZEPHYR")
    table.observe(
        ClockPressed(side=Side.LEFT, left_ms=-61_000, right_ms=9_400, running=Side.NONE), "c"
    )
    screen.page.goto(server.url(f"/o/table-{table.table}/full"))
    screen.shows("document.querySelectorAll('.clock').length === 2")
    table.record(TimePenalty(0, 20))
    table.record(EndRackPoints(1, 8, read_tiles("QYÄ")))
    screen.shows("document.querySelectorAll('.clock').length === 0")


@pytest.mark.parametrize(
    ("names", "is_whole"),
    [
        (("Ida Marlow", "Ben Petrov"), True),
        (("Thandi Featherstonehaugh", "Wellington Christopherson-Hall"), False),
    ],
)
def test_points_after_the_end_stand_behind_each_name_once(
    screen: Screen, server: Server, table: TableWriter, names: tuple[str, str], *, is_whole: bool
) -> None:
    """Four of them: no usual surname is cut, and however long they are the points are there."""
    table.start(names)
    table.play(0, "8D ZEPHYR")
    for event in (
        TimePenalty(0, 20),
        TimePenalty(1, 10),
        EndRackPoints(1, 8, read_tiles("QY")),
        EndRackPenalty(0, 14, read_tiles("QY")),
    ):
        table.record(event)
    screen.page.goto(server.url(f"/o/table-{table.table}/full"))
    screen.page.wait_for_selector(".last .line.many")
    cut, over, said = screen.page.evaluate(
        """() => {
            const line = document.querySelector(".last .line.many");
            const wide = (part) => part.scrollWidth > part.clientWidth;
            return [[...line.querySelectorAll(".who")].some(wide), wide(line), line.innerText];
        }"""
    )
    assert not over
    assert cut is not is_whole
    assert (
        said.split()
        == (
            f"{names[0].split()[1]} \u221220 overtime, \u221214 own tiles "
            f"{names[1].split()[1]} \u221210 overtime, +8 opponent's tiles"
        ).split()
    )


FOREIGN = ("Nguyễn Ọlátúnjí Ẹbùn", "Γιώργος Щербак Øvergård")


def test_names_of_many_countries_have_letters_of_our_own(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Vietnamese, Yoruba, Greek, Cyrillic: none is left to whatever the machine has."""
    table.start(FOREIGN)
    table.play(0, "8D ZEPHYR")
    screen.page.goto(server.url(f"/o/table-{table.table}/players"))
    screen.page.wait_for_selector("#scene[data-seq]")
    missing = screen.page.evaluate(
        """async (names) => {
            await document.fonts.ready;
            const own = [...document.fonts].filter((face) => face.family.includes("Inter"));
            const covers = (face, code) => face.unicodeRange.split(",").some((range) => {
                const [from, to] = range.trim().slice(2).split("-");
                return parseInt(from, 16) <= code && code <= parseInt(to ?? from, 16);
            });
            const faces = await Promise.all(own.map((face) => face.load()));
            return [...names.join("").normalize("NFC")].filter(
                (letter) => !faces.some((face) => covers(face, letter.codePointAt(0))));
        }""",
        FOREIGN,
    )
    assert missing == []


MOVED = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
    window.moved.push([this.dataset?.square ?? this.className, options.delay, frames[0].opacity]);
    return animate.call(this, frames, options);
};
"""


@pytest.mark.further
def test_a_bingo_is_celebrated_and_so_is_what_follows(
    own_screen: Screen, server: Server, table: TableWriter
) -> None:
    """Tiles in reading order, the score counting up, a banner each; no panel is ever empty."""
    table.start(("Anna Lindqvist", "Ben"))
    own_screen.page.add_init_script(MOVED)
    own_screen.page.goto(server.url(f"/o/table-{table.table}/full"))
    own_screen.shows("document.querySelector('.last')?.innerText.includes('to start')")
    table.play(0, "8D ZEPHYRS")
    own_screen.page.locator("[data-moment=bingo]").wait_for()
    assert "ZEPHYRS" in own_screen.text(".moment .word").replace("\n", "")
    own_screen.shows("document.querySelector('[data-player=\"0\"] .points').innerText === '118'")
    delays = {name: delay for name, delay, _ in own_screen.page.evaluate("moved")}
    assert [delays[f"8{column}"] for column in "DEFGHIJ"] == [60 * at for at in range(7)]
    assert (
        min(faint for name, _, faint in own_screen.page.evaluate("moved") if name == "entering") > 0
    )
    table.record(ChallengeBonus(0, 5))
    own_screen.page.locator("[data-moment=challenge]").wait_for()
    table.play(1, "I8 .AM", points=300)
    own_screen.page.locator("[data-moment=lead]").wait_for()
    assert own_screen.text(".moment .gain") == "177", "leads by 177, not by +177"
    assert own_screen.text(".moment .name") == "Ben"
    own_screen.page.locator(".moment").wait_for(state="detached")


def test_a_moment_goes_with_its_turn(screen: Screen, server: Server, table: TableWriter) -> None:
    """A quick reply is shown at once: nobody leads by what the turn before says."""
    table.start(("Anna", "Ben"))
    screen.page.goto(server.url(f"/o/table-{table.table}/full"))
    screen.page.wait_for_selector("#scene[data-seq]")
    table.play(0, "8D ZEPHYRS")
    screen.page.locator("[data-moment=bingo]").wait_for()
    reply = table.play(1, "J8 .AM")
    screen.shows(f"Number(document.querySelector('#scene').dataset.seq) >= {reply.seq}")
    assert screen.page.locator(".moment").count() == 0
    assert "SAM" in screen.text(".last .word").replace("\n", "")


SEEN = """
window.seen = [];
const note = () => {
    const lead = document.querySelector("[data-moment=lead]");
    const plays = [...document.querySelectorAll(".last:not(.moment)")];
    const play = plays.some((shown) => shown.textContent.includes("+20"));
    const now = lead ? "lead" : play ? "points" : "";
    if (now && window.seen.at(-1) !== now) window.seen.push(now);
};
new MutationObserver(note).observe(document.body,
    { subtree: true, childList: true, characterData: true, attributes: true });
"""


def test_the_play_is_seen_before_what_follows_from_it(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """A play that takes the lead is shown with its points first, and then the lead."""
    table.start()
    table.play(0, OPENING[0], points=10)
    screen.page.goto(server.url(f"/o/table-{table.table}/full?moments=lead"))
    screen.shows("document.querySelector('.last')?.innerText.includes('ZEPHYR')")
    screen.page.evaluate(SEEN)
    table.play(1, OPENING[1], points=20)
    screen.shows("seen.includes('lead')")
    seen = screen.page.evaluate("seen")
    assert seen[: seen.index("lead") + 1] == ["points", "lead"]


def test_a_long_phony_leaves_its_points_alone(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Ten letters, and what became of them: the figure beside them is clear."""
    table.start()
    screen.page.goto(server.url(f"/o/table-{table.table}/full"))
    screen.shows("document.querySelector('.last')?.innerText.includes('to start')")
    played = table.play(0, "8D ZEPHYRSMEN", points=130)
    screen.shows("document.querySelector('.points').innerText === '130'")
    table.record(Withdrawn(0, int(played.body["data"]["score"])))
    screen.page.locator("[data-moment=challenge] .rest").wait_for()
    verdict, gain = (
        "document.querySelector('.moment .rest')",
        "document.querySelector('.moment .gain')",
    )
    places = screen.page.evaluate(
        f"[{verdict}.getBoundingClientRect().right, {gain}.getBoundingClientRect().left]"
    )
    assert places[0] <= places[1]


def test_moments_can_be_switched_off(screen: Screen, server: Server, table: TableWriter) -> None:
    """Each by itself; a page that is asked for none shows none, and its scores jump."""
    table.start(("Anna", "Ben"))
    screen.page.goto(server.url(f"/o/table-{table.table}/full?moments=challenge"))
    screen.page.wait_for_selector("#scene[data-seq]")
    table.play(0, "8D ZEPHYRS")
    screen.shows("document.querySelector('.points').innerText === '118'")
    assert screen.page.locator(".moment").count() == 0
    table.record(Withdrawn(0, 118))
    screen.page.locator("[data-moment=challenge]").wait_for()
    assert screen.text(".moment .title") == "PHONY"
    assert "challenged off" in screen.text(".moment .spoken")
    assert "challenged by" in screen.text(".moment .also")
    assert screen.page.locator(".last").count() == 1, "it stands in place of the last play"


def test_a_slot_with_a_slip_in_its_name_is_clear_and_its_answer_names_those_that_there_are(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Nothing of an error page is on air beside the camera's picture."""
    table.start()
    table.play(0, "8D FABLE")
    answer = screen.page.goto(server.url("/o/fetured/full"))
    assert answer.status == 404
    screen.page.wait_for_load_state("networkidle")
    assert pixels(screen)[:, :, 3].max() == 0
    words = screen.page.request.get(server.url("/o/fetured/fields.json")).json()["detail"]
    assert words.startswith("no such slot (did you mean featured?); there are: featured")


@pytest.mark.parametrize("points", [(30, 80), (1000, 111)])
def test_scores_stay_clear_of_the_dash_and_of_the_winner(
    screen: Screen, server: Server, table: TableWriter, points: tuple[int, int]
) -> None:
    """Both as far from the dash, and a winner's score away from the edge of the coloured plate."""
    table.start()
    for player, text in enumerate(OPENING[:2]):
        table.play(player, text, points=points[player])
    table.record(EndRackPoints(1, 12, read_tiles("QY")))
    screen.page.goto(server.url(f"/o/table-{table.table}/score"))
    screen.page.wait_for_selector(".half.won")
    screen.shows("document.getAnimations().length === 0")
    left, right, dash, *plates = (
        screen.page.locator(selector).bounding_box()
        for selector in (
            ".half.left .points span", ".half.right .points span", ".dash", ".half.left",
            ".half.right",
        )
    )  # fmt: skip
    before = dash["x"] - left["x"] - left["width"]
    after = right["x"] - dash["x"] - dash["width"]
    assert before == pytest.approx(after, abs=2)
    assert before >= 24
    assert plates[0]["x"] + plates[0]["width"] - left["x"] - left["width"] >= 20
    assert right["x"] - plates[1]["x"] >= 20


COVERED = """row => {
  const points = row.querySelector(".points"), text = document.createRange();
  text.selectNodeContents(points);
  const {top, height} = text.getBoundingClientRect();
  const figures = top + height / 2 + 0.36 * parseFloat(getComputedStyle(points).fontSize);
  return figures - row.querySelector(".review").getBoundingClientRect().top;
}"""
"""By how many pixels the words at a total cover the lower edge of its figures."""


@pytest.mark.further
def test_a_total_under_review_says_so_wherever_it_is_shown(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """In score bar, bug and wall, at home in the list and in the game; gone once it is settled."""
    type_name, data = encode_event(Played(0, parse_placement("8D ZEPHYS"), 46))
    other = {"events": [{"type": type_name, "data": data}], "log_odds": 2.0}
    doubt = {"reasons": ["letters"], "alternatives": [other], "squares": ["8I"]}
    table.start()
    read = table.record(Played(0, parse_placement("8D ZEPHYR"), 50), doubt=doubt)
    places = {
        f"/overlay/full?table={table.table}": ".half.player-0 .review",
        f"/overlay/bug?table={table.table}": ".bug-row.player-0 .review",
        f"/watch/{table.table}": ".plate.player-0 .review",
        "/watch": f'.card[href="/watch/{table.table}"] .which',
    }
    for place, where in places.items():
        screen.page.goto(server.url(place))
        expect(screen.page.locator(where)).to_contain_text("under review")
        if place.startswith("/overlay/"):
            row = screen.page.locator(where.removesuffix(" .review"))
            assert row.evaluate(COVERED) <= 0
    table.correct(read.seq, Played(0, parse_placement("8D ZEPHYR"), 50))
    for place, where in places.items():
        screen.page.goto(server.url(place))
        screen.page.locator(where.removesuffix(" .review")).wait_for()
        expect(screen.page.get_by_text("under review")).to_have_count(0)


@pytest.mark.further
def test_a_word_through_a_blank_without_a_letter_has_an_empty_tile(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """In the word that was laid and in those beside it; nowhere a question mark."""
    table.start()
    table.play(0, "8D ZEPHY?")
    screen.page.goto(server.url(f"/overlay/last?table={table.table}"))
    screen.page.wait_for_selector(".last .word .nameless")
    box, beside = (
        screen.page.locator(f".last .word span{kind}").first.evaluate(
            "(span) => [span.getBoundingClientRect().height,"
            " parseFloat(getComputedStyle(span).fontSize)]"
        )
        for kind in (".nameless", ":not(.nameless)")
    )
    assert box[0] < beside[1], "as high as the letters, and not as a line"
    table.play(1, "9H TA")
    for scene in ("last", "full"):
        screen.page.goto(server.url(f"/overlay/{scene}?table={table.table}"))
        screen.page.wait_for_selector(".last .word")
        assert "\N{WHITE SQUARE}A" in screen.text(".last"), scene
    screen.page.goto(server.url(f"/watch/{table.table}"))
    screen.page.wait_for_selector(".sheet tbody tr")
    assert "?" not in screen.text(".sheet")


def test_the_curve_leaves_the_figures_of_its_scale_alone(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """At the end of a game that one player runs away with."""
    table.start()
    for at, text in enumerate(OPENING):
        table.play(at % 2, text, points=90 if at % 2 else 10)
    table.record(EndRackPoints(1, 12, read_tiles("QY")))
    screen.page.goto(server.url(f"/o/table-{table.table}/graph"))
    screen.page.wait_for_selector(".graph .scale text")
    end = screen.page.locator(".graph .end").bounding_box()
    figures = [one.bounding_box() for one in screen.page.locator(".graph .scale text").all()]
    assert len(figures) == 2
    assert all(figure["x"] > end["x"] + end["width"] for figure in figures)
