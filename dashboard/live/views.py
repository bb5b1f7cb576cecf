"""Projection to page: what each audience's page gets, and the HTML that carries it.

Pure: strings in, strings out. Everything that is put into HTML is escaped here.
"""

from html import escape
from string import Template

from dashboard.commentator.model import CommentatorView
from dashboard.live.sensor_state import SensorState
from recorder.domain.board import SIZE, STANDARD_PREMIUMS, Premium
from recorder.domain.notices import Manner
from recorder.domain.observations import BoardSeen
from recorder.domain.record import (
    NoticeGiven,
    Observed,
    ProcedureOver,
    ProcedureStands,
    Unreadable,
)
from recorder.domain.tile_text import write_tiles
from recorder.frames import desk
from recorder.frames.booth import BoothModel
from recorder.frames.public import Frame
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline

HIDEABLE = ("forming", "last", "clocks", "logo", "sponsor", "banner", "photo", "plate")
MOMENTS = ("bingo", "record", "lead", "bag", "challenge", "count", "order")
"""What overlays celebrate: five that are reported, scores that count up, tiles in reading order."""
ALIGNMENTS = ("top", "bottom", "left", "right")
THEMES = ("studio", "paper", "contrast")

_PREMIUM_CLASSES = {
    Premium.NONE: "no",
    Premium.DOUBLE_LETTER: "dl",
    Premium.TRIPLE_LETTER: "tl",
    Premium.DOUBLE_WORD: "dw",
    Premium.TRIPLE_WORD: "tw",
}


def commentator_model(
    frame: Frame | None, live: Projection, view: CommentatorView
) -> BoothModel | None:
    """The page: the live frame and what ``dashboard.commentator.model`` knows of it."""
    return None if frame is None else {"frame": frame, **view.model(frame, live)}


def director_model(
    frame: Frame | None,
    live: Projection,
    story: Timeline,
    sensors: SensorState,
    broken: int | None = None,
) -> desk.DeskModel:
    """The director's page: the live frame and sheet, the story with its doubts, what is sensed.

    ``broken`` is the row at which the log does not hold.
    """
    timeline = released(story.items(), frame)
    procedures, standing = story.procedures(), open_to_director(story.standing())
    devices = story.devices()
    log: desk.LogState = {
        **story.log(),
        "faults": [
            {"row": row.seq, "table": row.table, "device": row.device, "at": row.at}
            for row in live.faults
        ],
        "broken": broken,
    }
    return {
        "frame": frame,
        "sheet": [line.as_json() for line in live.lines],
        "senses": sensors.as_json(),
        "rules": live.started.rules if live.started is not None else "",
        "timeline": timeline,
        "signatures": story.signatures(),
        "procedures": procedures,
        "standing": standing,
        "devices": devices,
        "log": log,
        "needs": needs(timeline, procedures, standing, devices, log),
    }


def released(items: list[desk.Item], frame: Frame | None) -> list[desk.Item]:
    """The timeline without what rules keep back from the director while the game is on (INT-2)."""
    over = frame is not None and frame["phase"] == "over"
    return [item for item in items if over or not is_withheld(item)]


def open_to_director(standing: list[desk.StandingProcedure]) -> list[desk.StandingProcedure]:
    """The procedures without those of notices that rules keep back until both have signed."""
    return [procedure for procedure in standing if procedure["director"] != Manner.WITHHELD.value]


def is_withheld(item: desk.Item) -> bool:
    """Whether a line of the timeline is a notice that the rules keep back."""
    return "notice" in item and item["notice"]["director"] == Manner.WITHHELD.value


def keeps_back(row: Row) -> bool:
    """Whether a row shows what the rules keep back while its game is on.

    A notice does, and so does a procedure that follows from one.
    """
    match row.says:
        case NoticeGiven(notice=notice):
            return notice.routing.director is Manner.WITHHELD
        case ProcedureStands(procedure=procedure):
            return procedure.director is Manner.WITHHELD
        case ProcedureOver(director=director):
            return director is Manner.WITHHELD
    return False


def evidence(row: Row) -> desk.LogRow:
    """A log row as the director reads it; a look at the board is written out as 15 rows."""
    body = dict(row.body)
    shown: desk.LogRow = {
        "seq": row.seq,
        "body": body,
        "kind": row.kind.value,
        "at": row.at,
        "refs": list(row.refs),
        "hash": row.hash,
    }
    match row.says:
        case Observed(what=BoardSeen() as look):
            symbols = look.squares.symbols
            shown["board"] = [
                write_tiles(symbols[at : at + SIZE]) for at in range(0, len(symbols), SIZE)
            ]
            body["data"] = {k: v for k, v in body["data"].items() if k != "squares"}
        case Unreadable(type="board.seen", fault=fault):
            body = {"type": "board.seen", "not readable": fault}
    shown["body"] = body
    return shown


def premium_classes() -> str:
    """The premium of every square as a page's style sheet names it, separated by spaces."""
    return " ".join(_PREMIUM_CLASSES[premium] for premium in STANDARD_PREMIUMS)


def fill(template: str, **values: object) -> str:
    """A template with its ``$names`` filled in, escaped. KeyError names one that is missing."""
    return Template(template).substitute({k: escape(str(v)) for k, v in values.items()})
