"""How easy a page is to read: Flesch's reading ease of its prose.

``206.835 - 1.015 words/sentence - 84.6 syllables/word``; 60 is plain English. Left out are code
blocks, tables, headings and addresses of links; a word in code type counts as "it". A list item or
a paragraph ends a sentence, a semicolon does not. ``python -m tests.house.reading_ease`` prints it
of the README and every guide.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDES = (
    *("getting-started", "venue", "camera-alone", "event", "woogles", "hardware", "own-rules"),
    *("tile-sets", "hall", "viewers", "docker", "texts", "limits"),
)


def pages() -> list[Path]:
    return [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in GUIDES)]


def prose(markdown: str) -> str:
    """The sentences of a page, each block ended by a full stop."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^(?:#|\||:?---).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "it", text)
    text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n\n", text, flags=re.MULTILINE)
    blocks = [" ".join(block.split()).strip(" *:;,") for block in re.split(r"\n\s*\n", text)]
    return " ".join(
        block if block.endswith((".", "?", "!")) else f"{block}." for block in blocks if block
    )


def syllables(word: str) -> int:
    """Groups of vowels, a silent e at the end left out; one at least."""
    low = re.sub(r"[^a-z]", "", word.lower())
    count = len(re.findall(r"[aeiouy]+", low))
    if low.endswith("e") and not low.endswith(("le", "ee")) and count > 1:
        count -= 1
    if low.endswith("ed") and not low.endswith(("ted", "ded")) and count > 1:
        count -= 1
    return max(1, count)


def reading_ease(markdown: str) -> float:
    """Flesch's figure for a page; 100 is very easy, 30 hard."""
    text = prose(markdown)
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", text)
    sentences = len(re.findall(r"[.!?](?:\s|$)", text))
    return 206.835 - 1.015 * len(words) / sentences - 84.6 * sum(map(syllables, words)) / len(words)


if __name__ == "__main__":
    for page in pages():
        ease = reading_ease(page.read_text(encoding="utf-8"))
        print(f"{ease:5.1f}  {page.relative_to(ROOT)}")
