"""Where a feed comes from: a file, a folder of TSH, an address, or standard input."""

import codecs
import re
import sys
from dataclasses import replace
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import Event
from recorder.feeds.csv_table import read_csv
from recorder.feeds.division_file import read_division_file
from recorder.feeds.fault import FeedFault
from recorder.feeds.fetching import fetched
from recorder.feeds.plausible import plausible
from recorder.feeds.tourney_js import Feed, read_tourney_js, whole_number
from recorder.feeds.tsh_config import TshConfig, read_tsh_config
from recorder.systems import read_file

MOST_FEED_BYTES = 32_000_000
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def read_feed(source: str) -> Feed:
    """The event of a file, a folder with ``config.tsh`` or ``.t`` files, an address, or ``-``.

    NotationError says why it is no feed; OSError why it cannot be read.
    """
    return plausible(_read(source))


def _read(source: str) -> Feed:
    if _ADDRESS.match(source):
        return _read_text(
            fetched(source, MOST_FEED_BYTES), Path(source.split("?", maxsplit=1)[0]).name
        )
    if source == "-":
        return _read_text(sys.stdin.buffer.read(MOST_FEED_BYTES + 1), "")
    path = Path(source)
    if path.is_dir():
        return _read_folder(path)
    if path.name.endswith(".tsh"):
        return _read_folder(path.parent, path)
    return _read_text(read_file(path), path.name)


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
        "is not a feed: neither tourney.js (newt={...}) nor a division file (.t) nor a table (.csv)"
    )


def _division_name(path: Path) -> str:
    """``a.t`` is division A; a longer name is taken as it is."""
    return path.stem.upper() if len(path.stem) == 1 else path.stem


def _decoded(content: bytes) -> str:
    """UTF-8, or what TSH writes unless set otherwise; UTF-16 where its mark says so."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _read_folder(folder: Path, listing: Path | None = None) -> Feed:
    listing = listing or folder / "config.tsh"
    config = read_tsh_config(_decoded(listing.read_bytes())) if listing.exists() else TshConfig()
    files = {name: folder / file for name, file in config.files.items()}
    if not listing.exists():
        files = {_division_name(path): path for path in sorted(folder.glob("*.t"))}
    if not files:
        raise NotationError("has no config.tsh and no division file (.t)")
    settings = config.settings
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
            replace(
                division,
                last_round=whole_number(settings.get("max_rounds")) or division.last_round,
                spread_cap=whole_number(settings.get("spread_cap")) or division.spread_cap,
            )
            for division in feed.event.divisions
        ]
        faults += feed.faults
    if not divisions:
        raise NotationError("; ".join(fault.message for fault in faults))
    about = settings.get("event_name", ""), settings.get("event_date", "")
    event = Event(name=about[0], date=about[1], divisions=tuple(divisions))
    return Feed(event=event, faults=faults)
