"""The sheet of a venue's links: a page to print, with codes that phones read.

Anyone who has a link has what it opens: the page is for its owner's eyes, and its keys are printed
nowhere else but on a terminal that a person reads.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.venue.setup.files import Keys
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, TableWishes, tables_of
from recorder.printing.qr_code import code_squares, qr_svg

SHEET = "links.html"
_QUIET = 4
"""Squares of white that a code needs around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One address: what it is for; ``is_key`` when it opens something, ``code`` for phones."""

    what: str
    address: str
    is_key: bool = False
    code: bool = False


def links_of(wishes: SetupAnswers, keys: Keys, phones: Sequence[str]) -> list[Link]:
    """Every address that somebody needs: OBS, people at work, phones at the tables.

    ``phones`` are the keys in the links of each table's phones.
    """
    port = wishes.dashboard_port
    scheme = "https" if wishes.has_tls else "http"
    here, there = (
        f"{scheme}://{host}:{port}" for host in ("127.0.0.1", wishes.address or "127.0.0.1")
    )
    links = [
        Link(what="OBS, browser source 1920 x 1080", address=f"{here}/o/featured/full"),
        Link(what="OBS, score alone", address=f"{here}/o/featured/score"),
        Link(what="all pages", address=f"{there}/"),
        Link(what="a phone without a code asks to join", address=f"{there}/join"),
        Link(what="director", address=f"{there}/enter/{keys.director}", is_key=True),
        Link(what="commentator", address=f"{there}/enter/{keys.commentator}", is_key=True),
    ]
    if wishes.is_event:
        pair = f"{there}/enter/{keys.director}?to=/director/event"
        links.append(Link(what="event: players, pairings", address=pair, is_key=True))
        links.append(Link(what="event, for everybody", address=f"{there}/event"))
    links += [
        Link(
            what=f"table {table.number}: {_PHONES[kind]} on a phone",
            address=f"{there}/enter/{key}?to=/{kind}/{table.number}",
            is_key=True,
            code=True,
        )
        for table, key in zip(tables_of(wishes), phones, strict=True)
        for kind in _phones(wishes, table)
    ]
    return links


_PHONES = {"clock": "clock", "pad": "scorer's pad", "result": "result"}


def _phones(wishes: SetupAnswers, table: TableWishes) -> list[str]:
    clock = ["clock"] if table.clock is ClockKind.PHONE else []
    return [*clock, *(["pad"] if wishes.has_pads else []), "result"]


def code_as_text(text: str) -> str:
    """A QR code for a terminal: two squares above each other in a character, light on dark."""
    rows = _framed(code_squares(text))
    halves = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        lines.append("".join(halves[pair] for pair in zip(upper, lower, strict=True)))
    return "\n".join(lines)


def _framed(modules: list[list[bool]]) -> list[list[bool]]:
    """With white around it, and an even number of rows."""
    width = len(modules[0]) + 2 * _QUIET
    blank = [[False] * width]
    rows = [[*[False] * _QUIET, *row, *[False] * _QUIET] for row in modules]
    rows = [*blank * _QUIET, *rows, *blank * _QUIET]
    return rows if len(rows) % 2 == 0 else [*rows, *blank]


def sheet(wishes: SetupAnswers, links: Sequence[Link], password: str | None) -> str:
    """The page. ``password`` is the administrator's, None where one had it before."""
    admin = f"the password {html.escape(password)}" if password else "the password you have"
    items = "\n".join(_item(link) for link in links)
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Links of {html.escape(wishes.name)}</title>
<style>
body {{ font: 16px/1.4 sans-serif; margin: 2em; max-width: 50em; }}
section {{ break-inside: avoid; margin: 0 0 1.2em; }}
h2 {{ font-size: 1em; margin: 0; }}
code {{ overflow-wrap: anywhere; font-size: .85em; }}
svg {{ width: 5cm; height: 5cm; display: block; }}
</style>
<h1>Links of {html.escape(wishes.name)}</h1>
<p>Keep this page to yourself: anyone with a link has what it opens. Cut the codes apart and
hand each to its table. The administrator signs in as admin with {admin}.</p>
<p>{_reach(wishes)}</p>
{_TRUST if wishes.has_tls else ""}{items}
</html>
"""


def _reach(wishes: SetupAnswers) -> str:
    """What to do with a phone that does not find its page."""
    if not wishes.address:
        return "Only this machine can open these pages. For phones, make the venue with --address."
    address = html.escape(wishes.address)
    return f"""A phone does not find its page? Connect it to the Wi-Fi of this venue, where the
address {address} is: not to mobile data or a guest network."""


_TRUST = """<p>Pages come over TLS, signed by the venue's own authority. Browsers warn until
they trust it: give each phone, tablet and the machine of OBS the file
<code>authority/ca.crt</code>, and install it there as a certificate authority. The file
<code>ca.key</code> beside it goes nowhere.</p>
"""


def _item(link: Link) -> str:
    code = qr_svg(link.address) if link.code else ""
    address = html.escape(link.address)
    return (
        f"<section><h2>{html.escape(link.what)}</h2>{code}"
        f'<a href="{address}"><code>{address}</code></a></section>'
    )
