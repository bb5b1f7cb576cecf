"""What pages for people at work say is in the catalogue, and each speaks the language asked for."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.texts import LANGUAGE, load_catalogue

DASHBOARD = Path(__file__).parents[2] / "dashboard"
SCRIPTS, TEMPLATES = DASHBOARD / "static" / "js", DASHBOARD / "templates"
GIVEN = re.compile(r'"([a-z][a-z_]+)"')
BEGUN = re.compile(r"`([a-z_]+_)\$\{")
PROSE = re.compile(r"[A-Za-z]{2}[,;:']? [a-z]{2}")
TEXT = re.compile(r'(?<=>)[^<>${}]+(?=<)|(?:aria-label|title|placeholder|alt)="([^"$]+)"')
CALLED = re.compile(r'\b(?:text|said)\(\s*"([a-z_]+)"')
COMMENTS = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*|^import [^;]*;", re.DOTALL | re.MULTILINE)
FOR_DEVICES = ("this phone cannot beep", "not for this device")
"""What a phone answers to an order of the recorder, as any device does."""

TOOLS = "admin.html builder.html camera-code.html index.html login.html overview.html"


@pytest.mark.parametrize(
    ("section", "folder", "pages"),
    [
        ("booth", "commentator", "commentator.html"),
        ("phone", "phone", "phone-*.html"),
        ("event_desk", "event", "event.html"),
        ("tools", "tools", TOOLS),
    ],
)
def test_every_text_of_a_page_is_in_the_catalogue_and_none_is_left_over(
    section: str, folder: str, pages: str
) -> None:
    """By the codes that scripts and templates name; German has each."""
    scripts = {file: COMMENTS.sub("", file.read_text("utf-8"))
               for file in (SCRIPTS / folder).glob("*.js")}  # fmt: skip
    given = {code for script in scripts.values() for code in GIVEN.findall(script)}
    begun = tuple(start for script in scripts.values() for start in BEGUN.findall(script))
    if section == "booth":
        given |= set(GIVEN.findall((DASHBOARD / "commentator" / "model.py").read_text("utf-8")))
    if section == "tools":
        given |= set(GIVEN.findall((DASHBOARD / "web" / "sign_in.py").read_text("utf-8")))
        given |= set(GIVEN.findall((DASHBOARD / "web" / "pages.py").read_text("utf-8")))
    files = (file for pattern in pages.split() for file in TEMPLATES.glob(pattern))
    heads = [file.read_text("utf-8") for file in files]
    named = given | {code for head in heads for code in re.findall(r"\$say_(\w+)", head)}
    texts = load_catalogue().as_json()[section]
    assert {code for code in texts if code not in named and not code.startswith(begun)} == set()
    everywhere = {
        *texts,
        *load_catalogue().as_json()["screen"],
        *load_catalogue().as_json()["join"],
        *(load_catalogue().as_json()["desk"] if section == "tools" else ()),
    }
    called = {code for script in scripts.values() for code in CALLED.findall(script)}
    assert called - everywhere == set()
    german = load_catalogue("german").as_json()[section]
    assert [code for code, text in german.items() if text.startswith("[English]")] == []
    for file, script in scripts.items():
        said = [
            text
            for text in re.findall(r'"([^"<>{}=;$\n]*)"', script)
            if PROSE.search(text) and text[0] not in ".#"
        ]
        classes = set(re.findall(r'class="([^"]*)"', script))
        assert set(said) - classes <= set(FOR_DEVICES), file.name
    for head in heads:
        assert [found for found in TEXT.findall(head) if PROSE.search(found)] == []


SHOWN = re.compile(
    r"(?<![=\-\s])>([^<>${}()=;`]*[A-Za-z]{2,}[^<>${}()=;`]*)(?=<|\$\{)"
    r'|(?:aria-label|title|placeholder|alt|label)="([^"$]*[A-Za-z]{2}[^"$]*)"'
    r'|textContent(?: =|:) "([^"]*[A-Za-z]{2}[^"]*)"'
)
"""What a script or a template shows by itself: between tags, in a label, as an element's text."""
NO_TEXT = re.compile(r"<(code|kbd)>.*?</\1>|\$\w+", re.DOTALL)
NAMES = {"Tilecast", "Tilecast:", "dashboard", "Esc", "qr", "studio", "paper", "contrast"}
"""Names of programs, keys, scenes and themes: they are the same in every language."""


def test_no_page_has_words_of_its_own() -> None:
    """Each word is of the catalogue, so that every language has it."""
    pages = [*SCRIPTS.rglob("*.js"), *TEMPLATES.glob("*.html")]
    assert len(pages) > len(STAFF)
    for page in pages:
        shown = NO_TEXT.sub("", COMMENTS.sub("", page.read_text("utf-8")))
        words = {next(filter(None, found)).strip() for found in SHOWN.findall(shown)}
        assert words <= NAMES, page.name


STAFF = (
    *("/commentator", "/director", "/director/event", "/clock", "/clock/1", "/pad/1"),
    *("/result/1", "/check-in", "/camera", "/camera/1", "/join", "/mirrors"),
    *("/", "/builder", "/overview", "/director/camera/1"),
)


def test_each_page_speaks_the_language_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the address where it names one, else of the program."""
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    with TestClient(app, base_url="http://127.0.0.1:8015") as client:
        client.post("/login", data={"password": "director-key-1"})
        for path in STAFF:
            assert '<html lang="en"' in client.get(path).text, path
            assert '<html lang="de"' in client.get(f"{path}?lang=de").text, path
            assert '<html lang="en"' in client.get(f"{path}?lang=klingon").text, path
        monkeypatch.setenv(LANGUAGE, "german")
        for path in STAFF:
            assert '<html lang="de"' in client.get(path).text, path
            assert '<html lang="en"' in client.get(f"{path}?lang=en").text, path
