"""What needs the director: one kind of thing, whatever it comes from.

Doubts, notices, procedures, refused messages and orders, lost devices, a log that does not hold and
games that differ elsewhere each become a ``Need``: a code, facts, who hears of it, how urgent it
is, its steps if any. It ends when what it comes from ends. Pages and exports read these.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from recorder.domain.notices import Manner, Notice, PlainValue
from recorder.domain.procedures.at_table import follows_from
from recorder.frames import desk
from recorder.texts import load_catalogue
from recorder.wire.rows import MESSAGE_REFUSED_TYPE

URGENCY = ("doubt", "alert", "open", "lost", "refused", "notice")
"""How urgent a need is, by its kind, the most urgent first; an alert is a notice."""
_ASKS = frozenset(("doubt", "alert", "open"))
"""What waits for a decision; the others are only shown."""
MOST_FAULTS = 5
_LOUD = frozenset({Manner.TELL_PLAYERS.value, Manner.ALERT.value})
_REFUSED = {
    "order.refused": ("mark_refused", ""),
    "device.missing": ("mark_missing", "compare_missing"),
    "clock.doubt": ("mark_clock", "goes_on_with_it"),
    "camera.doubt": ("mark_camera", "move_camera"),
    "time.set": ("mark_time", "times_are_off"),
}
"""Lines of the timeline that a director must see: their mark, and what to do about it."""


_CAUSE = -1
"""What else needs a director may only follow from it."""


def needs(
    timeline: Iterable[desk.Item],
    procedures: Sequence[desk.OpenProcedure],
    standing: Sequence[desk.StandingProcedure],
    devices: Mapping[str, desk.Device],
    log: desk.LogState | None = None,
) -> list[desk.Need]:
    """What needs the director of a table, the most urgent first."""
    worked = [found for found in standing if found["steps"] or found["title"]]
    found = [
        *(() if log is None else _of_log(log)),
        *(need for item in timeline for need in _of_item(item, worked)),
        *_lost(devices),
        *map(_standing, worked),
        *_begun(procedures, {procedure["key"] for procedure in worked}),
    ]
    return sorted(found, key=lambda need: need["severity"])


def need(kind: str, code: str, mark: str, text: str, remedy: str = "", **rest: object) -> desk.Need:
    """A need of a kind; ``rest`` are further fields of it."""
    made: desk.Need = {
        "key": f"{kind} {text}",
        "kind": "notice" if kind == "alert" else kind,
        "code": code,
        "severity": URGENCY.index(kind),
        "asks": kind in _ASKS,
        "players": False,
        "mark": _text(mark),
        "text": text,
        "remedy": remedy,
        "facts": {},
        "steps": [],
        "at": 0,
        "row": None,
        "procedure": "",
        "begins": "",
        "instead": "",
        "instead_named": "",
    }
    return {**made, **rest}  # type: ignore[typeddict-item]


def _text(code: str, **values: PlainValue) -> str:
    return load_catalogue().text("need", code, **values) if code else ""


def _of_item(item: desk.Item, worked: Sequence[desk.StandingProcedure]) -> Iterator[desk.Need]:
    if item["superseded_by"]:
        return
    of_row = {"row": item["seq"], "at": item["at"]}
    if item["doubt"] is not None:
        yield need(
            "doubt", "doubtful_reading", "mark_doubt", item["text"],
            "; ".join(item["doubt"]["reasons"]), key=f"doubt {item['seq']}", **of_row,
        )  # fmt: skip
    if "notice" in item:
        yield from _noticed(item, item["notice"], worked)
    mark, remedy = _REFUSED.get(item["type"], ("", ""))
    is_over = item["type"] == "device.missing" and (not item["missing"] or item["settled"])
    if item["type"] == MESSAGE_REFUSED_TYPE:
        is_fault = item["refused"] == "fault"
        mark = "mark_left_out" if is_fault else "mark_not_taken"
        remedy = "compare_left_out" if is_fault else "look_after_sender"
    if mark and not is_over:
        who = item["order"]["who"] or _text("an_order") if "order" in item else item["text"]
        yield need(
            "refused", item["type"], mark, who,
            item["text"] if "order" in item else _text(remedy, time="{time}"),
            key=f"refused {item['seq']}", facts=item["facts"], **of_row,
        )  # fmt: skip


def _noticed(
    item: desk.Item, notice: desk.Notice, worked: Sequence[desk.StandingProcedure]
) -> Iterator[desk.Need]:
    loud = notice["director"] in _LOUD
    if not loud and notice["director"] != Manner.SHOW.value:
        return
    follows = (
        procedure["key"]
        for procedure in worked
        if procedure["code"] == notice["begins"]
        and procedure["group"] in (0, item["group"])
        and notice["player"] in (None, procedure["player"])
    )
    instead = _as_likely(notice)
    yield need(
        "alert" if loud else "notice",
        notice["code"],
        "mark_alert" if loud else "mark_noticed",
        notice["text"],
        f"{notice['manner']} ({notice['rule']})",
        key=f"notice {item['seq']}",
        facts=notice["numbers"],
        players=notice["players"],
        procedure=next(follows, ""),
        begins=notice["begins"],
        instead=instead,
        instead_named=load_catalogue().text("procedure", instead) if instead else "",
        row=item["seq"],
        at=item["at"],
    )


def _as_likely(notice: desk.Notice) -> str:
    """The procedure that would follow from what is as likely as the notice; empty without one."""
    other = notice["numbers"].get("other")
    codes = {code.value: code for code in Notice}
    follows = follows_from(codes[other]) if isinstance(other, str) and other in codes else ""
    return "" if follows == notice["begins"] else follows


def _lost(devices: Mapping[str, desk.Device]) -> Iterator[desk.Need]:
    """Devices that are lost for the same reason, or send too much, are one need.

    One that was never heard is no loss: it is in the list of what is wrong at the venue.
    """
    by_reason: dict[tuple[str, bool], list[str]] = {}
    for name, device in devices.items():
        why = device.get("lost")
        if why is not None and not device.get("unheard", False):
            by_reason.setdefault((why, device.get("floods", False)), []).append(name)
    for (why, floods), names in by_reason.items():
        mark = "mark_floods" if floods else "mark_lost"
        found = need("lost", "device_lost", mark, ", ".join(names), why)
        yield {**found, "severity": _CAUSE} if floods else found


def _of_log(log: desk.LogState) -> Iterator[desk.Need]:
    broken = log["broken"]
    if broken:
        text = _text("row_changed", row=broken)
        yield need("refused", "log_broken", "mark_log", text, _text("not_to_be_trusted"))
    for fault in log["faults"][:MOST_FAULTS]:
        device = fault["device"] and f" ({fault['device']})"
        text = _text("row_does_not_fit", row=fault["row"], device=device, table=fault["table"])
        remedy = _text("compare_since", time="{time}")
        yield need("refused", "row_does_not_fit", "mark_log", text, remedy, at=fault["at"])


def _standing(procedure: desk.StandingProcedure) -> desk.Need:
    """A procedure that the recorder has open."""
    done, steps = sum(step["done"] for step in procedure["steps"]), len(procedure["steps"])
    rule = f" ({procedure['rule']})" if procedure["rule"] else ""
    title = procedure["title"]
    return need(
        "open", procedure["code"], "mark_procedure", title[:1].upper() + title[1:],
        _text("steps_done", done=done, steps=steps) + rule,
        key=f"open {procedure['key']}", facts=procedure["facts"], steps=[done, steps],
        procedure=procedure["key"], at=procedure["at"],
    )  # fmt: skip


def _begun(procedures: Iterable[desk.OpenProcedure], known: set[str]) -> Iterator[desk.Need]:
    """Procedures that only a director's order knows."""
    for run in procedures:
        if run["key"] not in known:
            done, steps = len(run["done"]), run["steps"]
            far = f"{_text('steps_done', done=done, steps=steps)}; " if steps else ""
            yield need(
                "open", run["code"], "mark_procedure", run["title"], f"{far}{run['who']}, {{time}}",
                key=f"open {run['key']}", facts=run["facts"], steps=[done, steps],
                procedure=run["key"], at=run["at"],
            )  # fmt: skip
