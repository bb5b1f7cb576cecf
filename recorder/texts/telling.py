"""Notices and other coded texts in the words of a catalogue."""

from recorder.domain.notices import WORDS, CodedText, TableNotice
from recorder.texts import Catalogue, load_catalogue


def notice_text(
    notice: TableNotice,
    catalogue: Catalogue | None = None,
    names: tuple[str, str] | None = None,
) -> str:
    """A notice in a line, for the director; ``names`` of the players instead of their numbers.

    What an earlier release put in words stays in its words.
    """
    texts = catalogue or load_catalogue()
    values = dict(notice.numbers)
    if WORDS in values:
        return str(values[WORDS])
    if notice.player is not None:
        values["player"] = names[notice.player] if names else notice.player
    if notice.squares:
        values["squares"] = " ".join(notice.squares)
    case = f"{notice.code.value}-{values.get('case', '')}"
    code = case if texts.has("notice", case) else notice.code.value
    text = texts.text("notice", code, **values)
    level = str(values.get("level", ""))
    if level:
        weighed = "weighed" if "odds" in values else "certain"
        text = texts.text("level", f"{level}_{weighed}", **{**values, "what": text})
    return text[:1].upper() + text[1:]


def coded_text(coded: CodedText, section: str, catalogue: Catalogue | None = None) -> str:
    """A coded text of a section of the catalogue."""
    values = dict(coded.values)
    if coded.code == WORDS:
        return str(values[WORDS])
    return (catalogue or load_catalogue()).text(section, coded.code, **values)
