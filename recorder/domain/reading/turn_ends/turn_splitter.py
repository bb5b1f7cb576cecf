"""Turns divided without a clock: by who reached over the board, and by what came and went.

Tiles that come while the same player reaches are one turn, as long as they are one play; tiles that
the other player brings begin the next. Tiles that came off before the other player's came were a
play taken back; if the same player lays others, they were only moved. Looks that cannot go on from
the board so far (replays, other tables) are left out. A press of a clock is the better witness:
nothing here is asked where one speaks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from recorder.domain.board import col_of, row_of
from recorder.domain.instruments import MOST_REACHES, PictureEdge
from recorder.domain.laying_faults import can_be_two_plays, shape_faults
from recorder.domain.notices import CodedText, coded
from recorder.domain.reading.histories.hypotheses import LookKind
from recorder.domain.reading.looks import STOOD_MS
from recorder.domain.reading.turn_ends.first_mover import FIRST_OR_SECOND, doubts_of_first
from recorder.domain.reading.turn_ends.off_board_looks import LEFT_OUT, OffBoardLooks
from recorder.domain.reading.turn_ends.split_looks import (
    SplitLook,
    SplitTurn,
    Squares,
    TilesLaid,
)
from recorder.domain.reading.turn_ends.unseen_turn_pairs import pause_before
from recorder.domain.tiles import RACK_SIZE

MOST_MISSING = 1
"""More tiles missing than this, and the look is not of this board as it is."""
UNSEEN = coded("turn_between_unseen")
"""The doubt of a turn that showed on no board, and of the one after it."""

Seats = Mapping[PictureEdge, int]
"""The player who reaches in from an edge of the picture; edges that are nobody's are not in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSplitter:
    """Looks divided so far.

    ``seats`` are given, or (``learns``) found out as tiles come: an edge is that of the player
    whose tiles come from it first; another one is then the other's. ``first_known``: somebody said
    from which edge the first player reaches in. ``turns`` are over;
    ``left_out`` names the looks that were of something else, ``astray`` those since a look that
    was not; ``bare`` names the last look at the empty board before the first tiles.
    ``arms`` came into the picture since tiles last came or went, a turn was said or the first look
    was taken: ``changed_ms``; ``is_hidden`` if a look since then was left out.
    """

    seats: Seats = field(default_factory=lambda: MappingProxyType({}))
    learns: bool = False
    first_known: bool = False
    turns: tuple[SplitTurn, ...] = ()
    left_out: tuple[int, ...] = ()
    astray: OffBoardLooks | None = None
    bare: int | None = None
    board: Squares = frozenset()
    laid: TilesLaid | None = None
    lifted: tuple[TilesLaid, SplitLook] | None = None
    last: int | None = None
    changed_ms: int | None = None
    arms: tuple[PictureEdge, ...] = ()
    is_hidden: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether no tile of the game has been seen yet."""
        return not self.board and not self.turns and self.laid is None

    @property
    def faces(self) -> bool:
        """Whether both players reach in from edges that face each other, or were given."""
        return not self.learns or {*self.seats} in (
            {PictureEdge.LEFT, PictureEdge.RIGHT},
            {PictureEdge.TOP, PictureEdge.BOTTOM},
        )

    @property
    def on_turn(self) -> int:
        """Whose tiles lie there since the last turn, or the player who comes after it."""
        if self.laid is not None:
            return self.laid.player
        return 0 if self.last is None else 1 - self.last

    @property
    def looks_needed(self) -> frozenset[int]:
        """The looks that a later turn may still name."""
        needed = {self.turns[-1].look} if self.turns else set()
        if self.laid is not None:
            needed |= {self.laid.look.ref, (self.laid.whole or self.laid).look.ref}
            needed |= {self.laid.unseen.look} if self.laid.unseen is not None else set()
        if self.is_empty and self.bare is not None:
            needed.add(self.bare)
        if self.lifted is not None:
            needed |= {self.lifted[0].look.ref, self.lifted[1].ref}
            needed |= {self.lifted[0].unseen.look} if self.lifted[0].unseen is not None else set()
        return frozenset(needed)

    def without_play(self, player: int, *, ref: int, at_ms: int) -> "TurnSplitter":
        """The same where a player on turn says that it is one without a play.

        That ends the other player's, if tiles of it lie there. Nothing where it is not theirs.
        """
        division = self if self.laid is None or self.laid.player == player else _committed(self)
        if division.laid is not None or division.lifted is not None:
            return self
        before = division.turns[-1].look if division.turns else division.bare
        if before is None or division.on_turn != player:
            return self
        quiet = SplitTurn(ref=ref, look=before, at_ms=at_ms, kind=LookKind.PRESS, player=player)
        turns = (*division.turns, quiet)
        return replace(
            division, turns=turns, last=player, changed_ms=at_ms, arms=(), is_hidden=False
        )

    def standing(self, now_ms: int) -> tuple[SplitTurn, ...]:
        """What is taken for a turn by now, though no other has begun: it may still change.

        Tiles that lay for ten seconds, or over which the other player has reached since; where
        they came off again, with their withdrawal.
        """
        laid, until_ms = self.laid, now_ms
        if self.lifted is not None:
            laid, off = self.lifted
            until_ms = off.at_ms
        if laid is None or not (laid.interrupted or until_ms - laid.since_ms >= STOOD_MS):
            return ()
        return self.ended().turns[len(self.turns) :]

    def ended(self) -> "TurnSplitter":
        """The same where no look comes after."""
        division = _committed(self)
        return division if division.lifted is None else _withdrawn(division)


def divide(division: TurnSplitter, look: SplitLook) -> TurnSplitter:
    """One more look."""
    before = division.laid.squares if division.laid is not None else frozenset()
    new = (look.tiles - division.board) | (before - look.bare)
    missing = division.board & look.bare
    if len(missing) > MOST_MISSING or len(new - before) > 2 * RACK_SIZE:
        astray = (division.astray or OffBoardLooks(look, missing)).with_one_more(missing)
        if astray.were_slips(look, missing, division.turns):
            board = division.board - missing
            return _doubted(divide(replace(division, board=board, astray=None), look), LEFT_OUT)
        left_out = (*division.left_out, look.ref)
        return replace(division, left_out=left_out, astray=astray, is_hidden=True)
    division = replace(division, astray=None, arms=(*division.arms, *look.arms)[-MOST_REACHES:])
    comes = bool(new - before)
    if comes and (division.is_empty or division.seats):
        division = _learned(division, look, 1 - next(iter(division.seats.values()), 1))
    player = _player(division, look)
    division = _heard(division, look)
    after = _weighed(division, look, new, player)
    if new != before or after.changed_ms is None:
        after = replace(after, changed_ms=look.at_ms, arms=(), is_hidden=False)
    if comes and not after.seats and after.laid is not None:
        after = _learned(after, look, after.laid.player)
    return after


def _doubted(division: TurnSplitter, doubt: CodedText) -> TurnSplitter:
    laid = division.laid
    return replace(division, laid=laid and replace(laid, doubts=(*laid.doubts, doubt)))


def _weighed(
    division: TurnSplitter, look: SplitLook, new: Squares, player: int | None
) -> TurnSplitter:
    before = division.laid.squares if division.laid is not None else frozenset()
    laid = division.laid
    if new == before:
        return _stays(division, look, player)
    if laid is None:
        return _first(division, look, new, player)
    if new > before:
        return _more(division, laid, look, new, player)
    if new < before:
        return _fewer(division, laid, look, new)
    return _others(division, laid, look, new, player)


def _learned(division: TurnSplitter, look: SplitLook, player: int) -> TurnSplitter:
    """The same with the edge from which the tiles of a look came as that of a player."""
    clear = [edge for edge in look.reached if edge is not PictureEdge.UNCLEAR]
    seats = division.seats
    if not division.learns or not clear or clear[-1] in seats or player in seats.values():
        return division
    return replace(division, seats=MappingProxyType({**seats, clear[-1]: player}))


def _player(division: TurnSplitter, look: SplitLook) -> int | None:
    clear = [division.seats[edge] for edge in look.reached if edge in division.seats]
    return clear[-1] if clear else None


def _heard(division: TurnSplitter, look: SplitLook) -> TurnSplitter:
    """Note whether the other player reached in while tiles lay there."""
    laid = division.laid
    if laid is None or 1 - laid.player not in [division.seats.get(e) for e in look.reached[:-1]]:
        return division
    return replace(division, laid=replace(laid, interrupted=True))


def _stays(division: TurnSplitter, look: SplitLook, player: int | None) -> TurnSplitter:
    laid = division.laid
    if laid is None:
        return replace(division, bare=look.ref) if division.is_empty else division
    if player is not None and player != laid.player:
        laid = replace(laid, interrupted=True)
    if look.covered <= laid.look.covered:
        laid = replace(laid, look=look)
    return replace(division, laid=laid)


def _first(
    division: TurnSplitter, look: SplitLook, new: Squares, player: int | None
) -> TurnSplitter:
    """Tiles where there were none of this turn: a new play, or after one that came off."""
    doubts: tuple[CodedText, ...] = ()
    if division.lifted is not None:
        lifted, off = division.lifted
        stood_ms = off.at_ms - lifted.since_ms
        if new == lifted.squares and player in (None, lifted.player):
            return replace(division, laid=replace(lifted, look=look), lifted=None)
        is_same = None if player is None else player == lifted.player
        if is_same is False or (is_same is None and stood_ms >= STOOD_MS):
            division = _withdrawn(division)
        division = replace(division, lifted=None)
        if is_same is not False:
            doubts = tuple(doubt for doubt in lifted.doubts if doubt == FIRST_OR_SECOND)
            if stood_ms >= STOOD_MS:
                doubts = (*doubts, coded("taken_back_or_moved", seconds=stood_ms // 1000))
    return _lay(division, look, new, player, doubts)


def _more(
    division: TurnSplitter, laid: TilesLaid, look: SplitLook, new: Squares, player: int | None
) -> TurnSplitter:
    """More tiles than before: the same play goes on, or the next has begun."""
    if laid.whole is not None and laid.whole.squares <= new:
        # Those that had come off were only hidden.
        laid = laid.whole
        division = replace(division, laid=laid)
        if laid.squares == new:
            return _stays(division, look, player)
    is_same = None if player is None else player == laid.player
    is_one_play = not shape_faults(division.board, new)
    one_or_two = coded("one_turn_or_two")
    if is_same is None:
        is_soon = look.at_ms - laid.look.at_ms < STOOD_MS
        is_same = is_soon and (is_one_play or _is_amid(division, laid, look, new))
        if is_one_play:
            laid = replace(laid, doubts=(*laid.doubts, one_or_two))
    elif is_one_play and (laid.interrupted if is_same else not division.faces):
        laid = replace(laid, doubts=(*laid.doubts, one_or_two))
    if is_same and (is_one_play or _is_amid(division, laid, look, new)):
        return replace(division, laid=replace(laid, squares=new, look=look, whole=None))
    added = new - laid.squares
    return _lay(_committed(replace(division, laid=laid)), look, added, player, ())


def _is_amid(division: TurnSplitter, laid: TilesLaid, look: SplitLook, new: Squares) -> bool:
    """Whether a player is still laying a play, though not in the order of its letters.

    What lies there is none by itself, or has just been laid in the line of what comes.
    """
    if laid.interrupted:
        return False
    is_in_line = len({row_of(sq) for sq in new}) == 1 or len({col_of(sq) for sq in new}) == 1
    is_soon = look.at_ms - laid.look.at_ms < STOOD_MS
    return bool(shape_faults(division.board, laid.squares)) or (is_soon and is_in_line)


def _fewer(division: TurnSplitter, laid: TilesLaid, look: SplitLook, new: Squares) -> TurnSplitter:
    """Tiles came off: all, one by one perhaps, or some that may be laid elsewhere."""
    whole = laid.whole or laid
    if not new:
        return replace(division, lifted=(whole, look), laid=None)
    return replace(division, laid=replace(laid, squares=new, look=look, whole=whole))


def _others(
    division: TurnSplitter, laid: TilesLaid, look: SplitLook, new: Squares, player: int | None
) -> TurnSplitter:
    """Some tiles went and others came: moved by the same player, or a reply to a withdrawal.

    One of several that looks bare while the other player lays is a slip of the eyes: a play is
    taken back whole.
    """
    if player is not None and player != laid.player:
        gone = laid.squares - new
        if len(gone) <= MOST_MISSING < len(laid.squares) - len(gone):
            return _lay(_committed(division), look, new - laid.squares, player, ())
        return _lay(_committed(division, stays=False), look, new, player, ())
    if look.at_ms - laid.since_ms >= STOOD_MS:
        seconds = (look.at_ms - laid.since_ms) // 1000
        doubt = coded("taken_back_or_moved", seconds=seconds)
        laid = replace(laid, doubts=(*laid.doubts, doubt))
    return replace(division, laid=replace(laid, squares=new, look=look, whole=None))


def _lay(
    division: TurnSplitter,
    look: SplitLook,
    new: Squares,
    player: int | None,
    doubts: tuple[CodedText, ...],
) -> TurnSplitter:
    unseen, pause = None, None
    if player is None and division.last is not None:
        player = 1 - division.last
        if division.seats:
            doubts = (*doubts, coded("nobody_reached_in"))
    elif player is None:
        player = 0
    elif player == (1 if division.last is None else division.last):
        doubts = (*doubts, UNSEEN)
        unseen = _unseen(division, look, 1 - player)
    if not (division.turns or unseen or division.first_known):
        doubts = (*doubts, *doubts_of_first(division.seats, division.arms, learns=division.learns))
    if division.changed_ms is not None and player == division.on_turn:
        arms = [division.seats[edge] for edge in division.arms if edge in division.seats]
        since_ms = look.at_ms - division.changed_ms
        pause = pause_before(player, arms, since_ms, is_hidden=division.is_hidden)
    laid = TilesLaid(
        squares=new,
        player=player,
        ref=look.ref,
        since_ms=look.at_ms,
        look=look,
        doubts=doubts,
        pause=pause,
        unseen=unseen,
    )
    return replace(division, laid=laid)


def _unseen(division: TurnSplitter, look: SplitLook, player: int) -> SplitTurn | None:
    """A turn of a player that showed on no board, before this look."""
    turns = division.turns
    before = turns[-1].look if turns else division.bare
    if before is None or (turns and turns[-1].player == player):
        return None
    return SplitTurn(
        ref=look.earlier_ref,
        look=before,
        at_ms=look.at_ms,
        kind=LookKind.PRESS,
        player=player,
        doubts=(UNSEEN,),
    )


def _committed(division: TurnSplitter, *, stays: bool = True) -> TurnSplitter:
    """The tiles laid are a turn.

    Where they can be no one play but two, the turn that nobody saw before them is among them.
    """
    laid = division.laid
    if laid is None:
        return division
    before = () if laid.unseen is None else (laid.unseen,)
    is_two = bool(before and shape_faults(division.board, laid.squares))
    is_two = is_two and can_be_two_plays(division.board, laid.squares)
    turn = SplitTurn(
        ref=laid.ref,
        look=laid.look.ref,
        at_ms=laid.look.at_ms,
        kind=LookKind.PRESS,
        player=laid.player,
        doubts=laid.doubts,
        pause=laid.pause,
        turn_missed=is_two,
        squares=laid.squares,
    )
    board = division.board | laid.squares if stays else division.board
    turns = (*division.turns, *(() if is_two else before), turn)
    return replace(division, laid=None, turns=turns, last=laid.player, board=board)


def _withdrawn(division: TurnSplitter) -> TurnSplitter:
    """The tiles that came off were a turn, and were taken back."""
    assert division.lifted is not None
    laid, off = division.lifted
    division = _committed(replace(division, laid=laid, lifted=None), stays=False)
    gone = SplitTurn(ref=off.ref, look=off.ref, at_ms=off.at_ms, kind=LookKind.BETWEEN, player=None)
    return replace(division, turns=(*division.turns, gone))
