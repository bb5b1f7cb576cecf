"""What the director reads: every statement of the record, its doubts, and what it rests on.

Not for the public: it holds doubts, runners-up, orders and the state of the devices. A page that
gives orders finds in it all that an order names: entries, candidates, ids.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import cast

from recorder.declared.codec import Json
from recorder.domain.game import GameEvent, Played
from recorder.domain.instruments import EventsMissing
from recorder.domain.notices import PlainValue
from recorder.domain.observations import (
    BoardNotSeen,
    CameraDoubted,
    CameraExchanged,
    ClockDoubted,
    DeviceBack,
    DeviceLost,
    TimeSet,
)
from recorder.domain.orders import AdjustClock, EntryName, Insert, Split, TableOrder
from recorder.domain.reading.clock_trust import sets_clock
from recorder.domain.record import (
    Corrected,
    EventOrdered,
    GameStarted,
    MessageRefused,
    NoticeGiven,
    NoticeOver,
    Observed,
    OrderCarriedOut,
    OrderRefused,
    OrderRepeated,
    Recorded,
    Statement,
    TurnNote,
    Unreadable,
)
from recorder.domain.row_kind import Kind
from recorder.domain.rulings.in_force import Ruling, in_force, settled_rows
from recorder.domain.rulings.procedures import open_procedures
from recorder.domain.rulings.signatures import signatures
from recorder.frames import desk
from recorder.log.anchors import Anchor
from recorder.log.port import Row
from recorder.projections.broadcast import MOST_LEFT
from recorder.projections.doubts import doubt_json, event_json
from recorder.projections.framed import framed
from recorder.projections.notices import notice_as_json
from recorder.projections.standing_procedures import StandingProcedures, begun_as_json
from recorder.texts import Catalogue, load_catalogue, plain_code
from recorder.texts.record import (
    event_in_words,
    events_in_words,
    order_by_what_it_ends,
    order_in_words,
)
from recorder.texts.telling import (
    coded_text,
    device_doubt_text,
    device_news_text,
    events_missing_text,
    facts_in_words,
    notice_text,
    time_set_text,
)
from recorder.wire.row_heads import STARTED_TYPE
from recorder.wire.rows import MESSAGE_REFUSED_TYPE

_SAID_ALOUD = frozenset(
    {
        "device.lost",
        "device.back",
        "device.missing",
        "clock.doubt",
        "camera.doubt",
        "camera.exchanged",
        "time.set",
        MESSAGE_REFUSED_TYPE,
    }
)


@dataclass(frozen=True, slots=True)
class _LeftStory:
    """The story of a game while another is on at its table, and the rows of it meanwhile."""

    items: dict[int, Json] = field(default_factory=dict)
    of_turn: dict[int, list[int]] = field(default_factory=dict)
    rulings: list[Ruling] = field(default_factory=list)
    later: list[Row] = field(default_factory=list)


class Timeline:
    """One table's story and its devices, folded row by row. A new game begins a new story."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._items: dict[int, Json] = {}
        self._of_turn: dict[int, list[int]] = {}
        self._pictures: dict[int, Json] = {}
        self._missing: dict[tuple[str, str], int] = {}
        self._rulings: list[Ruling] = []
        self._devices: dict[str, Json] = {}
        self._standing = StandingProcedures()
        self._last: Row | None = None
        self._game = ""
        self._texts = load_catalogue()
        self._left_player = 0
        self._left: dict[str, _LeftStory] = {}

    def advance(self, row: Row) -> None:
        """One more row of the log; rows of other tables only count for the log's head."""
        self._last = row
        if row.table != self.table:
            return
        if row.kind is Kind.OBSERVED:
            if row.type == "clock.change":
                self._clock_set(row)
            self._observe(row)
        elif row.type != STARTED_TYPE and row.game not in ("", self._game) and self._game:
            if row.game in self._left:  # it may have been adjourned, and go on
                self._left[row.game].later.append(row)
        else:
            self._take(row)

    def _take(self, row: Row) -> None:
        if row.kind is Kind.RULED:
            self._order(row)
        elif not self._standing.took(row, self._texts):
            self._state(row)

    def items(self) -> list[desk.Item]:
        """The items, oldest first."""
        counting = {ruling.order.id for ruling in in_force(self._rulings)}
        settled, items = settled_rows(self._rulings), list[desk.Item]()
        for item in self._items.values():
            now = dict(item)
            if "order" in item:
                now["order"] = {**item["order"], "in_force": item["order"]["id"] in counting}
            if "missing" in item:
                now["settled"] = item["seq"] in settled
            if item["doubt"] is not None:
                now["doubt"] = self._with_candidates(item)
            items.append(cast("desk.Item", now))
        return items

    def _with_candidates(self, item: Json) -> Json:
        """A doubt with all readings of its turn: 0 is the one that stands."""
        alone = item["superseded_by"] is not None or not item["group"]
        turn = [item["seq"]] if alone else self._of_turn[item["group"]]
        held = [
            entry
            for part in map(self._items.__getitem__, turn)
            if alone or part["superseded_by"] is None
            for entry in part["entries"]
        ]
        stands = {
            "candidate": 0,
            "log_odds": None,
            "text": ", then ".join(entry["text"] for entry in held) or "no event",
            "events": [
                {key: value for key, value in entry.items() if key not in {"entry", "part"}}
                for entry in held
            ],
        }
        return {**item["doubt"], "candidates": [stands, *item["doubt"]["candidates"]]}

    def signatures(self) -> list[desk.Signature | None]:
        """Who has signed, by player: ``order`` (an id), ``row``, ``at``, ``who``, ``stale``."""
        changes = (item["seq"] for item in self._items.values() if _changes_game(item))
        signed = signatures(in_force(self._rulings), changed=max(changes, default=0))
        return [
            None if mark is None else framed(desk.Signature, mark, at=mark.at_ms) for mark in signed
        ]

    def procedures(self) -> list[desk.OpenProcedure]:
        """The procedures that stand open, the oldest first; see docs/wire.md."""
        return [begun_as_json(run) for run in open_procedures(in_force(self._rulings))]

    def standing(self) -> list[desk.StandingProcedure]:
        """The procedures that the recorder has open."""
        return self._standing.as_json()

    def devices(self) -> dict[str, desk.Device]:
        """By device: the time and type of its newest message, and why it is lost, if it is."""
        return {name: cast("desk.Device", dict(state)) for name, state in self._devices.items()}

    def forget_device(self, device: str) -> None:
        """A device serves another table by now."""
        self._devices.pop(device, None)

    def log(self) -> desk.LogHead:
        """The head of the log: number and time of its newest row, and the code that proves it."""
        if self._last is None:
            return {"seq": 0, "at": 0, "code": ""}
        seq, at = self._last.seq, self._last.at
        return {"seq": seq, "at": at, "code": Anchor(seq, self._last.hash).code}

    def _observe(self, row: Row) -> None:
        device = row.device
        if row.type in _SAID_ALOUD:
            match row.says:
                case Observed(what=DeviceLost(device=device, reason=reason) as lost):
                    why = coded_text(reason, "device_lost")
                    self._devices.setdefault(device, {}).update(
                        lost=why,
                        floods=reason.code == "floods",
                        unheard=reason.code == "never_heard",
                    )
                    self._add(row, device_news_text(lost))
                case Observed(what=DeviceBack(device=device) as back):
                    self._devices.setdefault(device, {})["lost"] = None
                    self._add(row, device_news_text(back))
                case Observed(what=EventsMissing() as missing):
                    device = missing.device
                    self._miss(row, missing)
                case Observed(what=ClockDoubted(device=device) as doubt):
                    item = self._add(row, device_doubt_text(doubt))
                    item["facts"] = self._to_add(doubt)
                case Observed(what=TimeSet() | CameraDoubted() | CameraExchanged() as said):
                    self._at_table(row, said)
                case MessageRefused(code=code, fault=fault):
                    text = _line("fault" if code == "fault" else "refused", what=fault)
                    self._add(row, text)["refused"] = code
                    return
        if row.picture:
            self._pictures[row.seq] = {
                "row": row.seq,
                "device": device,
                "type": row.type,
                "frame": str(row.body["data"].get("frame", "")),
                "picture": row.picture,
            }
        self._hear(device, row)

    def _hear(self, device: str, row: Row) -> None:
        state = self._devices.setdefault(device, {})
        state.update(at=row.at, seq=row.seq, lost=state.get("lost"))
        if row.type == "board.not_seen" and isinstance(row.says, Observed):
            assert isinstance(row.says.what, BoardNotSeen)
            state["says"] = row.says.what.reason
        elif load_catalogue().has("device_event", did := plain_code(row.type)):
            state["says"] = load_catalogue().text("device_event", did)

    def _to_add(self, doubt: ClockDoubted) -> desk.Facts:
        """What to add to both players' clocks, if anything; for a button that sets them."""
        by_ms = (doubt.left_by_ms, doubt.right_by_ms)
        first, second = by_ms if self._left_player == 0 else by_ms[::-1]
        return {"first_by_ms": first, "second_by_ms": second} if any(by_ms) else {}

    def _clock_set(self, row: Row) -> None:
        """Once somebody has set the clock, earlier doubts of its times ask for nothing."""
        if isinstance(row.says, Observed) and not sets_clock(row.says.what):
            return
        for item in self._items.values():
            if item["type"] == "clock.doubt" and item["superseded_by"] is None:
                item["superseded_by"] = row.seq

    def _at_table(self, row: Row, said: TimeSet | CameraDoubted | CameraExchanged) -> None:
        match said:
            case TimeSet():
                self._add(row, time_set_text(said))
            case CameraDoubted(sees=sees):
                item = self._add(row, device_doubt_text(said))
                item["facts"] = {"table": self.table, "sees": sees}
            case CameraExchanged(device=device, table=table):
                self._add(row, _line("camera_exchanged", device=device, table=table))
                self._leave_out_looks(row, device)

    def _leave_out_looks(self, row: Row, device: str) -> None:
        """What a camera saw so far is of another table: its pictures go, and doubts of it end."""
        pictures = self._pictures.items()
        self._pictures = {seq: seen for seq, seen in pictures if seen["device"] != device}
        for item in self._items.values():
            if item["type"] == "camera.doubt" and item["superseded_by"] is None:
                item["superseded_by"] = row.seq

    def _miss(self, row: Row, missing: EventsMissing) -> None:
        """Of one boot the newest word counts; once all has come there is nothing to look at."""
        item = self._add(row, events_missing_text(missing))
        before = self._missing.pop((missing.device, missing.boot), None)
        if before is not None and before in self._items:
            self._items[before]["superseded_by"] = row.seq
        if missing.count:
            self._missing[missing.device, missing.boot] = row.seq
        item["missing"] = missing.count

    def _state(self, row: Row) -> None:
        says = row.says
        if isinstance(says, GameStarted):
            self._left_player = says.left_player
            self._texts = load_catalogue().of_game(says.players)
            if says.game != self._game:
                self._begin(says.game)
        item = self._add(row, _text(says, self._texts))
        match says:
            case Recorded(event=event, turn=turn):
                self._note(item, turn, (event,))
            case Corrected() as corrected:
                self._note(item, corrected.turn, corrected.events)
                item["supersedes"], item["reason"] = corrected.supersedes, corrected.reason.value
                item["adds"] = self._supersede(item, corrected)
            case NoticeGiven(notice=notice):
                item |= {
                    "group": notice.ref,
                    "notice": notice_as_json(notice, self._texts),
                    "player": notice.player,
                }
            case NoticeOver(row=over, group=group):
                item["group"] = group
                if over in self._items:
                    self._items[over]["superseded_by"] = row.seq
        item["pictures"] = [self._pictures[ref] for ref in row.refs if ref in self._pictures]
        self._of_turn.setdefault(item["group"], []).append(row.seq)

    def _note(self, item: Json, turn: TurnNote, events: Iterable[GameEvent]) -> None:
        """What a row says of its turn; each event gets the name under which an order finds it."""
        item["group"], item["log_odds"] = turn.group, turn.log_odds
        item["doubt"] = None if turn.doubt is None else doubt_json(turn.doubt, self._texts)
        item["facts"] = dict(turn.facts)
        item["facts_said"] = facts_in_words("turn_fact", turn.facts, self._texts)
        item["entries"] = [
            {"entry": item["seq"], "part": part, **event_json(event)}
            for part, event in enumerate(events)
        ]
        self._score(turn.ruled, events)
        item["orders"] = [
            dict(self._items[seq]["order"], row=seq)
            for seq in turn.ruled
            if "order" in self._items.get(seq, {})
        ]

    def _score(self, ruled: Iterable[int], events: Iterable[GameEvent]) -> None:
        """Orders that put plays in say what these have scored: that is worked out from them."""
        acts = {ruling.seq: ruling.order.act for ruling in self._rulings}
        events = tuple(events)
        for seq in ruled:
            act = acts.get(seq)
            if isinstance(act, Insert | Split) and seq in self._items:
                text = order_in_words(_as_scored(act, events), self._named())
                self._items[seq]["text"] = self._items[seq]["order"]["text"] = text

    def _named(self) -> Catalogue:
        """The texts of the game, its entries as what they are: a row's number is for programs."""
        items = cast("Iterable[desk.Item]", self._items.values())
        return self._texts.with_entries(words_of_entries(items))

    def _begin(self, game: str) -> None:
        """Another game is on: a new one, or one that was adjourned and goes on."""
        self._left[self._game] = _LeftStory(self._items, self._of_turn, self._rulings)
        self._left = dict(list(self._left.items())[-MOST_LEFT:])
        story = self._left.pop(game, _LeftStory())
        self._items, self._of_turn, self._rulings = story.items, story.of_turn, story.rulings
        self._game = game
        self._devices.clear()
        for row in story.later:
            self._take(row)

    def _supersede(self, item: Json, says: Corrected) -> bool:
        """A correction of a turn's first row stands for the turn; of another one, for that.

        Whether the turn reads as before, and only more was said of it.
        """
        turn = self._of_turn.get(says.turn.group, [])
        before = self._reads(turn)
        heads = [stood for stood in turn if self._items[stood].get("supersedes") == says.supersedes]
        for stood in (says.supersedes, *heads):
            if stood in self._items:
                self._items[stood]["superseded_by"] = item["seq"]
        return self._reads([*turn, item["seq"]]) == before

    def _reads(self, rows: Iterable[int]) -> set[tuple[int, str]]:
        """What those of the rows say that hold."""
        held = [item for item in map(self._items.__getitem__, rows) if not item["superseded_by"]]
        return {(entry["player"], entry["text"]) for item in held for entry in item["entries"]}

    def _order(self, row: Row) -> None:
        group = 0
        match row.says:
            case OrderRepeated() | EventOrdered():
                return
            case OrderRefused(id=name, who=who, reason=reason):
                text = _row_text("refused", why=coded_text(reason, "refusal", self._named()))
                order: Json = {"id": name, "who": who}
            case OrderCarriedOut() as says:
                carried_out, group = says.order.order, says.aim.group or 0
                self._rulings.append(Ruling.of(says, seq=row.seq, at_ms=row.at))
                earlier = {ruling.order.id: ruling.order.act for ruling in self._rulings}
                text = order_by_what_it_ends(carried_out.act, earlier, self._named())
                order = {"id": carried_out.id, "who": carried_out.who, "ends": carried_out.ends}
                if isinstance(carried_out.act, AdjustClock):
                    self._clock_set(row)
            case unreadable:
                self._add(row, _text(unreadable, self._texts))
                return
        item = self._add(row, text)
        item |= {"order": {**order, "type": row.type, "text": text}, "group": group}

    def _add(self, row: Row, text: str) -> Json:
        item: Json = {
            "seq": row.seq,
            "at": row.at,
            "received": row.received,
            "kind": row.kind.value,
            "type": row.type,
            "text": text,
            "player": _player(row.says),
            "refs": list(row.refs),
            "doubt": None,
            "log_odds": None,
            "superseded_by": None,
            "group": 0,
            "entries": [],
            "facts": {},
            "facts_said": [],
            "orders": [],
            "pictures": [],
        }
        self._items[row.seq] = item
        return item


