"""Notices and other coded texts in the words of a catalogue."""

from collections.abc import Mapping
from typing import Any

from recorder.domain.instruments import EventsMissing
from recorder.domain.notices import WORDS, CodedText, TableNotice, coded_with
from recorder.domain.observations import (
    CameraDoubted,
    ClockDoubted,
    DeviceBack,
    DeviceLost,
    TimeSet,
)
from recorder.texts import Catalogue, load_catalogue

RULE_TEXTS = "rules"
"""The section of what the rules ask, find and leave open."""
SURE_ODDS, EVEN_ODDS = 20, 2
"""From these odds on to one, rows of earlier releases are sure, and no more than even."""
_SENTENCES = frozenset({"refusal"})
"""Sections whose texts stand alone, and so begin with a capital even where a value comes first."""


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
        values = {"sure": _sureness(values), "other": "sensor_error", **values}
        text = texts.text("level", f"{level}_{values['sure']}", **{**values, "what": text})
    return text[:1].upper() + text[1:]


def _sureness(values: Mapping[str, Any]) -> str:
    """How sure a finding is, of a row that has its odds in numbers or none."""
    if "odds" not in values:
        return "certain"
    odds = values["odds"] / values["odds_to"]
    return "sure" if odds >= SURE_ODDS else "likely" if odds > EVEN_ODDS else "even"


def facts_in_words(
    section: str, facts: Mapping[str, Any], catalogue: Catalogue | None = None
) -> list[str]:
    """Facts in a few words each; one that the section does not know is its name and value."""
    texts = catalogue or load_catalogue()
    return [
        texts.text(section, name, value=value, player=value)
        if texts.has(section, name)
        else f"{name.replace('_', ' ')}: {value}"
        for name, value in facts.items()
    ]


def with_text(
    coded: Mapping[str, Any], section: str, catalogue: Catalogue | None = None
) -> dict[str, Any]:
    """A coded text as a message has it, with its ``text`` beside code and values."""
    text = coded_with(str(coded["code"]), coded["values"])
    return {**coded, "text": coded_text(text, section, catalogue)}


def preview_with_texts(
    preview: Mapping[str, Any], catalogue: Catalogue | None = None
) -> dict[str, Any]:
    """What an order would do, as the recorder answers it, with the texts of its codes."""
    changes = [
        {**change, "doubts": [with_text(doubt, "doubt", catalogue) for doubt in change["doubts"]]}
        for change in preview.get("changes", ())
    ]
    reason = preview["reason"] and with_text(preview["reason"], "refusal", catalogue)
    return {**preview, "reason": reason, **({"changes": changes} if "changes" in preview else {})}


def coded_text(coded: CodedText, section: str, catalogue: Catalogue | None = None) -> str:
    """A coded text of a section of the catalogue."""
    values = dict(coded.values)
    if coded.code == WORDS:
        return str(values[WORDS])
    text = (catalogue or load_catalogue()).text(section, coded.code, **values)
    return text[:1].upper() + text[1:] if section in _SENTENCES else text


def time_set_text(setting: TimeSet) -> str:
    """That the clock of the recorder's machine was set."""
    name = "set_ahead" if setting.by_ms > 0 else "set_back"
    return load_catalogue().text("aloud", name, ms=abs(setting.by_ms))


def device_news_text(news: DeviceLost | DeviceBack | EventsMissing) -> str:
    """That a device is lost or back, or that events of it never came or have come after all."""
    match news:
        case DeviceLost(device=device, reason=reason):
            why = coded_text(reason, "device_lost")
            name = "device_floods" if reason.code == "floods" else "device_lost"
            return load_catalogue().text("line", name, device=device, why=why)
        case DeviceBack(device=device):
            return load_catalogue().text("line", "device_back", device=device)
        case EventsMissing():
            return events_missing_text(news)


def device_doubt_text(doubt: ClockDoubted | CameraDoubted) -> str:
    """What a clock has said and cannot be right, or which table a camera sees instead."""
    line = load_catalogue().text
    if isinstance(doubt, CameraDoubted):
        return line("line", "camera_doubt", device=doubt.device, table=doubt.sees)
    what = coded_text(doubt.detail, "clock_doubt")
    return line("line", "clock_doubt", device=doubt.device, what=what)


def events_missing_text(missing: EventsMissing) -> str:
    """That events of a device never came, or that they have come after all."""
    device, first, last = missing.device, missing.first, missing.last
    text = load_catalogue().text
    if missing.count == 0:
        return text("line", "events_came", device=device, first=first, last=last)
    if missing.count == 1:
        return text("line", "event_missing", device=device, first=first)
    return text(
        "line", "events_missing", device=device, first=first, last=last, count=missing.count
    )
