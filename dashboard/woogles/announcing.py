"""A broadcast made or updated from the event of a log, with its feed and slots."""

from collections.abc import Mapping
from dataclasses import replace

from dashboard.woogles.client import RefusedError, Woogles
from dashboard.woogles.mirror import Place, check_key
from recorder.domain.errors import NotationError
from recorder.woogles import shapes
from recorder.woogles.shapes import Broadcast

_KEPT = ("description", "poll_interval_seconds", "poll_start_time", "poll_end_time")


def announce(woogles: Woogles, wanted: Broadcast, slots: Mapping[str, Place]) -> list[str]:
    """Make the broadcast, or bring it up to date; what was done, by line.

    What the event does not say is kept where the broadcast is there already. Its feed is read at
    once. Raises NotationError, in a sentence, where the key's account may not.
    """
    said = []
    try:
        there = _there(woogles, wanted.slug)
        if there is None:
            woogles.ask(shapes.create_broadcast(wanted))
            said.append(f"broadcast {wanted.slug} is made")
        kept = {} if there is None else {name: getattr(there, name) for name in _KEPT}
        woogles.ask(shapes.update_broadcast(replace(wanted, active=True, **kept)))
        feed = wanted.broadcast_url
        said.append(f"broadcast {wanted.slug}: {wanted.name}, {wanted.lexicon}, {feed}")
        for name, place in slots.items():
            woogles.ask(shapes.create_slot(wanted.slug, name, place))
            woogles.ask(shapes.assign_slot(wanted.slug, name, place))
            division, number, table = place
            said.append(f"slot {name}: {division}, round {number}, table {table}")
        woogles.ask(shapes.trigger_poll(wanted.slug))
        said.append("the feed was read")
    except RefusedError as fault:
        check_key(woogles, fault)
        raise NotationError(_remedy(fault, wanted)) from fault
    return said


def _there(woogles: Woogles, slug: str) -> Broadcast | None:
    try:
        return shapes.read_broadcast(woogles.ask(shapes.get_broadcast(slug)))
    except RefusedError as fault:
        if fault.code == "not_found":
            return None
        raise


def _remedy(fault: RefusedError, wanted: Broadcast) -> str:
    if fault.method == "CreateBroadcast" and fault.code == "permission_denied":
        return "the key's account may make no broadcasts: ask Woogles for the role, or somebody"
    if fault.code == "permission_denied":
        return f"the key's account is not a director of {wanted.slug!r}: its director can add it"
    if fault.method == "TriggerPoll":
        feed = wanted.broadcast_url
        return f"Woogles cannot read the feed at {feed}: it must be open to the internet"
    return f"{fault}"
