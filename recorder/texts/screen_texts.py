"""Texts of pages in a language: a page carries those that its scripts say with it."""

import json

from recorder.texts import languages, load_catalogue


def language_of(code: str) -> str:
    """The catalogue that pages call ``de``, say; empty, the program's own, for any other."""
    fitting = (name for name in languages() if load_catalogue(name).text("screen", "lang") == code)
    return next(fitting, "")


def screen_texts(language: str = "", *sections: str) -> dict[str, str]:
    """What a template wants: the code of the language, and texts of sections as JSON.

    A later section wins over an earlier one; without any they are those of ``screen``.
    """
    texts = load_catalogue(language).as_json()
    chosen = {code: text for name in sections or ("screen",) for code, text in texts[name].items()}
    return {"lang": texts["screen"]["lang"], "texts": json.dumps(chosen, ensure_ascii=False)}
