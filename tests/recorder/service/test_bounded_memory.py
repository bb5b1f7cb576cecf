"""Whatever others invent without end costs a fixed amount of memory, and nobody else's entries."""

from recorder.contiguity import Contiguity
from recorder.domain.row_kind import Kind
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow
from recorder.recent import MOST_BOOTS, ByBoot
from recorder.service.acknowledgements import Acknowledgements
from recorder.service.timekeeping import Times
from recorder.wire.control import Heartbeat

INVENTED = 10 * MOST_BOOTS


def beat(number: int) -> Heartbeat:
    return Heartbeat(boot=f"{number:08x}", t_ms=number, seq_high=9, outbox=1)


def test_a_device_that_invents_boots_drops_its_own_alone() -> None:
    """Another device's boot stays, and so does the one that is used."""
    kept = ByBoot[int]()
    kept["cam-1", "0badc0de"] = 7
    kept["clock-1", "0000abcd"] = 8
    for number in range(INVENTED):
        kept["cam-1", f"{number:08x}"] = number
        assert kept.get(("clock-1", "0000abcd")) == 8
    assert len(kept) == MOST_BOOTS + 1
    assert kept.get(("cam-1", "0badc0de")) is None


def test_heartbeats_of_ever_new_boots_cost_no_memory() -> None:
    """In none of the three places that go by a boot."""
    store, times = MemoryEventLog(), Times()
    bus = MemoryBus(MemoryBroker())
    answers = Acknowledgements("main", bus, store)
    for number in range(INVENTED):
        answers.heard("clock-1", beat(number), 10**12 + number, 10**12 + number)
        times.heard("clock-1", beat(number), 10**12 + number)
    assert len(answers._floors) == len(answers._said) == MOST_BOOTS
    assert len(times._arrivals) == MOST_BOOTS
    assert len(store._contiguity._boots) == MOST_BOOTS


def test_a_boot_that_was_forgotten_is_read_from_the_log_again() -> None:
    """Its events are acknowledged as before: none is asked for twice."""
    store = MemoryEventLog()

    def row(number: int) -> NewRow:
        key = ("clock-1", "0000abcd", number)
        return NewRow(table=1, game="", kind=Kind.OBSERVED, at=1, body={}, key=key)

    store.append([row(1), row(2), row(4)])
    for number in range(INVENTED):
        store.contiguous("clock-1", f"{number:08x}", floor=3)
    assert store.contiguous("clock-1", "0000abcd") == 2
    store.append([row(3)])
    assert store.contiguous("clock-1", "0000abcd") == 4
    numbers = Contiguity(lambda _dev, _boot: [1, 2, 4])
    assert numbers.missing("clock-1", "0000abcd", upto=4, after=0) == (3, 3, 1)
