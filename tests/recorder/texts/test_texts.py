"""The catalogue: every code that people may read has a text, and every text gets its values."""

from enum import StrEnum
from importlib.resources import files

import pytest

import recorder.texts
import tilecast
from dashboard.live.scenes import SCENES
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import (
    Manner,
    Notice,
    Phase,
    Release,
    Routing,
    TableNotice,
    Why,
    coded,
    in_words,
)
from recorder.domain.rules.challenge.penalties import System
from recorder.domain.rules.draw.foreign import HowFar
from recorder.domain.rules.ending.ending import PlayOut
from recorder.domain.rules.ending.overtime import Limit
from recorder.domain.rules.ending.six_zeros import ZeroState
from recorder.domain.rules.placement.layings import IllegalKind
from recorder.domain.rules.turn.hold import Right
from recorder.domain.rules.turn.press import CompletedBy
from recorder.domain.tile_account.readings import Zone
from recorder.domain.tile_account.sensor_reports import SOURCES
from recorder.texts import LANGUAGE, Catalogue, languages, load_catalogue, plain_code, values_of
from recorder.texts.telling import coded_text, facts_in_words, notice_text

ENGLISH = load_catalogue()
OF_ENUMS: dict[str, type[StrEnum]] = {
    "notice": Notice,
    "manner": Manner,
    "release": Release,
    "phase": Phase,
    "why": Why,
}
OF_LISTS = {
    "fault": [*(fault.value for fault in LayingFault), "off_grid"],
    "scene": SCENES,
    "source": SOURCES,
    "zone": [zone.name.lower() for zone in Zone],
}


def noticed(code: Notice, player: int | None = None, **numbers: int | str) -> TableNotice:
    routing = Routing(
        director=Manner.SHOW,
        players=False,
        commentator=Release.NEVER,
        public=Release.NEVER,
        rule="INT-2",
        why=Why.FOUND_OR_NOT,
    )
    return TableNotice(ref=1, refs=(), code=code, player=player, numbers=numbers, routing=routing)


@pytest.mark.parametrize("section", OF_ENUMS)
def test_every_code_has_a_text(section: str) -> None:
    """And no text is left over, but those of a code's single cases."""
    codes = {one.value for one in OF_ENUMS[section]}
    there = {code.split("-")[0] for code in ENGLISH.as_json()[section]}
    assert there == codes


@pytest.mark.parametrize("section", OF_LISTS)
def test_every_source_and_place_has_a_name(section: str) -> None:
    """They stand in the evidence of a notice."""
    assert set(ENGLISH.as_json()[section]) == set(OF_LISTS[section])


def test_a_text_names_players_counts_and_codes() -> None:
    """A number with its noun, a player by number or by name, the text of another code."""
    one = noticed(Notice.OVERDRAW, 1, tiles=1, level="alert", sure="sure")
    assert notice_text(one) == "Player 2 holds 1 tile too many (sure)"
    assert notice_text(one, names=("Ada", "Ben")) == "Ben holds 1 tile too many (sure)"
    two = noticed(Notice.OVERDRAW, 0, tiles=2, level="ask")
    assert notice_text(two).startswith("Count needed: player 1 holds 2 tiles too many")
    laid = noticed(Notice.ILLEGAL_PLACEMENT, 0, fault="gap")
    assert notice_text(laid) == "Illegal placement by player 1: a gap"
    sources = noticed(Notice.DEVICE_CONTRADICTS, sources="bag_scale rack_counter_1")
    assert "bag scale, rack counter 1" in notice_text(sources)


def test_what_was_written_in_words_stays_in_its_words() -> None:
    """An earlier release gave no values to say it otherwise."""
    assert notice_text(noticed(Notice.OVERDRAW, words="alert: overdraw")) == "alert: overdraw"
    assert coded_text(in_words("8O reads S, or Z"), "doubt") == "8O reads S, or Z"


def test_a_code_of_a_later_release_is_shown_as_it_is() -> None:
    """And a value that is missing leaves its name."""
    assert coded_text(coded("sealed_by_owl", tiles=3), "evidence") == "sealed by owl"
    assert ENGLISH.text("notice", "bag_count") == "Tiles in the bag"
    assert "{squares}" in ENGLISH.text("notice", "tile_moved")


def test_what_another_language_lacks_is_said_in_english_and_marked() -> None:
    """So that somebody adds it; what it has is used."""
    german = Catalogue({"fault": {"gap": "eine Lücke"}}, fallback=ENGLISH.as_json())
    assert german.text("fault", "gap") == "eine Lücke"
    assert german.text("fault", "diagonal") == "[English] diagonal"
    assert german.as_json()["fault"]["gap"] == "eine Lücke"
    assert german.as_json()["fault"]["diagonal"] == "[English] diagonal"
    assert set(german.as_json()) == set(ENGLISH.as_json())


def test_a_program_in_an_unknown_language_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Better than half a page in English on the day."""
    monkeypatch.setenv(LANGUAGE, "klingon")
    assert tilecast.main(["rules", "show"]) == 1
    assert "english" in capsys.readouterr().err


def test_every_language_names_the_values_that_english_names() -> None:
    """A translation without one would keep a fact from its reader."""
    for language in languages():
        file = files(recorder.texts) / f"{language}.toml"
        assert file.is_file()
        for section, texts in load_catalogue(language).as_json().items():
            for code, text in texts.items():
                assert values_of(text) == values_of(ENGLISH.as_json()[section][code]), code


def test_facts_are_said_in_words_and_none_is_left_out() -> None:
    """Times as seconds, players by their number, codes by name; what nobody worded, as it is."""
    said = facts_in_words(
        "turn_fact", {"challenge_after_ms": 3298, "hold_ms": "long", "odd_one": 2}
    )
    assert said == ["challenged after 3.3 s", "hold of long", "odd one: 2"]
    facts = {"right": "open", "out": True, "tiles": 1}
    assert facts_in_words("procedure_fact", facts) == [
        "right to challenge: open", "played out: yes", "1 tile in question",
    ]  # fmt: skip
    assert facts_in_words("procedure_fact", {"hands_in": 1}) == ["handed in by player 2"]


RECKONED: tuple[type[StrEnum], ...] = (
    *(CompletedBy, HowFar, IllegalKind, Limit, PlayOut),
    *(Right, System, ZeroState),
)


def test_a_word_of_the_rules_reaches_a_page_in_words() -> None:
    """What the rules call "out_claimed" or "P-GAP" are codes; people read the catalogue's words."""
    codes = {plain_code(one.value) for reckoned in RECKONED for one in reckoned}
    assert codes <= set(ENGLISH.as_json()["fact_value"])
    said = coded_text(coded("player_is_out", number=1, state=PlayOut.CLAIMED), "rules")
    assert said == "player 1 has played out: the opponent has not reacted yet"
    both = coded_text(coded("illegal_placement", kinds="P-GAP, P-TWO"), "rules")
    assert both == "Illegal placement: an empty square in between, two plays in one turn"


def test_what_the_rules_reckon_with_is_a_code_and_what_earlier_releases_wrote_reads_the_same() -> (
    None
):
    """No enum of the rules has a sentence for a value; logs that have one are read on."""
    prose = {f"{reckoned.__name__}.{word.name}" for reckoned in RECKONED for word in reckoned
             if " " in word.value}  # fmt: skip
    assert prose == set()
    for before, now in (
        ("out claimed", PlayOut.CLAIMED),
        ("the hand in the bag", CompletedBy.HAND),
    ):
        known = [facts_in_words("procedure_fact", {"state": word}) for word in (before, now.value)]
        assert known[0] == known[1]
