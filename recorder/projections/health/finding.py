"""One list of what is wrong at a venue: what each cause is, and what helps.

All who say how a venue is read it: ``tilecast venue``, ``status`` and ``doctor``, the director's
page, ``/healthz``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from recorder.projections.health.device_health import DeviceHealth, HealthGrade, VenueHealth
from recorder.texts import load_catalogue
from recorder.texts.telling import coded_text
from recorder.wire.control import Presence


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, how it is, what is wrong and what helps.

    ``words``: the cause, a colon, what helps. Anybody may read the cause: it has no path and no
    address.
    """

    what: str
    grade: HealthGrade
    words: str

    @property
    def line(self) -> str:
        """What is wrong with what, and what helps."""
        return f"{self.what}: {self.words}"

    @property
    def cause(self) -> str:
        """What is wrong with what, and no more."""
        return f"{self.what}: {self.words.partition(':')[0]}"


def ill(what: str, words: str) -> Finding:
    """Something that keeps the venue from its work."""
    return Finding(what, HealthGrade.ILL, words)


def _text(code: str, **values: str) -> str:
    return load_catalogue().text("finding", code, **values)


def health_found(health: VenueHealth) -> Iterator[Finding]:
    """What was heard, the broker and the recorder first; of a silent broker nothing else."""
    if health.broker:
        yield ill("broker", _text("broker_silent", fault=health.broker))
        return
    recorder = health.recorder
    if recorder is None:
        yield ill("recorder", _text("no_recorder"))
    elif recorder.state is not Presence.READY:
        yield ill("recorder", _text("recorder_gone", state=recorder.state.value))
    elif recorder.fault:
        yield ill("recorder", recorder.fault)
    if recorder is not None and recorder.warning:
        warning = coded_text(recorder.warning, "log_warning")
        yield Finding("log", HealthGrade.WEAK, warning)
    yield from map(device_found, health.devices)


def device_found(found: DeviceHealth) -> Finding:
    """The verdict on one device."""
    words = f"{found.said}: {found.remedy}" if found.remedy else found.said
    return Finding(found.device.name, found.grade, words)
