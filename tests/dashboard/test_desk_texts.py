"""What the director's forms and procedures say comes from the catalogue, in its language."""

import re
from pathlib import Path

import pytest

from dashboard.auth.access import Access
from dashboard.web.pages import Pages
from recorder.texts import LANGUAGE, load_catalogue

SCRIPTS = Path(__file__).parents[2] / "dashboard/static/js/director"
FILES = ("fields", "forms", "order-dialog", "plan", "procedures", "standing")
GIVEN = re.compile(r'\b(?:text|worded)\("([a-z_]+)"')
CHOICES = re.compile(r'(?:KINDS|INSERTED) = (\[[^\]]*\])|options\((\[[^\]]*\]), "([a-z_]+)"\)')
SAID = re.compile(
    r'(?<!=)>\s*[A-Z][a-z]+|(?:title|label|hint): "|field\("\w+", "|[=(] "[A-Z][a-z]+ '
)


def codes() -> set[str]:
    """Every code that the scripts give, those of lists of answers with what they begin with."""
    found: set[str] = set()
    for name in FILES:
        script = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
        found |= set(GIVEN.findall(script))
        for whole, begun, before in CHOICES.findall(script):
            found |= {before + code for code in re.findall(r'"(\w+)"', whole or begun)}
    return found


def test_every_label_of_a_form_has_its_text_and_no_text_is_left_over() -> None:
    """What a person reads there is no word of the script."""
    assert codes() == set(load_catalogue().as_json()["desk"])
    for name in FILES:
        script = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
        assert SAID.findall(re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL)) == []


SECTIONS = (
    *("actor", "desk", "fact_value", "fault", "found_by", "list_verdict", "procedure"),
    *("conceded", "form", "procedure_fact", "rules", "settlement", "zero"),
)


@pytest.mark.parametrize(
    ("language", "lang", "said"),
    [("", "en", "Drop it"), ("german", "de", "Verwerfen")],
)
def test_the_directors_page_carries_them_in_the_programs_language(
    monkeypatch: pytest.MonkeyPatch, language: str, lang: str, said: str
) -> None:
    """The page is made with the texts, so that no script waits for them."""
    monkeypatch.setenv(LANGUAGE, language)
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    page = Pages("assets", access, 1).tool("director", 1)
    assert f'<html lang="{lang}"' in page
    assert said in page


def test_german_has_every_text_of_forms_and_procedures() -> None:
    """None of them is shown in English."""
    texts = load_catalogue("german").as_json()
    for section in SECTIONS:
        assert not [code for code, text in texts[section].items() if text.startswith("[English]")]
