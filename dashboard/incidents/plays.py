"""Incidents with a play: challenged, illegally placed, a blank without its letter."""

from collections.abc import Sequence

from dashboard.incidents.facts import Answers, Held, Situation
from dashboard.incidents.plan import (
    Incident,
    IncidentPlan,
    check,
    choice,
    known,
    number,
    words,
)
from recorder.domain.board import SQUARES, Square, name_across
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    GameEvent,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Penalty,
    Played,
)
from recorder.domain.lexicon import Verdict, WordList, adjudicate
from recorder.domain.notices import coded
from recorder.domain.orders import Act, Challenged, Correct, EntryName, Outcome, TurnKind
from recorder.domain.rules.blanks.blanks import missing_at_press
from recorder.domain.rules.challenge.penalties import ChallengedPlay, cost, system_of
from recorder.domain.rules.challenge.verdict import ChallengeResult, after_verdict
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.placement.layings import IllegalKind, Laying, illegal_kinds
from recorder.domain.rules.placement.placement import IllegalPlay, rule_on_placement
from recorder.domain.rules.turn.hold import Right
from recorder.domain.tiles import RACK_SIZE
from recorder.texts import signed
from recorder.texts.forms import form
from recorder.wire import Json

_KIND_WORDS = {
    IllegalKind.CENTRE: "kind_centre",
    IllegalKind.ONE: "kind_one",
    IllegalKind.LINE: "kind_line",
    IllegalKind.GAP: "kind_gap",
    IllegalKind.TWO: "kind_two",
    IllegalKind.DISCONNECTED: "kind_disconnected",
    IllegalKind.OFF_GRID: "kind_off_grid",
    IllegalKind.MOVED: "kind_moved",
    IllegalKind.OVERDRAWN: "kind_overdrawn",
}


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
            f"{now.name(play.player)}: {_written(play)} {signed(play.score)}",
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


def _written(play: Laid) -> str:
    """A play, or the tiles of a laying against the rules, in a few characters."""
    if isinstance(play, Played):
        return str(play.placement)
    return " ".join(f"{name_across(sq)}={tile}" for sq, tile in play.tiles)


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
                chosen.system.value.replace("_", " ") if chosen.system else form("open"),
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


def _placement_fields(now: Situation) -> list[Json]:
    kept, drawn, _ = now.before_draw
    found: tuple[IllegalKind, ...] = ()
    replies: list[Held] = []
    if plays := _plays(now):
        meant = [known for known in plays if _is_meant(now, known[1])]
        at, held, play = (meant or plays)[-1]
        replies = [later for later in now.held[at + 1 :] if later.event.player != held.event.player]
        state = now.state_before(at)
        laid = Laying(before=state.board, tiles=play.laid)
        found = illegal_kinds(laid, state.tile_set)
    kinds = [
        check(f"kind_{kind.name}", f"{kind.value}: {form(text)}", value=kind in found)
        for kind, text in _KIND_WORDS.items()
    ]
    rights = [[right.value, right.value] for right in Right]
    return [
        _play_field(now),
        *kinds,
        number("kept", form("tiles_stayed_rack"), kept),
        number("drawn", form("tiles_drawn_since"), drawn),
        known("mixed", form("do_new_tiles_lie_among"), now.told("mixed")),
        check(
            "replied",
            form("opponent_played_pressed_since"),
            value=bool(replies),
        ),
        check("challenged", form("opponent_called_director_about"), value=True),
        choice("right", form("right_challenge"), rights, Right.OPEN.value),
    ]


def _placement(now: Situation, answers: Answers) -> IncidentPlan:
    at, held, play = _play(now, answers)
    kinds = tuple(kind for kind in _KIND_WORDS if answers.yes(f"kind_{kind.name}"))
    ruling = rule_on_placement(
        now.rules,
        IllegalPlay(
            played=play,
            laying=Laying(
                before=now.state_before(at).board,
                tiles=play.laid,
            ),
            kinds=kinds,
            kept=answers.whole("kept", RACK_SIZE * 2),
            drawn=answers.whole("drawn", 200),
            mixed=answers.known("mixed"),
            replied=answers.yes("replied"),
            challenged=answers.yes("challenged"),
            right=Right(answers.text("right")),
            board=now.state.board,
        ),
    )
    numbers = (
        (form("play_counts"), ruling.score if not ruling.stands else play.score),
        (form("rack_then"), ruling.rack),
        (form("into_bag"), ruling.to_bag),
        (form("shown"), ruling.revealed),
    )
    acts: tuple[Act, ...] = ()
    if ruling.instead:
        acts = _instead(_entry(held), ruling.instead)
    elif not ruling.stands:
        acts = (Challenged(entry=_entry(held), outcome=Outcome.OFF),)
    return IncidentPlan(procedure=ruling.procedure, player=play.player, numbers=numbers, acts=acts)


def _instead(entry: EntryName, events: tuple[GameEvent, ...]) -> tuple[Act, ...]:
    """What stands in place of a play after the reply: fewer tiles, or none at all."""
    for event in events:
        if isinstance(event, Played):
            return (Correct(entry=entry, placement=event.placement, score=event.score),)
        if isinstance(event, IllegallyPlayed):
            return (Correct(entry=entry, lifted=event.lifted, score=0),)
        if isinstance(event, NoPlay):
            return (Correct(entry=entry, kind=TurnKind.NO_PLAY),)
    return (Correct(entry=entry, score=0),)


def _blank_fields(now: Situation) -> list[Json]:
    squares = [
        [
            f"{held.row}.{held.part}.{sq}",
            form("square_of_play", square=name_across(sq), play=_written(play)),
        ]
        for _, held, play in reversed(_plays(now))
        for sq, tile in play.laid.items()
        if tile == "?" or tile.islower()
    ]
    return [
        choice("blank", form("which_blank"), squares or [["", form("no_blank_board")]],
               squares[0][0] if squares else ""),
        words("letter", form("letter_now_empty_not_known")),
    ]  # fmt: skip


def _blank(now: Situation, answers: Answers) -> IncidentPlan:
    row, _, rest = answers.text("blank").partition(".")
    part, _, square = rest.partition(".")
    if not (row.isdigit() and part.isdigit() and square.isdigit() and int(square) < SQUARES):
        raise NotationError("blank: there is no blank on the board")
    sq = Square(int(square))
    procedure = missing_at_press(now.rules, sq)
    letter = answers.text("letter").lower()
    acts: tuple[Act, ...] = ()
    if letter:
        entry = EntryName(int(row), int(part))
        acts = (Correct(entry=entry, letters=((sq, letter),)),)
    mover = next((held.event.player for held in now.held if held.row == int(row)), None)
    return IncidentPlan(procedure=procedure, player=mover, acts=acts)


def _withdrawal(now: Situation, answers: Answers) -> IncidentPlan:
    _, held, play = _play(now, answers)
    title = coded("play_was_taken_back", play=_written(play))
    act = Challenged(entry=_entry(held), outcome=Outcome.OFF)
    procedure = Procedure(rule="CHAL-5", title=title)
    return IncidentPlan(procedure=procedure, player=play.player, acts=(act,))


def play_incidents(listed: WordList | None) -> tuple[Incident, ...]:
    """The incidents with a play."""
    return (
        Challenges(listed).incident(),
        Incident(
            name="placement",
            fields=_placement_fields,
            plan=_placement,
        ),
        Incident(name="blank", fields=_blank_fields, plan=_blank),
        Incident(
            name="missed",
            fields=lambda now: [_play_field(now)],
            plan=_withdrawal,
        ),
    )
