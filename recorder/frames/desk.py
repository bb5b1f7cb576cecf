"""What directors see: the model of a table, incidents, orders and their answers."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from recorder.frames.kinds import Maybe, PlainValue
from recorder.frames.public import Frame, Line, Player, TableFrame

Facts = dict[str, PlainValue]


class StandingStep(TypedDict):
    """A step of a procedure that stands open; `by` is the player who acts, null for others."""

    code: str
    who: str
    actor: str
    """Who acts, in words."""
    by: Player | None
    act: str
    rule: str
    tiles: int | None
    seconds: int | None
    done: bool
    until_ms: int | None
    """When its time is over, null until a director lets it run."""
    is_timed: bool
    """Whether the seconds are time to act in."""


class StandingProcedure(TypedDict):
    """A procedure that the recorder has open (recorder/projections/standing_procedures.py)."""

    key: str
    code: str
    title: str
    rule: str
    group: int
    player: Player | None
    facts: Facts
    facts_said: list[str]
    steps: list[StandingStep]
    until_ms: int | None
    """When the time that is allowed now is over."""
    says: bool
    """Whether a director can say more of it than the record has."""
    questions: list[str]
    director: str
    row: int
    """The row that began it; `at`: when."""
    at: int


class OpenProcedure(TypedDict):
    """A procedure that a director has begun and not closed; `code` names the incident.

    `done` are places of steps; `row`, `at` and `who` of its beginning.
    """

    key: str
    code: str
    title: str
    notice: int | None
    """The row of the notice behind it."""
    facts: Facts
    steps: int
    done: list[int]
    text: str
    rule: str
    row: int
    at: int
    who: str


class Signature(TypedDict):
    """A signature of the result; `stale` when the game changed after it."""

    order: str
    row: int
    at: int
    who: str
    stale: bool


class SensedRack(TypedDict):
    """`letters` is empty where tiles are only counted; `doubtful` are places from 1."""

    count: int
    at: int
    letters: str
    doubtful: list[int]


class SensedBag(TypedDict):
    """Without `tiles` and their `probability` where the weight fits no number."""

    at: int
    tiles: Maybe[int]
    probability: Maybe[float]


class Picture(TypedDict):
    """`picture` is the name of its content, `row` the row of the look that was made of it."""

    row: int
    device: str
    type: str
    frame: NotRequired[str]
    picture: str


class NewPicture(Picture):
    at: int


class Senses(TypedDict):
    """What sensors said last (dashboard/live/sensor_state.py)."""

    racks: list[SensedRack | None]
    typed: list[SensedRack | None]
    """By a person, until the player's press."""
    bag: Maybe[SensedBag]
    pictures: list[NewPicture]


class Device(TypedDict):
    says: NotRequired[str]
    """What it did last, or why its camera sees no board."""
    at: int
    seq: int
    lost: Maybe[str]
    """Why it is not heard any more, or not in full."""
    floods: NotRequired[bool]
    """Whether that is because it sends too much."""
    unheard: NotRequired[bool]
    """Whether it has never been heard: it is expected, and not lost."""


class EventFields(TypedDict):
    """An event as a page shows it, with the fields of its type."""

    type: str
    player: Player
    squares: list[str]
    text: str
    position: NotRequired[str]
    word: NotRequired[str]
    laid: NotRequired[dict[str, str]]
    """Tiles by square of a laying against the rules; `faults`: what was wrong with it."""
    faults: NotRequired[list[str]]
    lifted: NotRequired[list[str]]
    """What came off again."""
    turns: NotRequired[int]
    """How many turns nobody saw."""
    score: NotRequired[int]
    rack: NotRequired[str]
    count: NotRequired[int]
    tiles: NotRequired[str]
    points: NotRequired[int]
    reason: NotRequired[str]
    margin: NotRequired[int]
    how: NotRequired[str]


class Entry(EventFields):
    """An event with the name under which an order finds it."""

    entry: int
    part: int


class Candidate(TypedDict):
    candidate: int
    log_odds: float | None
    text: str
    events: list[EventFields]


class Alternative(TypedDict):
    text: str
    log_odds: float | None


class Doubt(TypedDict):
    reasons: list[str]
    codes: list[str]
    squares: list[str]
    alternatives: list[Alternative]
    """The readings beside the one that stands."""
    candidates: list[Candidate]
    """All readings; 0 is the one that stands."""


