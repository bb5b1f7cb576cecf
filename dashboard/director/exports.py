"""A game as directors take it away: GCG, GameHistory, CGP, JSON, printed sheet and slip, evidence.

Everything is made from the log at the moment of asking. Pure but for the reading of pictures.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources

from dashboard.director.printed import result_slip, score_sheet
from dashboard.incidents.facts import Situation, situation
from dashboard.live.views import keeps_back, released
from recorder.declared.codec import Json
from recorder.declared.json_objects import canonical_json
from recorder.domain.errors import RecorderError
from recorder.gcg import GcgGame, GcgMove, GcgPlayer, write_gcg
from recorder.gcg.cgp import position
from recorder.gcg.history import game_history
from recorder.gcg.score_sheet import score_sheet_text
from recorder.log.anchors import Anchor
from recorder.log.evidence import Pictures
from recorder.log.port import Row, first_broken
from recorder.printing.page import Page
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline
from recorder.projections.turns import json_lines, public_turns
from recorder.woogles.records import document_of

Maker = Callable[[Sequence[Row], Situation, Pictures], bytes]

TEXT, JSON_TYPE = "text/plain; charset=utf-8", "application/json"
PDF_TYPE, PNG_TYPE, ZIP_TYPE = "application/pdf", "image/png", "application/zip"
_SCREEN_DPI = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A file to take away."""

    name: str
    media_type: str
    data: bytes


def export(
    rows: Sequence[Row], table: int, file: str, pictures: Pictures, game: str = ""
) -> Exported | None:
    """One of ``FILES`` for a game of a table, the newest unless named; None without such a file.

    ``rows`` is the whole log. NotationError while no game has begun, and where the game cannot be
    written in that form (CGP needs the letter of every blank).
    """
    made = FILES.get(file)
    if made is None:
        return None
    broken = first_broken(rows)
    if broken is not None:
        raise RecorderError(
            f"row {broken} of the log was changed, or one before it is missing;"
            " nothing is exported that would look whole"
        )
    now = situation((row for row in rows if game in ("", row.game)), table)
    media_type, make = made
    joint = "-" if "." in file else "."
    name = f"{now.started.game}{joint}{file}"
    return Exported(name=name, media_type=media_type, data=make(rows, now, pictures))


def game_of(now: Situation) -> GcgGame:
    """The game as recorded and corrected."""
    first, second = (
        GcgPlayer(nick="_".join(name.split()), name=name) for name in now.started.players
    )
    return GcgGame(
        players=(first, second),
        tile_set=now.state.tile_set,
        moves=tuple(GcgMove(entry.event) for entry in now.held),
    )


def record(rows: Iterable[Row], now: Situation) -> Json:
    """Everything that the record says of the game, as JSON values."""
    started = now.started
    mine = [row for row in rows if _is_mine(row, now)]
    return {
        "game": started.game,
        "table": started.table,
        "players": list(started.players),
        "tile_set": started.tile_set,
        "rules": started.rules,
        "overrides": dict(started.overrides),
        "confirmed": list(started.confirmed),
        "totals": list(now.state.scores),
        "board": list(now.state.board.rows()),
        "sheet": list(now.lines),
        "timeline": released(_story(mine, now).items(), now.frame),
        "head": {"seq": mine[-1].seq, "at": mine[-1].at, "hash": mine[-1].hash},
    }


def bundle(rows: Sequence[Row], now: Situation, pictures: Pictures) -> bytes:
    """The evidence of a game as ZIP: rows with hashes, GCG, pictures, checksums."""
    mine = [row for row in rows if _is_mine(row, now)]
    files = {
        "README.txt": resources.files(__package__).joinpath("evidence.txt").read_bytes(),
        "rows.jsonl": "".join(f"{canonical_json(_shown(row, now))}\n" for row in mine).encode(),
        "chain.txt": "".join(f"{row.seq} {row.hash}\n" for row in rows).encode(),
        "game.gcg": write_gcg(game_of(now)).encode(),
        "record.json": _json(record(rows, now)),
    }
    named = {row.picture for row in mine} - {""}
    missing = []
    for digest in sorted(named):
        found = pictures.find(digest)
        if found is None:
            missing.append(digest)
        else:
            files[f"pictures/{digest}.jpg"] = found
    if missing:
        files["missing.txt"] = "".join(f"{digest}\n" for digest in missing).encode()
    sums = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    files["SHA256SUMS"] = "".join(sums).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(f"{now.started.game}/{name}", data)
    return packed.getvalue()


