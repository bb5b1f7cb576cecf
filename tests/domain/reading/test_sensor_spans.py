"""Parts of a turn in which there was one draw, of reports that leave them no time."""

from dataclasses import replace

from tests.domain.reading.test_tile_watch import laid


def test_a_scale_that_says_all_at_once_is_no_fault() -> None:
    """A part of which everything was said in one millisecond has no time, nor a lift in it."""
    table = laid()
    table.lift()
    table.weigh(82)
    table.rack(0, 5)
    table.weigh(86)
    table.weigh(80)
    first, *others = table.readings[-4:]
    table.readings[-4:] = [first, *(replace(said, at_ms=first.at_ms) for said in others)]
    table.watched()
