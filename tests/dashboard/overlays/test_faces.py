"""Pictures of players: found by name, or none; and what the event in the log says of players."""

import functools
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from dashboard.event.view import player_cards
from dashboard.overlays.event_files import read_tournament
from dashboard.overlays.extras import OverlayExtras
from dashboard.overlays.faces import Faces, flags, stem_of
from dashboard.overlays.fetched_faces import MOST_FETCHED, FaceFetcher
from recorder.domain.errors import NotationError
from recorder.domain.event.seating import Pairing
from tests.event.fields import register_after
from tests.event.test_event_pages import DAY
from tests.served import Quiet, serving

pytestmark = pytest.mark.slow


def _picture(kind: str, width: int = 8, height: int = 8, colour: int = 0) -> bytes:
    content = BytesIO()
    Image.new("1" if kind == "PNG" else "L", (width, height), colour).save(content, kind)
    return content.getvalue()


PNG, JPEG = _picture("PNG"), _picture("JPEG")


@functools.cache
def _bomb(kind: str) -> bytes:
    """A small file of more pixels than a browser on air should have to unpack."""
    return _picture(kind, 4_100, 4_100)


@pytest.mark.parametrize(
    ("file", "content", "player", "named", "found"),
    [
        ("Anna Lindqvist.png", PNG, "anna  lindqvist", "", True),
        ("vera_ashdown.jpg", JPEG, "Ashdown, Vera", "", True),
        ("17.jpg", JPEG, "Ben", "https://results.example/pix/17.jpg", True),
        ("Ben.jpg", JPEG, "Ben", "no-such.jpg", True),
        ("Ben.jpg", b"GIF89a", "Ben", "", False),
        ("Ben.webp", b"RIFF1234WAVE", "Ben", "", False),
        ("Ben.jpg", b"", "Ben", "", False),
        ("Ben.jpg", JPEG + b"x" * 2_000_000, "Ben", "", False),
        ("Ben.jpg", JPEG, "Cleo", "../../etc/passwd", False),
        ("Ben.png", PNG[:-20], "Ben", "", False),
        ("Ben.webp", _picture("WEBP"), "Ben", "", True),
    ],
)
def test_a_picture_goes_with_its_player(
    tmp_path: Path, file: str, content: bytes, player: str, named: str, *, found: bool
) -> None:
    """By the name that a feed gives it, else by the player's; what is no picture is none."""
    (tmp_path / file).write_bytes(content)
    faces = Faces(tmp_path)
    address = faces.address(player, named)
    assert bool(address) == found
    if found:
        face = faces.face(address.removeprefix("/face/"))
        assert face.content == content


@pytest.mark.parametrize(("ending", "kind"), [("png", "PNG"), ("jpg", "JPEG"), ("webp", "WEBP")])
def test_a_small_file_of_enormous_size_is_no_picture(
    tmp_path: Path, ending: str, kind: str
) -> None:
    """It may be gigabytes once a browser unpacks it."""
    (tmp_path / f"Ben.{ending}").write_bytes(_bomb(kind))
    assert len(_bomb(kind)) < 2_000_000
    assert not Faces(tmp_path).address("Ben", "")


def test_a_picture_may_come_later(tmp_path: Path) -> None:
    """A folder that does not exist yet is no fault; nor is none at all."""
    faces = Faces(tmp_path / "photos")
    assert not Faces().address("Ben")
    assert not faces.changed()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "Ben.png").write_bytes(PNG)
    assert faces.changed()
    assert faces.address("Ben")


def test_a_country_has_a_flag(tmp_path: Path) -> None:
    """By its code, in whatever case; what is none is named."""
    assert len(flags()) > 250
    file = tmp_path / "t.toml"
    file.write_text('[[player]]\nname = "A"\ncountry = "ng"\nphoto = "a.jpg"\n')
    assert read_tournament(file).cards["a"] == {"country": "NG", "photo": "a.jpg"}
    file.write_text('[[player]]\nname = "A"\ncountry = "Narnia"\n')
    with pytest.raises(NotationError, match="player 1, A: country: 'NARNIA' is not a country"):
        read_tournament(file)


