"""What a play scores by the rule set in force, word by word, and what an announced sum hides.

The arithmetic of each word is kept, so that a recount can be followed (SCORE-1, END-10). Nothing
here asks whether the play is legal: it stands until somebody objects.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from recorder.domain.board import STANDARD_PREMIUMS, Board, Square
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import Placement
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.core.procedure import EITHER, Procedure
from recorder.domain.scoring import BINGO_POINTS, FormedWord, words_formed, words_laid
from recorder.domain.tiles import RACK_SIZE, Tile, Tiles, TileSet


@dataclass(frozen=True, slots=True)
class WordScore:
    """One word of a play: the letters' sum with letter premiums, times the word premiums."""

    tiles: Tiles
    squares: tuple[Square, ...]
    letters: int
    factor: int

    @property
    def points(self) -> int:
        """What the word counts."""
        return self.letters * self.factor


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayScore:
    """The score of a play: its words, the main word first, and the bonus for a whole rack.

    ``tiles`` are those laid. ``open_questions`` name what the rule set leaves open in just this
    play; the numbers then follow the box rules.
    """

    words: tuple[WordScore, ...]
    bonus: int
    tiles: int
    open_questions: tuple[CodedText, ...] = ()

    @property
    def total(self) -> int:
        """Words and bonus."""
        return sum(word.points for word in self.words) + self.bonus


def play_score(rules: Rules, board: Board, placement: Placement, tile_set: TileSet) -> PlayScore:
    """The score of a play on ``board`` (as it was before it), as if it were legal.

    SCORE-1 to SCORE-3. The centre doubles for the one who covers it, however late, where the rule
    set says so (PLACE-4).
    """
    return _scored(rules, placement.new_tiles(), words_formed(board, placement), tile_set)


def laying_score(
    rules: Rules, board: Board, tiles: Mapping[Square, Tile], tile_set: TileSet
) -> PlayScore:
    """The same for tiles in any squares: every word that they make counts as if it were legal."""
    return _scored(rules, tiles, words_laid(board, tiles), tile_set)


def _scored(
    rules: Rules, tiles: Mapping[Square, Tile], formed: tuple[FormedWord, ...], tile_set: TileSet
) -> PlayScore:
    new = frozenset(tiles)
    questions: list[CodedText] = []
    words = tuple(_word_score(word, new, tile_set) for word in formed)
    bonus = _bonus(rules, len(new), questions)
    total = sum(word.points for word in words) + bonus
    if new and not total:
        questions.append(coded("whether_legal_play_worth_nothing"))
    return PlayScore(words=words, bonus=bonus, tiles=len(new), open_questions=tuple(questions))


def _word_score(word: FormedWord, new: frozenset[Square], tile_set: TileSet) -> WordScore:
    letters, factor = 0, 1
    for sq, tile in zip(word.squares, word.tiles, strict=True):
        fresh = sq in new
        letters += tile_set.value(tile) * (STANDARD_PREMIUMS[sq].letter if fresh else 1)
        factor *= STANDARD_PREMIUMS[sq].word if fresh else 1
    return WordScore(word.tiles, word.squares, letters, factor)


def _bonus(rules: Rules, laid: int, questions: list[CodedText]) -> int:
    if laid != RACK_SIZE:
        return 0
    bonus = rules.get_whole("score.bingo_bonus")
    if bonus is None:
        questions.append(coded("score_bingo_bonus_not_settled", points=BINGO_POINTS))
        return BINGO_POINTS
    return bonus


@dataclass(frozen=True, slots=True)
class AnnouncedScore(Procedure):
    """What the players announced beside what the play scores; both numbers are points.

    ``correction`` is what is to be added to the mover's total to undo a bonus that was not
    earned, 0 where there was none. Other differences are the players' own affair (TURN-8).
    """

    _: KW_ONLY
    announced: int
    computed: int
    correction: int = 0

    @property
    def difference(self) -> int:
        """Announced minus computed: positive when the mover got too much."""
        return self.announced - self.computed


def check_announced(rules: Rules, scored: PlayScore, announced: int) -> AnnouncedScore:
    """Compare an announced score with the true one; finds the bonus given for a short rack.

    SCORE-4: a play of fewer tiles than the bonus asks for stands; only the bonus is removed.
    """
    bonus = rules.get_whole("score.bingo_bonus")
    excess = announced - scored.total
    given = excess == (BINGO_POINTS if bonus is None else bonus)
    computed = scored.total
    if given and excess and scored.tiles < RACK_SIZE:
        title = coded("bonus_counted_tiles", tiles=scored.tiles)
        step = EITHER("correct_total", "correct_total", correction=-excess)
        return AnnouncedScore(
            "SCORE-4",
            title,
            steps=(step,),
            announced=announced,
            computed=computed,
            correction=-excess,
        )
    high = "announced_score_too_high" if given else "announced_score_wrong"
    title = coded(high if excess else "announced_score_right")
    return AnnouncedScore("TURN-8", title, announced=announced, computed=computed)
