"""Incidents with a play: challenged, or taken back."""

from collections.abc import Sequence

from dashboard.incidents.begun import written
from dashboard.incidents.facts import Answers, Held, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    choice,
    number,
    words,
)
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    Laid,
    Passed,
    Penalty,
)
from recorder.domain.lexicon import Verdict, WordList, adjudicate
from recorder.domain.notices import coded
from recorder.domain.orders import Challenged, EntryName, Outcome
from recorder.domain.rules.challenge.penalties import ChallengedPlay, cost, system_of
from recorder.domain.rules.challenge.verdict import ChallengeResult, after_verdict
from recorder.domain.rules.core.procedure import Procedure
from recorder.texts import signed
from recorder.texts.forms import form, valued
from recorder.wire import Json


def _plays(now: Situation) -> list[tuple[int, Held, Laid]]:
    return [
        (at, entry, entry.event)
        for at, entry in enumerate(now.held)
        if isinstance(entry.event, Laid)
    ]


def _play_field(now: Situation) -> Json:
    plays = [
        [
            f"{held.row}.{held.part}",
            f"{now.name(play.player)}: {written(play)} {signed(play.score)}",
        ]
        for _, held, play in reversed(_plays(now))
    ]
    of_turn = [f"{held.row}.{held.part}" for _, held, _ in _plays(now) if _is_meant(now, held)]
    newest = plays[0][0] if plays else ""
    return choice(
        "play",
        form("which_play"),
        plays or [["", form("no_play_yet")]],
        of_turn[0] if of_turn else newest,
    )


def _is_meant(now: Situation, held: Held) -> bool:
    """Whether an event is of the turn that the procedure is about."""
    return now.standing is not None and held.group == now.standing.group


def _play(now: Situation, answers: Answers) -> tuple[int, Held, Laid]:
    wanted = answers.text("play")
    for at, held, play in _plays(now):
        if f"{held.row}.{held.part}" == wanted:
            return at, held, play
    raise NotationError("play: this play is not in the record any more; open the form again")


def _entry(held: Held) -> EntryName:
    return EntryName(held.row, held.part)


def _wrong_before(now: Situation, mover: int) -> int:
    """Wrong challenges of the mover's opponent, as far as they have cost points or a turn."""
    found = 0
    for before, entry in zip([None, *now.held], now.held, strict=False):
        match entry.event:
            case ChallengeBonus(player=player):
                found += player == mover
            case Penalty(player=player):
                found += player != mover
            case Passed(player=player):
                lost = before is not None and before.event.player != player
                found += lost and player != mover and entry.row == (before.row if before else 0)
    return found


class Challenges:
    """The challenge, with the event's word list where the dashboard has one."""

    def __init__(self, listed: WordList | None) -> None:
        self._listed = listed

    def fields(self, now: Situation) -> list[Json]:
        """The newest play and its words; the verdict is the list's where there is one."""
        plays = _plays(now)
        line = plays[-1][1].line if plays else {}
        given = [["good", form("all_acceptable")], ["bad", form("not_acceptable")]]
        options = (
            [["list", form("says", name=self._listed.name)], *given] if self._listed else given
        )
        wrong = _wrong_before(now, plays[-1][2].player) if plays else 0
        return [
            _play_field(now),
            words("words", form("words_challenged"), self._words(now, line)),
            choice(
                "verdict",
                form("verdict_play_one_all_words"),
                options,
                self._verdict(now, options),
            ),
            number("wrong_before", form("challengers_wrong_challenges_so_far"), wrong),
            number(
                "due",
                form("tiles_player_still_draw"),
                now.count("due", min(now.tiles_played, now.bag)),
            ),
            words(
                "lexicon",
                form("word_list_event"),
                self._lexicon(now),
                form("its_name_decides_penalty_where"),
            ),
        ]

    @staticmethod
    def _words(now: Situation, line: Json) -> str:
        """Those on the slip, else all that the play has formed."""
        said = str(now.known.get("words", "")) or " ".join(line.get("words", ()))
        return said.upper()

    @staticmethod
    def _verdict(now: Situation, options: Sequence[Sequence[str]]) -> str:
        """The one that was given, else the list's where there is one."""
        given = now.known.get("verdict")
        return str(given) if given in ("good", "bad") else options[0][0]

    def _lexicon(self, now: Situation) -> str:
        """The list that the record names, else the one that was loaded here."""
        if now.started.words:
            return now.started.words[0]
        return self._listed.name if self._listed else ""

    def plan(self, now: Situation, answers: Answers) -> IncidentPlan:
        """What a verdict costs, and what is done then."""
        _, held, play = _play(now, answers)
        challenged = answers.text("words").split()
        stands = self._stands(answers.text("verdict"), challenged)
        chosen = system_of(now.rules, lexicon=answers.text("lexicon"))
        verdict = ChallengedPlay(
            mover=play.player,
            words=max(1, len(challenged)),
            stands=stands,
            score=play.score,
            wrong_before=answers.whole("wrong_before"),
        )
        price = cost(now.rules, chosen, verdict)
        tiles = len(play.laid)
        ruled = ChallengeResult(
            stands=stands, score=play.score, tiles=tiles, due=answers.whole("due", 200)
        )
        act = Challenged(
            entry=_entry(held),
            outcome=Outcome.STANDS if stands else Outcome.OFF,
            bonus=price.bonus,
            penalty=price.penalty,
            turn_lost=price.turn_lost,
        )
        numbers: list[tuple[str, object]] = [
            (form("verdict"), form("acceptable") if stands else form("not_acceptable")),
            (
                form("system"),
                valued(chosen.system) if chosen.system else form("open"),
            ),
            (form("next_play"), now.name(price.next_on_turn)),
        ]
        if price.points:
            numbers.append((form("points_stake"), price.points))
        return IncidentPlan(
            procedure=after_verdict(now.rules, ruled, price),
            player=play.player,
            numbers=tuple(numbers),
            acts=(act,),
        )

    def _stands(self, verdict: str, challenged: list[str]) -> bool:
        if verdict in ("good", "bad"):
            return verdict == "good"
        match adjudicate(challenged, self._listed):
            case Verdict.GOOD:
                return True
            case Verdict.BAD:
                return False
            case _:
                raise NotationError(
                    "verdict: the list does not decide it (a blank without a letter, or no list);"
                    " give the verdict yourself"
                )

    def incident(self) -> Incident:
        """As an incident."""
        return Incident(name="challenge", fields=self.fields, plan=self.plan)


def _withdrawal(now: Situation, answers: Answers) -> IncidentPlan:
    _, held, play = _play(now, answers)
    title = coded("play_was_taken_back", play=written(play))
    act = Challenged(entry=_entry(held), outcome=Outcome.OFF)
    procedure = Procedure(rule="CHAL-5", title=title)
    return IncidentPlan(procedure=procedure, player=play.player, acts=(act,))


def play_incidents(listed: WordList | None) -> tuple[Incident, ...]:
    """The incidents with a play."""
    return (
        Challenges(listed).incident(),
        Incident(
            name="missed",
            fields=lambda now: [_play_field(now)],
            plan=_withdrawal,
        ),
    )