def test_the_event_of_the_log_fills_the_plates(tmp_path: Path) -> None:
    """Rating, record and place; what the streamer's file says of a player goes before it."""
    cards = player_cards(register_after(*DAY))
    assert cards["Vera Ashdown"] == cards["Ashdown, Vera"]
    (tmp_path / "t.toml").write_text('[[player]]\nname = "Vera Ashdown"\nrating = 2000\n')
    extras = OverlayExtras(tmp_path / "t.toml", None)
    extras.event_cards = lambda: cards
    frame = {"players": [{"name": "Vera Ashdown"}, {"name": "Ilse Brok"}]}
    vera, ilse = extras.dress(frame)["cards"]
    assert vera == {"rating": 2000, "wins": 1, "losses": 0, "spread": 51, "place": 1}
    assert (ilse["rating"], ilse["wins"], ilse["place"]) == (1840, 0, 3)
    assert extras.changed()
    assert not extras.changed()


def test_a_name_of_two_divisions_is_the_player_of_the_game() -> None:
    """By division and number where the game is one of the event; else nobody knows which."""
    day = ("player A Vera Ashdown 1905", "player A Bo Ek", "player B Vera Ashdown 1200")
    cards = player_cards(register_after(*day))
    extras = OverlayExtras(None, None)
    extras.event_cards = lambda: cards
    frame = {"players": [{"name": "Bo Ek"}, {"name": "Vera Ashdown"}]}
    for division, number, rating in (("A", 1, 1905), ("B", 1, 1200)):
        pairing = Pairing(division=division, round=1, first=2, second=number)
        assert extras.dress(frame, pairing)["cards"][1]["rating"] == rating
    assert "cards" not in extras.dress(frame)


class Site(Quiet):
    """A site with a picture, with something that is none, and with a way out of its folder."""

    def answer(self) -> None:
        """Redirects that lead out, a page, and pictures."""
        away = {
            "/pix/away.png": "/private/secret.png",
            "/pix/dots.png": f"http://{self.headers['Host']}/pix/../private/secret.png",
            "/pix/coded.png": f"http://{self.headers['Host']}/pix/%2e%2e/private/secret.png",
        }.get(self.path)
        outside = {"Location": away} if away else {}
        good = _bomb("PNG") if "bomb" in self.path else PNG + self.path.encode()
        self.give(b"<html>" if "none" in self.path else good, 302 if outside else 200, **outside)


@pytest.fixture
def root() -> Iterator[str]:
    """The address of a site of pictures."""
    with serving(Site) as address:
        yield address


@pytest.mark.further
def test_a_feed_that_names_pictures_without_end_fills_no_folder(tmp_path: Path, root: str) -> None:
    """Nor the memory; what was fetched before goes on air."""
    for number in range(MOST_FETCHED - 1):
        (tmp_path / f"{stem_of(str(number))}.png").write_bytes(PNG)
    fetcher = FaceFetcher(f"{root}/", tmp_path)
    for number in range(10 * MOST_FETCHED):
        fetcher.want(f"new-{number}.png")
    assert len(fetcher._asked) <= MOST_FETCHED
    fetcher.start()
    fetcher.stop()
    assert len(list(tmp_path.iterdir())) == MOST_FETCHED


def test_pictures_are_fetched_from_below_one_address(tmp_path: Path, root: str) -> None:
    """Two files of one name are two pictures; what leads elsewhere, or is none, is not kept."""
    fetcher = FaceFetcher(f"{root}/pix", tmp_path)
    faces = Faces(tmp_path, want=fetcher.want)
    fetcher.start()
    good = {"17/face.png": "/pix/17/face.png", f"{root}/pix/18/face.png": "/pix/18/face.png"}
    bad = (
        "away.png", "dots.png", "coded.png", "none.png", "bomb.png", "/private/secret.png",
        "../private/secret.png",
        f"{root}/private/secret.png", "file:///etc/passwd", "http://[x/face.png",
        "%2e%2e/private/secret.png",
    )  # fmt: skip
    for named in (*bad, *good):
        assert faces.address("Ben", named) == ""
    fetcher.stop()
    faces.changed()
    for named, path in good.items():
        face = faces.face(faces.address("Ben", named).removeprefix("/face/"))
        assert face.content == PNG + path.encode()
    assert [faces.address("Ben", named) for named in bad] == [""] * len(bad)
    assert len(list(tmp_path.iterdir())) == len(good)
    with pytest.raises(NotationError, match="not an address such as"):
        FaceFetcher("ftp://results.example/", tmp_path)