def _shown(row: Row, now: Situation) -> Json:
    """A row for the bundle, with all that its hash is made of.

    What rules keep back while a game is on is named, not reported.
    """
    shown = asdict(row)
    if now.frame["phase"] != "over" and keeps_back(row):
        shown["body"] = {"kept back": "until the game is over; the hash is of the whole row"}
    return shown


def _is_mine(row: Row, now: Situation) -> bool:
    return row.table == now.started.table and row.game == now.started.game


def _json(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def _story(rows: Iterable[Row], now: Situation) -> Timeline:
    story = Timeline(now.started.table)
    for row in rows:
        if _is_mine(row, now):
            story.advance(row)
    return story


def _open_doubts(story: Timeline) -> int:
    open_now = needs(story.items(), story.procedures(), story.standing(), story.devices())
    return sum(need["kind"] == "doubt" for need in open_now)


def _sheet_pdf(rows: Sequence[Row], now: Situation, _: Pictures) -> bytes:
    from recorder.printing.pdf import pdf  # ReportLab: only who prints waits for it

    code = _code(rows)
    return pdf(*score_sheet(now, _open_doubts(_story(rows, now)), code))


def _slip(rows: Sequence[Row], now: Situation) -> Page:
    story = _story(rows, now)
    return result_slip(now, _open_doubts(story), story.signatures(), _code(rows))


def _code(rows: Sequence[Row]) -> str:
    """What proves on paper how far the log had come: ``tilecast log verify --code`` asks for it."""
    return Anchor(rows[-1].seq, rows[-1].hash).code if rows else ""


def _slip_pdf(rows: Sequence[Row], now: Situation, _: Pictures) -> bytes:
    from recorder.printing.pdf import pdf

    return pdf(_slip(rows, now))


def _slip_png(rows: Sequence[Row], now: Situation, _: Pictures) -> bytes:
    from recorder.printing.pixels import png

    return png(_slip(rows, now), dpi=_SCREEN_DPI)


def _tags(now: Situation) -> dict[str, str]:
    """Where a game was played, for its score sheet."""
    pairing = now.started.pairing
    place = {} if pairing is None else {"Division": pairing.division, "Round": str(pairing.round)}
    return {**place, "Table": str(now.started.table)}


def _turns(now: Situation) -> bytes:
    events = [entry.event for entry in now.held]
    return json_lines(public_turns(now.state.tile_set, events)).encode()


FILES: Mapping[str, tuple[str, Maker]] = {
    "gcg": (TEXT, lambda _, now, __: write_gcg(game_of(now)).encode()),
    "history.json": (JSON_TYPE, lambda _, now, __: _json(game_history(game_of(now)))),
    "document.json": (JSON_TYPE, lambda _, now, __: _json(document_of(game_of(now)))),
    "sheet.txt": (TEXT, lambda _, now, __: score_sheet_text(game_of(now), _tags(now)).encode()),
    "turns.jsonl": (TEXT, lambda _, now, __: _turns(now)),
    "cgp": (TEXT, lambda _, now, __: f"{position(game_of(now))}\n".encode()),
    "record.json": (JSON_TYPE, lambda rows, now, _: _json(record(rows, now))),
    "sheet.pdf": (PDF_TYPE, _sheet_pdf),
    "slip.pdf": (PDF_TYPE, _slip_pdf),
    "slip.png": (PNG_TYPE, _slip_png),
    "bundle.zip": (ZIP_TYPE, bundle),
}
"""The files that there are: their media type, and how each is made of the rows."""
