"""Texts of the public pages in a language: a page carries those of ``[screen]`` with it."""

import json

from recorder.texts import languages, load_catalogue


def language_of(code: str) -> str:
    """The catalogue that pages call ``de``, say; empty, the program's own, for any other."""
    fitting = (name for name in languages() if load_catalogue(name).text("screen", "lang") == code)
    return next(fitting, "")


def screen_texts(language: str = "") -> dict[str, str]:
    """What a template wants: the code of the language, and its texts as JSON."""
    texts = load_catalogue(language).as_json()["screen"]
    return {"lang": texts["lang"], "texts": json.dumps(texts, ensure_ascii=False)}
