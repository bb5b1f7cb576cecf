"""Procedures about the letters of blanks: not named in time, in dispute, left on the slip."""

from collections.abc import Iterator

from recorder.domain.board import Square, name_across, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.game import Laid, Played
from recorder.domain.notices import Notice, TableNotice
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.blanks.blanks import (
    LetterDispute,
    leftover_marks,
    missing_at_press,
    missing_in_record,
    settle_dispute,
)
from recorder.domain.standing_procedures import Settlement
from recorder.domain.tile_text import label_text, typed_letter
from recorder.domain.tiles import BLANK, as_blank

_UNNAMED = (Notice.BLANK_UNNAMED, Notice.BLANK_SPOKEN_ONLY, Notice.SLIP_UNCLEAR)


def find_unnamed_blanks(facts: TableFacts) -> Iterator[Found]:
    """The opponent asks for the letter: the clock stands, or was sent back (BLANK-2, TURN-6).

    Once the game is over the letter is only missing in the record.
    """
    press = facts.last_press
    if press is None:
        return
    sent_back = facts.table.clock.now.running == press.player
    for notice in facts.noticed(*_UNNAMED):
        asks = notice.ref == press.seq and (facts.stands or sent_back)
        asks = asks or facts.begun("blank_unnamed", notice.player)
        if notice.squares and asks:
            square, _ = parse_square(notice.squares[0])
            yield Found(
                code="blank_unnamed",
                procedure=(
                    missing_in_record(square)
                    if facts.game.is_over
                    else missing_at_press(facts.rules, square)
                ),
                group=notice.ref,
                player=notice.player,
                facts={"square": notice.squares[0]},
                since=notice.ref,
                settlements=_with_letter(facts, notice, square),
            )


def _with_letter(facts: TableFacts, notice: TableNotice, square: Square) -> tuple[Settlement, ...]:
    """The play with the letter that a director has said for the blank; none without one."""
    said = str(facts.said("blank_unnamed", notice.player).get("letter", ""))
    letter = as_blank(typed_letter(said, facts.state.tile_set))
    group = facts.group(notice.ref)
    plays = [event for event in group.events if isinstance(event, Played)] if group else []
    if not plays or letter is BLANK:
        return ()
    return (Settlement(letters=((square, letter),)),)


def find_disputes(facts: TableFacts) -> Iterator[Found]:
    """Which letter an unrecorded blank has (BLANK-5); the director's order says who claims what."""
    run = facts.open_run("blank_dispute")
    if run is None:
        return
    said = run.act.facts
    plays = [moment.event for moment in facts.moments if isinstance(moment.event, Laid)]
    blanks = [sq for play in plays for sq, tile in play.laid.items() if tile == BLANK]
    try:
        square = parse_square(str(said["square"]))[0] if "square" in said else blanks[-1]
    except (NotationError, IndexError):
        return
    laid = [play for play in plays if square in play.laid]
    if not laid:
        return
    owner = laid[-1].player
    on_turn = facts.on_turn
    found = settle_dispute(
        facts.rules,
        LetterDispute(
            square=square,
            owner=owner,
            on_move=1 - owner if on_turn is None else on_turn,
            owner_says=str(said.get("owner", "")),
            opponent_says=str(said.get("opponent", "")),
        ),
    )
    yield Found(
        code="blank_dispute",
        procedure=found,
        player=owner,
        facts={"square": name_across(square)},
        over=laid[-1].laid[square] != BLANK,
    )


def find_leftovers(facts: TableFacts) -> Iterator[Found]:
    """Letters of another game on the slip, until the first blank is laid (BLANK-8)."""
    for notice in facts.noticed(Notice.SLIP_LEFTOVER):
        letters = dict.fromkeys(
            label_text(blank.letter) for blank in facts.table.turns.said.slip.leftover
        )
        yield Found(
            code="slip_leftover",
            procedure=leftover_marks(facts.rules, letters),
            since=notice.ref,
            over=len(facts.table.turns.presses) > 1,
        )


LETTERS = (find_unnamed_blanks, find_disputes, find_leftovers)
