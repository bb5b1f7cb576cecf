"""Texts of pages in a language: a page carries those that its scripts say with it."""

import json

from recorder.texts import languages, load_catalogue


def language_of(code: str) -> str:
    """The catalogue that pages call ``de``, say; empty, the program's own, for any other."""
    fitting = (name for name in languages() if load_catalogue(name).text("screen", "lang") == code)
    return next(fitting, "")


def screen_texts(language: str = "", section: str = "screen") -> dict[str, str]:
    """What a template wants: the code of the language, and the texts of a section as JSON."""
    texts = load_catalogue(language).as_json()
    said = json.dumps(texts[section], ensure_ascii=False)
    return {"lang": texts["screen"]["lang"], "texts": said}