def words_of_entries(items: Iterable[desk.Item]) -> dict[str, str]:
    """The entries of these items by their numbers, as a score sheet has them."""
    entries = (entry for item in items for entry in item["entries"])
    return {EntryName(held["entry"], held["part"]).number: held["text"] for held in entries}


def timeline(rows: Iterable[Row]) -> list[desk.Item]:
    """The director's items after these rows of one table, oldest first.

    Each has ``seq, at, received, kind, type, text, player, refs, doubt, log_odds, superseded_by``,
    and ``group`` (the turn), ``entries`` (the events of this row: ``entry`` and ``part`` as orders
    name them, ``type``, the event's fields, ``squares``, ``text``), ``facts``, ``facts_said`` in
    words, ``orders`` (those that shaped the turn) and ``pictures`` (of the looks it rests on). A
    doubt has ``reasons``, ``squares`` and ``candidates``: number, ``events``, ``text`` and
    ``log_odds`` of each, 0 being the one that stands; ``alternatives`` are the others. An order
    has ``order``: ``id``, ``who``, ``type``, ``text``, ``ends`` (the order that it ends) and
    ``in_force``. A correction ``adds`` where its turn reads as before, and more was said of it.
    """
    story: Timeline | None = None
    for row in rows:
        if story is None:
            story = Timeline(row.table)
        story.advance(row)
    return [] if story is None else story.items()


