"""Words on the slip of a challenge that the turn did not form (CHAL-8).

No device reads what is written there by hand: the one who takes the slip enters the words.
"""

from collections.abc import Iterator, Sequence

from recorder.domain.game import Laid
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.procedures.moments import Moment
from recorder.domain.rules.challenge.challenge import check_slip_of
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.procedures import ProcedureRun


def slip_notices(
    moments: Sequence[Moment], runs: Sequence[ProcedureRun], rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    """The newest play, where words were entered for its challenge that it did not form."""
    plays = [moment for moment in moments if isinstance(moment.event, Laid)]
    asked = [run for run in runs if run.act.code == "challenge" and run.is_open]
    if not plays or not asked or asked[-1].row < plays[-1].group.ref:
        return
    play, words = plays[-1], str(asked[-1].act.facts.get("words", ""))
    laid = play.event.laid if play is moments[-1] and isinstance(play.event, Laid) else {}
    if laid and check_slip_of(rules, play.board, laid, words):
        code, rows = Notice.SLIP_WORD_NOT_PLAYED, (*play.group.refs, asked[-1].row)
        player = 1 - play.event.player
        yield noticed(rules, code, rows, phase, ref=play.group.ref, player=player)
