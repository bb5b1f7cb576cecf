"""Where a feed comes from: a file, a folder of TSH, an address, or standard input."""

import re
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event
from recorder.feeds.csv_table import read_csv
from recorder.feeds.division_file import read_division_file
from recorder.feeds.fault import FeedFault
from recorder.feeds.plausible import plausible
from recorder.feeds.tourney_js import Feed, read_tourney_js, whole_number

MOST_FEED_BYTES = 32_000_000
PATIENCE_S = 10.0
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_LISTED = re.compile(r"\s*division\s+(\S+)\s+(\S.*?)\s*$", re.IGNORECASE)
_SETTING = re.compile(
    r"\s*config\s+(event_name|event_date|max_rounds)\s*=\s*['\"]?(.*?)['\"]?\s*;?\s*$"
)


def read_feed(source: str) -> Feed:
    """The event of a file, a folder with ``config.tsh`` or ``.t`` files, an address, or ``-``.

    NotationError says why it is no feed; OSError why it cannot be read.
    """
    return plausible(_read(source))


def _read(source: str) -> Feed:
    if _ADDRESS.match(source):
        return _read_text(_fetched(source), Path(source.split("?", maxsplit=1)[0]).name)
    if source == "-":
        return _read_text(sys.stdin.buffer.read(MOST_FEED_BYTES + 1), "")
    path = Path(source)
    if path.is_dir():
        return _read_folder(path)
    if path.name.endswith(".tsh"):
        return _read_folder(path.parent, path)
    with path.open("rb") as file:
        return _read_text(file.read(MOST_FEED_BYTES + 1), path.name)


def _fetched(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:  # noqa: S310 - http(s) only
            content: bytes = answer.read(MOST_FEED_BYTES + 1)
    except urllib.error.HTTPError as err:
        err.close()
        raise NotationError(f"the server answers {err.code} {err.reason}") from err
    except urllib.error.URLError as err:
        raise NotationError(f"cannot be fetched: {err.reason}") from err
    return content


def _read_text(content: bytes, name: str) -> Feed:
    if len(content) > MOST_FEED_BYTES:
        raise NotationError(f"is larger than {MOST_FEED_BYTES // 1_000_000} MB")
    text = _decoded(content)
    if not text.strip():
        raise NotationError("is empty")
    if name.lower().endswith(".csv"):
        return read_csv(text)
    if name.lower().endswith(".t"):
        return read_division_file(text, _division_name(Path(name)))
    if re.search(r"\bnewt\s*=|^\s*[{<]|\bdivisions\b", text):
        return read_tourney_js(text)
    if re.match(r"[^\n]*\bname\b[^\n]*\n", text, re.IGNORECASE) and ";" not in text.split("\n")[1]:
        return read_csv(text)
    if re.search(r"^.*\s\d+[\d\s]*;", text, re.MULTILINE):
        return read_division_file(text, "A")
    raise NotationError(
        "is no feed: neither tourney.js (newt={...}) nor a division file (.t) nor a table (.csv)"
    )


def _division_name(path: Path) -> str:
    """``a.t`` is division A; a longer name is taken as it is."""
    return path.stem.upper() if len(path.stem) == 1 else path.stem


def _decoded(content: bytes) -> str:
    """UTF-8, or what TSH writes unless told otherwise."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _read_folder(folder: Path, listing: Path | None = None) -> Feed:
    listing = listing or folder / "config.tsh"
    listed = _listed(listing) if listing.exists() else None
    files = listed.files if listed else {_division_name(p): p for p in sorted(folder.glob("*.t"))}
    if not files:
        raise NotationError("has no config.tsh and no division file (.t)")
    divisions = []
    faults: list[FeedFault] = []
    for name, path in files.items():
        try:
            feed = read_division_file(_decoded(path.read_bytes()), name)
        except (OSError, NotationError) as err:
            why = getattr(err, "strerror", None) or err
            faults.append(FeedFault(code="unreadable", message=f"{path}: {why}", division=name))
            continue
        divisions += [
            replace(division, last_round=listed.last_round if listed else None)
            for division in feed.event.divisions
        ]
        faults += feed.faults
    if not divisions:
        raise NotationError("; ".join(fault.message for fault in faults))
    event = Event(
        name=listed.name if listed else "", date=listed.date if listed else "",
        divisions=tuple(divisions),
    )  # fmt: skip
    return Feed(event=event, faults=faults)


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a ``config.tsh`` says: its divisions' files, and the event."""

    files: dict[str, Path]
    name: str
    date: str
    last_round: int | None


def _listed(path: Path) -> _Listing:
    files: dict[str, Path] = {}
    settings: dict[str, str] = {}
    for line in _decoded(path.read_bytes()).splitlines():
        if match := _LISTED.match(line):
            files[match[1].upper()] = path.parent / match[2]
        elif match := _SETTING.match(line):
            settings[match[1]] = match[2]
    return _Listing(
        files=files,
        name=settings.get("event_name", ""),
        date=settings.get("event_date", ""),
        last_round=whole_number(settings.get("max_rounds")),
    )
