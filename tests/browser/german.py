"""What on a page is English although the page is German: found by the words of the catalogues."""

import re
from functools import cache

from playwright.sync_api import Page

from recorder.domain.event.wanted import Method
from recorder.texts import load_catalogue

WALK = """() => {
  const apart = ".evidence td, kbd, code, pre, script, style, bdi, option[value='']";
  const said = [];
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest(apart)) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      if (element.getAttribute(name)) said.push(element.getAttribute(name));
    for (const node of element.childNodes)
      if (node.nodeType === Node.TEXT_NODE && node.data.trim()) said.push(node.data.trim());
  }
  return [document.title, ...said];
}"""
NAMES = re.compile(r"\b[\w-]+-\d[\d-]*\b|/\S+|\S+\.\w+")
"""Names of devices, entries of the rules, files and addresses."""
WORD = re.compile(r"[^\W\d_]{2,}")


def walked(page: Page) -> set[str]:
    """All that a person can read on the page, or has read out."""
    return set(page.evaluate(WALK))


def words_of(text: str) -> set[str]:
    """The words of a text, but those in capitals: they are played, or codes."""
    return {word.casefold() for word in WORD.findall(text) if not word.isupper()}


ORDER_WORDS = frozenset(
    words_of(" ".join((*load_catalogue().as_json()["event_usage"], *Method)).replace("_", " "))
) | {"all", "any", "none", "date"}
"""Words that are typed in orders, and ways to pair: the same in every language."""


@cache
def english_words() -> frozenset[str]:
    english, german = (
        {word for texts in load_catalogue(name).as_json().values() for text in texts.values()
         for word in words_of(text)}
        for name in ("english", "german")
    )  # fmt: skip
    return frozenset(english - german)


def english(said: set[str], names: frozenset[str] = frozenset()) -> dict[str, set[str]]:
    known = {
        part.strip() for texts in load_catalogue("german").as_json().values()
        for part in texts.values()
    }  # fmt: skip
    found = {
        text: (words_of(NAMES.sub(" ", text)) & english_words()) - names for text in said - known
    }
    return {text: words for text, words in found.items() if words or "[English]" in text}
