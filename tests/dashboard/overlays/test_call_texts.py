"""Every kind of call that goes on air has words: its code would be read there otherwise."""

from typing import get_args, get_type_hints

import pytest

from recorder.frames.public import Call
from recorder.texts import languages, load_catalogue


@pytest.mark.parametrize("language", languages())
def test_a_call_is_said_in_words(language: str) -> None:
    """In each language; a challenge with the word that is meant."""
    texts = load_catalogue(language)
    for kind in get_args(get_type_hints(Call)["kind"]):
        said = texts.text("screen", f"call_{kind}", word="ZEPHYR")
        assert texts.has("screen", f"call_{kind}"), kind
        assert "call" not in said, kind
        assert ("ZEPHYR" in said) == (kind == "challenge")
