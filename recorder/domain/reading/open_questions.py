"""What may yet decide when a turn ended, whose it was, and whether it was one: open questions."""

from dataclasses import dataclass, replace

from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import SquareCosts
from recorder.domain.reading.looks import Look, Looks
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_turns import Turns, WrongHalf
from recorder.domain.reading.turn_ends.turn_splitter import TurnSplitter
from recorder.domain.turns import Press


@dataclass(frozen=True, slots=True)
class HandSplitTurns:
    """What divides turns where no clock speaks, and what is known of those that are over.

    ``reached`` and ``arms`` are the edges reported since the look divided last, in row
    ``reached_row``; ``looks`` those that the division may still name, by their rows.
    """

    division: TurnSplitter
    closed: Reconstruction
    reached: tuple[PictureEdge, ...] = ()
    arms: tuple[PictureEdge, ...] = ()
    reached_row: int = 0
    looks: tuple[tuple[int, SquareCosts], ...] = ()


@dataclass(frozen=True, slots=True)
class OwnDraw:
    """What racks and bag have said of a draw by the player on turn, who has not pressed (TURN-4).

    - ``counts``: how many tiles each rack held last, None before a word of it
    - ``held``: those of the player on turn when the turn began
    - ``low``: the same after tiles were laid, None while none were; row ``low_row`` counted them
    - ``lifted_ms``: when the bag was lifted after that
    - ``drawn``: stands in for the press once the rack is full again; ``look`` shows the board then
    - ``reply``: the same of the other player, who may have gone on meanwhile
    - ``has_scale``: a scale has spoken of the bag; ``taken``: tiles that left it since the press
    """

    counts: tuple[int | None, int | None] = (None, None)
    held: int = 0
    low: int | None = None
    lifted_ms: int | None = None
    drawn: Press | None = None
    look: Look | None = None
    reply: "OwnDraw | None" = None
    has_scale: bool = False
    taken: int = 0
    low_row: int = 0

    def next_turn(self) -> "OwnDraw":
        """The same with another turn begun: what racks hold now is what it begins with."""
        return OwnDraw(self.counts, has_scale=self.has_scale)


NO_OWN_DRAW = OwnDraw()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestions:
    """What is not decided yet about the ends of turns.

    - ``stop``: a stop of the clock as the press of the player whose half ran: did it end a turn?
    - ``before_claimed_end``: the turns before such a stop, where the record has tiles for that rack
    - ``blank_query``: a press that may have asked for a blank's letter, and what was known before
    - ``sent_back``: the press of the play for which the clock was sent back for a letter
    - ``back_for_blank``: by the rules, sending the clock back for a letter is no pass
    - ``by_hands``: who reaches over the board, where no clock speaks
    - ``draw``: what is known of a draw before the press
    - ``draws_by_player``: what each player laid and drew since the newest turn, whichever
      half runs
    - ``wrong_half``: the turn through which the wrong half runs
    - ``unconfirmed``: the table's turns and looks before the newest turn was read, and the look
      that showed it: no camera has confirmed that at its press, it is late, or it hides more turns
    - ``laid_late``: the turns before the newest play, where that was laid after its press on a
      board that had lain still, and the look at that board
    - ``out_of_turn_play``: a look at one play, laid while the half runs of the player not to move
    """

    stop: Press | None = None
    before_claimed_end: Turns | None = None
    blank_query: tuple[Press, Reconstruction] | None = None
    sent_back: int = 0
    back_for_blank: bool = False
    by_hands: HandSplitTurns | None = None
    draw: OwnDraw = NO_OWN_DRAW
    draws_by_player: tuple[OwnDraw, OwnDraw] = (NO_OWN_DRAW, NO_OWN_DRAW)
    wrong_half: WrongHalf | None = None
    out_of_turn_play: Look | None = None
    unconfirmed: tuple[Turns, Looks, Look] | None = None
    laid_late: tuple[Turns, Look] | None = None

    def next_turn(self) -> "OpenQuestions":
        """The same with another turn begun."""
        return replace(
            self,
            draw=self.draw.next_turn(),
            draws_by_player=(NO_OWN_DRAW, NO_OWN_DRAW),
            wrong_half=None,
            out_of_turn_play=None,
        )
