"""What the rules ask, find and leave open, as a director reads it."""

from collections.abc import Iterable

from recorder.domain.notices import CodedText
from recorder.texts.telling import RULE_TEXTS, coded_text


def said(text: CodedText) -> str:
    return coded_text(text, RULE_TEXTS)


def all_said(texts: Iterable[CodedText]) -> tuple[str, ...]:
    return tuple(map(said, texts))
