"""The streamer's files: standings and look, read as data and never as anything else."""

import asyncio
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from dashboard.overlays.event_files import contrast, read_branding, read_tournament
from dashboard.overlays.extras import OverlayExtras
from dashboard.web.overlay_socket import settling
from recorder.domain.errors import NotationError
from tests.asynchronous import finish
from tests.eventually import PATIENCE_S

FRAME = {"players": [{"name": "Anna  Lindqvist"}, {"name": "Ben"}]}
TOML = """
title = "Open"
round = 5
[next]
players = ["Ben", "Cleo"]
[[player]]
name = "anna lindqvist"
wins = 3
losses = 1
spread = "+212"
place = 2
from = "Göteborg"
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_the_same_standings_come_from_toml_json_and_csv(tmp_path: Path) -> None:
    """A card is found by name, whatever its capitals and spaces."""
    card = {"wins": 3, "losses": 1, "spread": 212, "place": 2, "from": "Göteborg"}
    json = '{"player": [{"name": "ANNA LINDQVIST", "wins": 3, "losses": 1, "spread": 212,'
    json += ' "place": 2, "from": "Göteborg"}]}'
    csv = (
        "\ufeffname,wins,losses,draws,spread,place,from\nAnna Lindqvist,3,1,,\u2212212,2,Göteborg\n"
    )
    for name, text in (("t.toml", TOML), ("t.json", json)):
        dressed = OverlayExtras(written(tmp_path, name, text), None).dress(FRAME)
        assert dressed["cards"] == [card, None]
    dressed = OverlayExtras(written(tmp_path, "t.csv", csv), None).dress(FRAME)
    assert dressed["cards"] == [{**card, "spread": -212}, None]
    lost = TOML.replace('"+212"', "-212")
    dressed = OverlayExtras(written(tmp_path, "t.toml", lost), None).dress(FRAME)
    assert dressed["cards"] == [{**card, "spread": -212}, None]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("t.toml", "[[player]]\nwins = 1", "player 1 has no name"),
        (
            "t.toml",
            '[[player]]\nname = "A"\nwins = "many"',
            "player 1, A: wins: 'many' is not a whole number",
        ),
        ("t.toml", "player = 3", "list of tables"),
        ("t.toml", "not toml", "t.toml"),
        ("t.json", "[1]", "not a list"),
        ("t.json", "new Function('x')", "t.json"),
        ("t.toml", '[next]\nplayers = ["A"]', "two players"),
        ("t.toml", f'title = "{"x" * 81}"', "title"),
    ],
)
def test_faults_name_the_file_and_the_entry(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    """Nothing is guessed, nothing is run."""
    with pytest.raises(NotationError, match=said):
        read_tournament(written(tmp_path, name, text))


def test_a_fault_after_a_change_keeps_what_was_there(tmp_path: Path) -> None:
    """On air nothing happens; the director can read what is wrong."""
    path = written(tmp_path, "t.toml", TOML)
    extras = OverlayExtras(path, None)
    path.write_text("[[player]]\nwins = 1111\n")
    assert not extras.changed()
    assert "player 1 has no name" in extras.fault
    assert extras.dress(FRAME)["cards"][0]["wins"] == 3
    path.write_text(TOML.replace("wins = 3", "wins = 4"))
    assert extras.changed()
    assert extras.fault == ""
    assert extras.dress(FRAME)["cards"][0]["wins"] == 4


def test_colours_are_used_where_they_can_be_read(tmp_path: Path) -> None:
    """A theme on whose panel a colour would fade keeps its own; that is said."""
    text = 'title = "Open"\n[colours]\nplayer_1 = "#58a9ff"\nplayer_2 = "#ffb638"\n'
    look = read_branding(written(tmp_path, "b.toml", text))
    assert set(look.colours) == {"studio", "contrast"}
    assert "paper" in look.warnings[0]
    assert '[data-theme="studio"] { --player-0: #58a9ff; --player-1: #ffb638; }' in look.css()
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize(
    "colour", ["red", "#fff", "#12345g", "#123456; } body { display: none", "url(//evil)"]
)
def test_a_colour_is_a_colour_and_nothing_else(tmp_path: Path, colour: str) -> None:
    """Nothing that could end a declaration gets into a style sheet."""
    text = f'[colours]\nplayer_1 = "{colour}"\nplayer_2 = "#ffb638"\n'
    with pytest.raises(NotationError, match="player_1"):
        read_branding(written(tmp_path, "b.toml", text))


def test_a_logo_is_a_picture(tmp_path: Path) -> None:
    """PNG, JPEG or WebP by its first bytes, whatever its name."""
    cv2.imwrite(str(tmp_path / "logo.png"), np.zeros((4, 4, 3), np.uint8))
    look = read_branding(written(tmp_path, "b.toml", 'logo = "logo.png"'))
    assert look.logo.media_type == "image/png"
    (tmp_path / "logo.png").write_text("<svg onload='alert(1)'/>")
    with pytest.raises(NotationError, match="not a whole PNG"):
        read_branding(tmp_path / "b.toml")
    with pytest.raises(NotationError, match="cannot be read"):
        read_branding(written(tmp_path, "b.toml", 'logo = "missing.png"'))


def test_a_logo_of_print_size_is_made_as_small_as_it_is_shown(tmp_path: Path) -> None:
    """8,000 pixels wide it would unpack to 77 MB in every browser; one of 70,000 is refused."""
    logo = np.zeros((2400, 8000, 4), np.uint8)
    logo[600:1800, 2000:6000] = (20, 90, 200, 255)
    cv2.imwrite(str(tmp_path / "logo.png"), logo)
    look = read_branding(written(tmp_path, "b.toml", 'logo = "logo.png"'))
    assert look.logo.media_type == "image/webp"
    shown = cv2.imdecode(np.frombuffer(look.logo.content, np.uint8), cv2.IMREAD_UNCHANGED)
    assert shown.shape == (576, 1920, 4)
    assert shown[288, 960].tolist() == pytest.approx([20, 90, 200, 255], abs=6)
    assert shown[10, 10, 3] == 0
    head = cv2.imencode(".png", np.zeros((1, 1), np.uint8))[1].tobytes()
    wide = head[:16] + (70_000).to_bytes(4) * 2 + head[24:]
    (tmp_path / "logo.png").write_bytes(wide)
    with pytest.raises(NotationError, match="of up to 80 million pixels"):
        read_branding(tmp_path / "b.toml")
    (tmp_path / "logo.png").write_bytes(wide[:16] + (5000).to_bytes(4) * 2 + wide[24:])
    with pytest.raises(NotationError, match="cannot be decoded"):
        read_branding(tmp_path / "b.toml")


def test_a_logo_of_more_bytes_than_a_page_should_carry_is_made_smaller(tmp_path: Path) -> None:
    """A photograph of 3 MB, in few enough pixels."""
    noise = np.random.default_rng(1).integers(0, 256, (1000, 1000, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "logo.png"), noise)
    assert (tmp_path / "logo.png").stat().st_size > 2_500_000
    look = read_branding(written(tmp_path, "b.toml", 'logo = "logo.png"'))
    assert look.logo.media_type == "image/webp"
    assert len(look.logo.content) < 2_000_000


def test_changed_standings_are_as_late_as_the_game(tmp_path: Path) -> None:
    """Scoring software writes a result when its game ends; the file at the start may be as new."""
    now = [2_000_000_000_000]
    path = written(tmp_path, "t.toml", TOML)
    old_s = now[0] / 1000 - 100
    os.utime(path, (old_s, old_s))
    extras = OverlayExtras(path, None, 12_000, lambda: now[0])
    assert extras.dress(FRAME)["cards"][0]["wins"] == 3
    written(tmp_path, "t.toml", TOML.replace("wins = 3", "wins = 4"))
    assert not extras.changed()
    now[0] += 11_999
    assert not extras.changed()
    assert extras.dress(FRAME)["cards"][0]["wins"] == 3
    now[0] += 1
    assert extras.changed()
    assert extras.dress(FRAME)["cards"][0]["wins"] == 4
    os.utime(path, (now[0] / 1000, now[0] / 1000))
    assert "cards" not in OverlayExtras(path, None, 12_000, lambda: now[0]).dress(FRAME)


def test_a_strange_table_is_a_fault_and_no_traceback(tmp_path: Path) -> None:
    """A field of 200 kB is more than a CSV reader takes."""
    path = written(tmp_path, "t.csv", "name,wins\nAnna," + "9" * 200_000 + "\n")
    with pytest.raises(NotationError, match="not CSV"):
        read_tournament(path)


def test_housekeeping_goes_on_after_a_fault(caplog: pytest.LogCaptureFixture) -> None:
    """What was revoked ends, whatever a file of standings does to its reader."""
    settled: list[int] = []

    class Pages:
        hub = None

        def settle(self) -> None:
            settled.append(1)

    def broken() -> bool:
        raise KeyError("strange")

    async def run() -> None:
        async with settling(Pages(), broken, 0.001):  # type: ignore[arg-type]
            while len(settled) < 3:  # noqa: ASYNC110 - the housekeeping says nothing
                await asyncio.sleep(0.001)

    finish(run(), PATIENCE_S)
    assert "overlays are not settled" in caplog.text