def _as_scored(act: Insert | Split, events: Iterable[GameEvent]) -> Insert | Split:
    """An order with the points that its plays have in the record."""
    plays = {
        (event.player, frozenset(event.laid)): event
        for event in events
        if isinstance(event, Played)
    }

    def scored(event: GameEvent) -> GameEvent:
        if not isinstance(event, Played):
            return event
        return plays.get((event.player, frozenset(event.laid)), event)

    if isinstance(act, Insert):
        return replace(act, event=scored(act.event))
    return replace(act, turns=tuple(map(scored, act.turns)))


def _text(says: Statement, texts: Catalogue) -> str:
    match says:
        case GameStarted(players=players, tile_set=tile_set):
            first, second = players
            text = _row_text("game", first=first, second=second, tile_set=tile_set)
        case Recorded(event=event):
            text = event_in_words(event)
        case Corrected(events=events):
            text = events_in_words(events) or _row_text("taken_out")
        case NoticeGiven(notice=notice):
            text = notice_text(notice, texts)
        case NoticeOver(row=row):
            text = _row_text("notice_over", row=row)
        case Unreadable(known=False, type=type_name):
            text = type_name
        case Unreadable(fault=fault):
            text = _row_text("unreadable", fault=fault)
        case _:
            text = ""
    return text


def _row_text(code: str, **values: PlainValue) -> str:
    return load_catalogue().text("row", code, **values)


def _line(code: str, **values: PlainValue) -> str:
    return load_catalogue().text("line", code, **values)


def _changes_game(item: Json) -> bool:
    return bool(item["entries"]) or "supersedes" in item


def _player(says: Statement) -> int | None:
    """Whose event or order it is, None where it is nobody's."""
    match says:
        case Recorded(event=event):
            return event.player
        case Corrected(events=(event, *_)):
            return event.player
        case OrderCarriedOut(order=TableOrder(order=order)):
            player = getattr(order.act, "player", None)
            return player if isinstance(player, int) else None
        case _:
            return None
