"""Notices and other coded texts in the words of a catalogue."""

from recorder.domain.notices import WORDS, CodedText, TableNotice
from recorder.texts import Catalogue, load_catalogue


def notice_text(
    one: TableNotice,
    catalogue: Catalogue | None = None,
    names: tuple[str, str] | None = None,
) -> str:
    """A notice in a line, for the director; ``names`` of the players instead of their numbers.

    What an earlier release put in words stays in its words.
    """
    texts = catalogue or load_catalogue()
    values = dict(one.numbers)
    if WORDS in values:
        return str(values[WORDS])
    if one.player is not None:
        values["player"] = names[one.player] if names else one.player
    if one.squares:
        values["squares"] = " ".join(one.squares)
    case = f"{one.code.value}-{values.get('case', '')}"
    code = case if texts.has("notice", case) else one.code.value
    told = texts.text("notice", code, **values)
    level = str(values.get("level", ""))
    if level:
        weighed = "weighed" if "odds" in values else "certain"
        told = texts.text("level", f"{level}_{weighed}", **{**values, "what": told})
    return told[:1].upper() + told[1:]


def coded_text(one: CodedText, section: str, catalogue: Catalogue | None = None) -> str:
    """A coded text of a section of the catalogue."""
    values = dict(one.values)
    if one.code == WORDS:
        return str(values[WORDS])
    return (catalogue or load_catalogue()).text(section, one.code, **values)
