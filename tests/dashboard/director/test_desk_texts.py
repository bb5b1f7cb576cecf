"""What the director's forms and procedures say comes from the catalogue, in its language."""

import re
from pathlib import Path

import pytest

from dashboard.auth.access import Access
from dashboard.web.pages import Pages
from recorder.texts import LANGUAGE, load_catalogue
from recorder.wire.orders import ORDER_TYPES

SCRIPTS = Path(__file__).parents[3] / "dashboard/static/js/director"
FILES = sorted(SCRIPTS.rglob("*.js"))
SHARED = re.compile(r'const code = "([a-z_]+)"')
GIVEN = re.compile(r'\b(?:text|worded|said)\(\s*"([a-z_]+)"')
HEADS = ("director", "director-tables", "mirrors")
"""The templates of pages that have these texts."""
EITHER = re.compile(r'\bworded\([^"]*\? "([a-z_]+)" : "([a-z_]+)"')
CHOICES = re.compile(r'(?:KINDS|INSERTED) = (\[[^\]]*\])|options\((\[[^\]]*\]), "([a-z_]+)"\)')
TEMPLATES = re.compile(r"\bworded\(`([a-z_]+_)\$\{")
APART = re.compile(r"/\*.*?\*/|<kbd>.*?</kbd>|>Esc<", re.DOTALL)
SAID = re.compile(
    r'(?<!=)>\s*[A-Z][a-z]+|(?:title|label|hint): "|field\("\w+", "|[=(] "[A-Z][a-z]+ '
)


def codes() -> set[str]:
    """Every code that the scripts give, those of lists of answers with what they begin with.

    With that of the clock, which all pages share.
    """
    clock = SCRIPTS.parent / "shared" / "game" / "clock.js"
    found = set(SHARED.findall(clock.read_text(encoding="utf-8")))
    for file in FILES:
        script = file.read_text(encoding="utf-8")
        found |= set(GIVEN.findall(script))
        found |= {code for pair in EITHER.findall(script) for code in pair}
        for whole, begun, before in CHOICES.findall(script):
            found |= {before + code for code in re.findall(r'"(\w+)"', whole or begun)}
    return found


def test_every_label_of_a_form_has_its_text_and_no_text_is_left_over() -> None:
    """What a person reads there is no word of the script."""
    texts = set(load_catalogue().as_json()["desk"])
    heads = (SCRIPTS.parents[2] / "templates" / f"{name}.html" for name in HEADS)
    head = {code for file in heads for code in re.findall(r"\$say_(\w+)", file.read_text("utf-8"))}
    begun = {start for file in FILES for start in TEMPLATES.findall(file.read_text("utf-8"))}
    made = {code for code in texts if any(code.startswith(start) for start in begun)}
    assert codes() | head | made == texts
    for file in FILES:
        script = file.read_text(encoding="utf-8")
        assert (
            SAID.findall(re.sub(r"/\*.*?\*/|<kbd>.*?</kbd>|>Esc<", "", script, flags=re.DOTALL))
            == []
        )


@pytest.mark.parametrize(
    ("language", "lang", "said"),
    [("", "en", "Cancel"), ("german", "de", "Abbrechen")],
)
def test_the_directors_page_carries_them_in_the_programs_language(
    monkeypatch: pytest.MonkeyPatch, language: str, lang: str, said: str
) -> None:
    """The page is made with the texts, so that no script waits for them."""
    monkeypatch.setenv(LANGUAGE, language)
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    page = Pages("assets", access, 1).tool("director", "", 1)
    assert f'<html lang="{lang}"' in page
    assert said in page


ENGLISH_ONLY = {"ordinal_one", "ordinal_two", "ordinal_few"}
"""German writes every place alike."""


def test_german_has_every_text() -> None:
    for texts in load_catalogue("german").as_json().values():
        borrowed = {code for code, text in texts.items() if text.startswith("[English]")}
        assert borrowed <= ENGLISH_ONLY


def test_every_order_there_is_can_be_given_from_the_page() -> None:
    """A director needs no command line for any of them."""
    scripts = "".join(file.read_text(encoding="utf-8") for file in FILES)
    offered = set(re.findall(r'type: "(order\.[a-z_.]+)"', scripts))
    assert offered == set(ORDER_TYPES)
