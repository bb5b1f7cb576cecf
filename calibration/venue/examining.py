"""What is wrong with a venue's files, folders, broker and devices, each with what helps.

Everything is tried out on the spot. A camera or a port that an agent has is not touched: what the
agent says of it is taken.
"""

import secrets
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import urlsplit

from calibration.venue.checks import Place, files_found
from devices.agent_process.ticks import agent_ticks
from devices.cameras.complaint import camera_complaint
from devices.link.complaint import port_complaint
from recorder.bus.broker import serves
from recorder.bus.carrying import Caller, carries
from recorder.bus.mqtt import takes
from recorder.bus.refusal import why_refused
from recorder.commands.trials.doctor import Doctor
from recorder.commands.trials.doctor import Grade as _Promise
from recorder.projections.health.device_health import HealthGrade as Grade
from recorder.projections.health.device_health import VenueHealth
from recorder.projections.health.finding import Finding, device_found, ill
from recorder.service.venue_file import BROKERS
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

ANSWER_S = 10.0


def examine(
    place: Place, health: VenueHealth | None, answer_s: float = ANSWER_S
) -> Iterator[Finding]:
    """Every finding, as soon as it is made; ``health`` is what was heard, None where nobody was.

    Of what is at fault by the files already nothing is tried out.
    """
    known: set[str] = set()
    for found in files_found(place):
        known |= {found.what} if found.grade is Grade.ILL else set()
        yield found
    if place.programs is not None and not serves(place.programs.broker.port):
        yield ill("broker", "it does not run: start it with tilecast venue")
    else:
        tried = [(who, url) for who, url in place.brokers if f"broker for {who}" not in known]
        refused = len(tried) < len(place.brokers)
        for who, url in tried:
            if url not in BROKERS:
                cause = why_refused(url, who, answer_s)
                refused = refused or bool(cause)
                words = f"{urlsplit(url).hostname}: {cause}" if cause else "well"
                yield Finding(f"broker for {who}", Grade.ILL if cause else Grade.WELL, words)
        if not refused:
            yield from (found for found in _rights(place, answer_s) if found.what not in known)
            yield from _promises(place)
    yield from devices_found(place, health)


def _rights(place: Place, answer_s: float) -> Iterator[Finding]:
    record = place.record
    recorder = None
    if record is not None and record.broker not in BROKERS:
        recorder = Caller(record.broker, record.plan.recorder)
    for _, agent in place.agents:
        for device in agent.devices:
            topic = str(Up(agent.venue, device.name, UpChannel.RAW, "doctor"))
            if takes(agent.broker_url, device.name, topic, answer_s) is False:
                words = f"the broker drops what {device.name} says in venue {agent.venue}: its"
                words += " access list forbids it; are both names those in it? Restart the broker"
                words += " after a change (tilecast init writes a list)"
                yield Finding(f"rights of {device.name}", Grade.ILL, words)
            elif recorder is not None:
                name, caller = device.name, Caller(agent.broker_url, device.name)
                yield from _hearing(recorder, caller, agent.venue, name, answer_s)


def _hearing(
    recorder: Caller, device: Caller, venue: str, name: str, answer_s: float
) -> Iterator[Finding]:
    """Whether the device hears the recorder, and the recorder the device: tried by a question.

    On channels of consoles, where neither says anything to the other in a game.
    """
    payload = f"doctor-{secrets.token_hex(8)}".encode()
    down, up = str(Down(venue, name, DownChannel.ANSWER)), str(Up(venue, name, UpChannel.ASK))
    for speaker, listener, topic, who in (
        (recorder, device, down, name),
        (device, recorder, up, "the recorder"),
    ):
        if not carries(speaker, listener, topic, payload, answer_s / 2):
            place = topic.rpartition("/")[0] + "/#"
            words = f"{who} does not hear what is said to it: the broker's access list forbids it"
            words += f" to read {place}; allow it there, and restart the broker (tilecast init"
            words += " writes a list)"
            yield Finding(f"hearing of {name}", Grade.ILL, words)


def _promises(place: Place) -> Iterator[Finding]:
    """What the broker does not give of what it should."""
    if place.doctor and place.record is not None:
        doctor = Doctor(place.doctor, place.record.plan.venue, lambda _: None)
        doctor.examine()
        for check in doctor.checks:
            if check.grade in (_Promise.WEAK, _Promise.BAD):
                grade = Grade.ILL if check.grade is _Promise.BAD else Grade.WEAK
                yield Finding(check.what, grade, check.words)


def devices_found(place: Place, health: VenueHealth | None) -> Iterator[Finding]:
    """How each device is: as it was heard, else as its camera or port is found on the spot."""
    heard = {} if health is None else {each.device.name: each for each in health.devices}
    local: dict[str, Callable[[], str]] = {}
    for _, agent in place.agents:
        for device in agent.devices:
            if port := getattr(device, "port", ""):
                local[device.name] = partial(port_complaint, port)
            if source := getattr(device, "source", ""):
                local[device.name] = partial(camera_complaint, source, agent_ticks())
    for name in dict.fromkeys([*heard, *local]):
        known = heard.get(name)
        is_held = known is not None and (known.grade is Grade.WELL or known.waiting is not None)
        complaint = "" if is_held or name not in local else local[name]()
        if complaint:
            yield ill(name, complaint)
        else:
            yield Finding(name, Grade.WELL, "well") if known is None else device_found(known)
