"""The board against the record: what lies otherwise than agreed, and how it is put right.

PLACE-5 and PLACE-6. After the press no play may be shifted; the board of the last press is what is
restored. Letters that read otherwise can be misread: the director looks.
"""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.board import Board, Square, name_across
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.procedure import DIRECTOR, Procedure, Step
from recorder.domain.tiles import EMPTY, Tile, face


class DifferenceKind(StrEnum):
    """How a square differs from the record."""

    MISSING = "missing"
    MOVED = "moved"
    ADDED = "added"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A tile that lies otherwise than recorded.

    ``square`` is where the record has it (for ADDED: where it lies), ``tile`` the tile there by
    the record (for ADDED: the one seen). ``now`` is where a MOVED tile lies, ``seen`` what a
    CHANGED square shows.
    """

    kind: DifferenceKind
    square: Square
    tile: Tile
    now: Square | None = None
    seen: Tile = EMPTY


def differences(record: Board, seen: Board) -> tuple[Difference, ...]:
    """Everything that lies otherwise than recorded, square by square (PLACE-6).

    A tile gone here and the same tile new there is one that moved, when there is only one of each;
    blanks count as equal whatever their letters. Squares that only read another letter are CHANGED.
    """
    gone = [sq for sq in record.occupied() if not seen.has_tile(sq)]
    new = [sq for sq in seen.occupied() if not record.has_tile(sq)]
    moved = _moved(record, seen, gone, new)
    found = [
        Difference(DifferenceKind.MOVED, sq, record[sq], now=moved[sq])
        if sq in moved
        else Difference(DifferenceKind.MISSING, sq, record[sq])
        for sq in gone
    ]
    found += [
        Difference(DifferenceKind.ADDED, sq, seen[sq]) for sq in new if sq not in moved.values()
    ]
    found += [
        Difference(DifferenceKind.CHANGED, sq, record[sq], seen=seen[sq])
        for sq in record.occupied()
        if seen.has_tile(sq) and face(seen[sq]) != face(record[sq])
    ]
    return tuple(sorted(found, key=lambda difference: difference.square))


def _moved(
    record: Board, seen: Board, gone: list[Square], new: list[Square]
) -> dict[Square, Square]:
    faces_gone = Counter(face(record[sq]) for sq in gone)
    faces_new = Counter(face(seen[sq]) for sq in new)
    return {
        here: there
        for here in gone
        for there in new
        if face(record[here]) == face(seen[there])
        and faces_gone[face(record[here])] == faces_new[face(seen[there])] == 1
    }


def restore(
    record: Board, seen: Board, *, bag_gain: int | None = None, rack_gain: int | None = None
) -> Procedure:
    """How the board comes to lie as at the last press again (PLACE-5, PLACE-6).

    ``bag_gain`` and ``rack_gain``, how many tiles more than before are in the bag and on the racks
    together, help to say where a missing tile can be. Where a letter reads otherwise, or a
    tile lies there that nobody played, the director is asked first.
    """
    found = differences(record, seen)
    if not found:
        return Procedure("PLACE-6", coded("board_lies_recorded"))
    steps = tuple(step for difference in found if (step := _step(difference)) is not None)
    questions = [_question(difference) for difference in found if difference.kind in _ASK]
    if any(difference.kind is DifferenceKind.MISSING for difference in found):
        questions.append(_whereabouts(bag_gain, rack_gain))
    shifted = any(difference.kind is DifferenceKind.MOVED for difference in found)
    return Procedure(
        "PLACE-5" if shifted else "PLACE-6",
        coded("board_differs_from_record_places", found=len(found)),
        steps=steps,
        open_questions=tuple(questions),
    )


_ASK = {DifferenceKind.ADDED, DifferenceKind.CHANGED}


def _step(difference: Difference) -> Step | None:
    where = name_across(difference.square)
    match difference.kind:
        case DifferenceKind.MOVED if difference.now is not None:
            code = "restore_tiles"
            act = coded(
                "move_from_back",
                tile=str(difference.tile),
                square=name_across(difference.now),
                where=where,
            )
        case DifferenceKind.MISSING:
            code = "find_missing"
            act = coded("find_put_back", tile=str(difference.tile), where=where)
        case DifferenceKind.CHANGED:
            code = "restore_tiles"
            act = coded("if_swapped_put_back", tile=str(difference.tile), where=where)
        case _:
            return None
    return DIRECTOR(code, act, "PLACE-5", tiles=1, done_when=f"{where}={difference.tile}")


def _question(difference: Difference) -> CodedText:
    where = name_across(difference.square)
    if difference.kind is DifferenceKind.CHANGED:
        return coded(
            "record_reads", square=where, tile=str(difference.tile), seen=str(difference.seen)
        )
    return coded("tile_no_part_record_who", where=where, tile=str(difference.tile))


def _whereabouts(bag_gain: int | None, rack_gain: int | None) -> CodedText:
    """Where a missing tile can be, from the other counts (LOOSE-1)."""
    if bag_gain is None or rack_gain is None:
        return coded("where_missing_tile_floor_bag")
    if bag_gain > 0:
        return coded("bag_more_than_before_missing", bag_gain=bag_gain)
    if rack_gain > 0:
        return coded("racks_more_than_before_missing", rack_gain=rack_gain)
    return coded("bag_racks_before_missing_tile")
