"""Why rows correct others, as codes; rows of earlier releases have a sentence for each."""

from collections.abc import Mapping
from typing import Annotated

from recorder.declared.field_types import converted, type_of_field
from recorder.domain.limits import AnyText
from recorder.domain.record import CorrectionReason

_SENTENCES: Mapping[str, CorrectionReason] = {
    "a later look settled the doubt": CorrectionReason.SETTLED,
    "later looks read this turn differently": CorrectionReason.READ_AGAIN,
    "it was announced at the table": CorrectionReason.ANNOUNCED,
    "recorded again: evidence that came late shows an earlier turn": CorrectionReason.MOVED,
    "later evidence shows that this did not happen": CorrectionReason.GONE,
    "ruled by a director": CorrectionReason.RULED,
    "an order of a director no longer counts": CorrectionReason.NO_LONGER_RULED,
    "follows from an order about an earlier turn": CorrectionReason.FOLLOWS,
    "there is something to decide about this turn": CorrectionReason.CONTESTED,
}
_CODES = {reason.value: reason for reason in CorrectionReason}


def _read(text: str) -> CorrectionReason:
    return _CODES.get(text) or _SENTENCES.get(text, CorrectionReason.OTHER)


CORRECTION_REASON = converted(
    type_of_field(Annotated[str, AnyText()]), _read, lambda reason: reason.value
)
