"""Lines of a score sheet and ends of games as sentences, as the pages of viewers say them."""

from collections.abc import Mapping, Sequence
from typing import Any

from recorder.domain.tile_text import plain_text, read_tiles
from recorder.texts import Catalogue

_NO_LETTER = "\N{WHITE SQUARE}"


def word_of(word: str) -> str:
    """A word as people read it; a blank without a letter is an empty tile."""
    return plain_text(read_tiles(word)).replace("?", _NO_LETTER)


def line_sentence(line: Mapping[str, Any], names: Sequence[str], texts: Catalogue) -> str:
    """A line or a last play of a public frame as a sentence."""
    kind, words = line["kind"], line["words"] or [line["word"]]
    if kind == "exchange" and not line["count"]:
        kind = "exchange_some"
    if kind in ("play", "withdraw") and not words[0]:
        kind = f"{kind}_tiles"
    return texts.text(
        "screen",
        f"said_{kind}",
        name=names[line["player"]],
        word=word_of(words[0]),
        position=line["position"],
        score=line["score"],
        count=line["count"],
    )


def totals_sentence(names: Sequence[str], totals: Sequence[int], texts: Catalogue) -> str:
    """Both totals as a sentence."""
    (first, second), (first_score, second_score) = names, totals
    return texts.text(
        "screen",
        "said_totals",
        first=first,
        first_score=first_score,
        second=second,
        second_score=second_score,
    )


def outcome_sentence(
    names: Sequence[str], scores: Sequence[int], result: Mapping[str, Any] | None, texts: Catalogue
) -> str:
    """Who won, and by how much; ``result`` where the scores do not decide it."""
    if result:
        how = result["how"]
        said = texts.text("screen", how) if texts.has("screen", how) else how
        return texts.text("screen", "wins_how", name=names[1 - result["loser"]], how=said)
    if scores[0] == scores[1]:
        return texts.text("screen", "draw")
    winner = int(scores[1] > scores[0])
    margin = abs(scores[0] - scores[1])
    return texts.text("screen", "wins_by", name=names[winner], margin=margin)
