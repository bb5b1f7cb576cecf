"""Why two players meet, and why who moves first does, in the words of a catalogue."""

from collections.abc import Mapping

from recorder.domain.event.next_round import TablePair
from recorder.texts import Catalogue, load_catalogue


def why_paired(
    pair: TablePair, names: Mapping[int, str], catalogue: Catalogue | None = None
) -> str:
    """The reasons of a pair in a line; ``names`` of all players by their numbers."""
    values = dict(pair.why.values)
    if "high" in values:
        values["high"] = names[int(values["high"])]
    for key in ("met", "kept"):
        if key in values:
            numbers = (int(word) for word in str(values[key]).split())
            values[key] = "; ".join(f"{number} {names[number]}" for number in numbers)
    texts = catalogue or load_catalogue()
    starts = texts.text("starts", pair.starts_by, name=names[pair.first])
    return f"{texts.text('pairing', pair.why.code, **values)}; {starts}"