class Notice(TypedDict):
    """What the rules want said or shown of something that was noticed (projections/notices.py)."""

    code: str
    text: str
    player: Player | None
    begins: str
    evidence: list[str]
    squares: list[str]
    numbers: Facts
    director: str
    manner: str
    players: bool
    rule: str
    why: str
    open_questions: list[str]


class GivenOrder(TypedDict):
    """`ends` is the order that it ends. A refused order has neither that nor any force."""

    id: str
    who: str
    type: str
    text: str
    ends: NotRequired[str]
    in_force: NotRequired[bool]


class NumberedOrder(GivenOrder):
    row: int


class Item(TypedDict):
    """A statement of the record, a message of a device or an order (projections/timeline.py)."""

    seq: int
    at: int
    received: int
    """When the recorder had it: the delay of the public counts from there."""
    kind: Literal["observed", "recorded", "ruled", "corrected"]
    type: str
    text: str
    player: Player | None
    refs: list[int]
    doubt: Doubt | None
    log_odds: float | None
    superseded_by: int | None
    group: int
    entries: list[Entry]
    facts: dict[str, object]
    facts_said: list[str]
    orders: list[NumberedOrder]
    pictures: list[Picture]
    notice: NotRequired[Notice]
    refused: NotRequired[str]
    """Why a message was not taken; `fault`: it was, and the record cannot be folded with it."""
    missing: NotRequired[int]
    """How many events of a device never came, where the line is about that."""
    settled: NotRequired[bool]
    """A ruling says of that line that it needs nobody any more."""
    order: NotRequired[GivenOrder]
    supersedes: NotRequired[int | None]
    reason: NotRequired[str]
    adds: NotRequired[bool]
    """A correction by which its turn reads as before: something was said of it."""


class FoldFault(TypedDict):
    row: int
    table: int
    device: str
    at: int


class LogHead(TypedDict):
    """The newest row: its number, its time, and the code that proves it."""

    seq: int
    at: int
    code: str


class LogState(LogHead):
    faults: list[FoldFault]
    """Rows of this game that could not be folded: which, of which device, since when."""
    broken: Maybe[int]


class Need(TypedDict):
    """What a director is asked or shown (recorder/projections/needs.py)."""

    key: str
    """Stays while it is open."""
    kind: str
    code: str
    severity: int
    """How soon it must be looked at: 0 first."""
    asks: bool
    """Whether it waits for a decision."""
    players: bool
    """Whether the players are informed too."""
    mark: str
    text: str
    remedy: str
    """`{time}` in it stands for the time of `at`."""
    facts: Facts
    steps: list[int]
    """How many are done, and how many there are."""
    at: int
    row: int | None
    """The line of the timeline behind it."""
    procedure: str
    """The key of a procedure that is open about it."""
    begins: str
    """The procedure that follows from it."""
    instead: str
    """The procedure that follows from what is as likely."""
    instead_named: str


class OnAir(TypedDict):
    """What the public has: up to which row, and how late."""

    seq: int
    ahead: list[int]
    """Later rows that are public already: they put right what is."""
    delay_ms: int


class DeskModel(TypedDict):
    frame: Maybe[Frame]
    sheet: list[Line]
    senses: Senses
    rules: str
    signatures: list[Signature | None]
    procedures: list[OpenProcedure]
    standing: list[StandingProcedure]
    timeline: list[Item]
    devices: dict[str, Device]
    log: LogState
    needs: list[Need]
    air: NotRequired[OnAir]
    """Not of a game that is over for good."""


class Glance(TypedDict):
    """One table among all (dashboard/web/director.py)."""

    table: int
    frame: Maybe[TableFrame]
    needs: list[Need]
    devices: dict[str, Device]
    log: LogState


class Moment(TypedDict):
    """The table as it stood after a row (dashboard/live/sensor_state.py)."""

    seq: int
    at: int
    frame: Maybe[Frame]
    sheet: list[Line]
    senses: Senses


class Act(TypedDict):
    """What an order does; `supersedes` names an order that it replaces."""

    type: str
    data: dict[str, Any]
    supersedes: NotRequired[str]


class CodedText(TypedDict):
    """A code with the values that its text names, and the text."""

    code: str
    values: Facts
    text: str


class Answer(TypedDict):
    state: Literal["accepted", "refused", "waiting"]
    row: int | None
    reason: CodedText | None
    waiting: int


