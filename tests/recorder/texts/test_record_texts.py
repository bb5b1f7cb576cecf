"""Every event and every order can be said, and nothing of it is left unsaid."""

from collections.abc import Mapping

from recorder.domain.game import (
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    Penalty,
    Unseen,
    Withdrawn,
)
from recorder.domain.orders import (
    Accept,
    Act,
    Challenged,
    CloseProcedure,
    Correct,
    Outcome,
    SetEndRacks,
    TurnKind,
)
from recorder.domain.tile_text import read_tiles
from recorder.texts import Catalogue, load_catalogue, values_of
from recorder.texts.record import event_in_words, order_in_words
from tests.recorder.wire.test_wire_orders import ACTS, HERE
from tests.recorder.wire.wire_samples import EVENTS

TEXTS = load_catalogue().as_json()
MORE_EVENTS: list[GameEvent] = [
    Unseen(1, (), turns=3, is_least=True),
    EndRackPoints(0, 9, read_tiles("")),
    EndRackPenalty(0, 9, read_tiles("")),
    Penalty(1, 50, ""),
    Withdrawn(0, 0),
]
MORE_ACTS: list[Act] = [
    Accept(entry=HERE, candidate=0),
    Correct(entry=HERE, kind=TurnKind.EXCHANGE),
    Correct(entry=HERE, kind=TurnKind.PASS),
    Correct(entry=HERE, kind=TurnKind.NO_PLAY, player=0),
    SetEndRacks(points=()),
    CloseProcedure(key="p-1", carried_out=True),
    Challenged(entry=HERE, outcome=Outcome.OFF),
    Challenged(entry=HERE, outcome=Outcome.STANDS),
]


class Strict(Catalogue):
    """Fails where a text is missing or names a value it does not get; keeps which were used."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]]) -> None:
        super().__init__(texts)
        self.used: set[tuple[str, str]] = set()

    def text(self, section: str, code: str, **values: int | str) -> str:
        """As the catalogue, and never without a text."""
        assert values_of(TEXTS[section][code]) <= values.keys(), (section, code)
        self.used.add((section, code))
        return super().text(section, code, **values)


def test_all_events_and_orders_are_said_and_no_text_is_said_by_none() -> None:
    """Of every type of the wire, with and without what may be unknown."""
    strict = Strict(TEXTS)
    for event in [*EVENTS, *MORE_EVENTS]:
        assert event_in_words(event, strict)
    for act in [*ACTS, *MORE_ACTS]:
        assert order_in_words(act, strict)
    for section in ("event", "order", "change"):
        unused = {code for code in TEXTS[section] if (section, code) not in strict.used}
        assert unused <= {"none"}
