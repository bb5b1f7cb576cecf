"""Who says a row of the record. Apart from what rows say, so that to look for some loads little."""

from enum import StrEnum


class Kind(StrEnum):
    """Who says it: a sensor, the recorder, a person, the recorder about an earlier row."""

    OBSERVED = "observed"
    RECORDED = "recorded"
    RULED = "ruled"
    CORRECTED = "corrected"