class BothTotals(TypedDict):
    before: list[int]
    after: list[int]


class ChangedTurn(TypedDict):
    entries: list[str]
    before: list[Line]
    after: list[Line]
    doubts: list[CodedText]


class OrderPreview(TypedDict):
    """What an order would change (recorder/table/order_rows.py)."""

    ok: bool
    reason: CodedText | None
    totals: BothTotals
    changes: list[ChangedTurn]


class DeviceVerdict(TypedDict):
    """How a device is that a recorder expects; `remedy` is empty where nothing is wrong."""

    name: str
    role: str
    table: int
    grade: Literal["well", "weak", "ill"]
    code: str
    says: str
    remedy: str
    version: str
    delay_ms: int | None
    waiting: int | None
    picture: str


class RecorderState(TypedDict):
    """What a recorder last said of itself; `version` is empty where it does not say.

    `fault` is what keeps it from recording now, `warning` what a director must know of its log.
    """

    name: str
    state: str
    version: str
    fault: str
    warning: str


class OverlayHealth(TypedDict):
    """An open overlay page (dashboard/live/health.py); `fps` is null while nothing moves."""

    slot: str
    scene: str
    table: int
    seq: int
    behind: bool
    fps: int | None
    shown: bool
    racks: bool
    obs: bool
    since: int
    age_ms: int
    stale: bool


class JoinPlace(TypedDict):
    """What a device that asks to join may become: `page` is clock, pad or result."""

    table: int
    page: str


class JoiningDevice(TypedDict):
    """A device without a key that asks to join (dashboard/web/joining.py); `number` is on it."""

    number: str
    kind: Literal["phone", "clock"]
    name: str
    address: str
    presses: int
    places: list[JoinPlace]


class DeskState(TypedDict):
    """Whether orders can be given, and which overlays are open."""

    who: str
    orders: bool
    connected: bool
    reason: str
    waiting: int
    pictures: bool
    overlays: list[OverlayHealth]
    devices: list[DeviceVerdict]
    joining: list[JoiningDevice]
    version: str
    recorders: list[RecorderState]
    faults: list[str]
    """What is wrong at the venue, and what helps; devices say it themselves."""
    time_of_day: str
    """At the dashboard's machine, with its zone, as ISO 8601 has it."""


class LogRow(TypedDict):
    """A row of the log as directors read it (dashboard/live/views.py)."""

    seq: int
    body: Any
    kind: NotRequired[str]
    at: NotRequired[int]
    refs: NotRequired[list[int]]
    hash: NotRequired[str]
    board: NotRequired[list[str]]
    """A look at the board, written out as 15 rows."""


class IncidentField(TypedDict):
    name: str
    label: str
    type: Literal["text", "number", "select", "check"]
    value: str | bool
    hint: NotRequired[str]
    options: NotRequired[list[list[str]]]
    player: NotRequired[bool]
    """Whether the options are the two players."""


class Incident(TypedDict):
    """An incident with its form (dashboard/incidents/begun.py)."""

    begins: NotRequired[bool]
    """Whether the recorder works it out once begun, and the page only says what is missing."""
    name: str
    title: str
    fields: list[IncidentField]


class PlanOrder(TypedDict):
    label: str
    act: Act


class Plan(TypedDict):
    title: str
    rule: str
    way: str
    player: Player | None
    """Whom "player" means in the steps."""
    numbers: Annotated[list[list[object]], "[name: string, value: unknown][]"]
    questions: list[str]
    orders: list[PlanOrder]
    alternatives: list["Plan"]
    ruling: str
    goes_on: NotRequired[bool]
    """Whether the procedure stands open still once this is recorded."""


class MirrorDifference(TypedDict):
    """Where a game and its mirror differ; `choices` are what a director can do about it."""

    key: str
    what: str
    ours: str
    theirs: str
    turn: int
    choices: list[str]


class JournalLine(TypedDict):
    at: int
    what: str


class Mirror(TypedDict):
    """A game that is mirrored to a service, and how that is (dashboard/woogles/kept.py)."""

    service: str
    game: str
    table: int
    players: list[str]
    state: Literal["begins", "behind", "in_step", "waits", "differs", "away", "stopped"]
    text: str
    site: str
    sent: int
    turns: int
    since: int
    difference: MirrorDifference | None
    journal: list[JournalLine]
    needs: list[Need]
