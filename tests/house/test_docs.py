"""The documents say what the program does: commands, options, links, layers, words."""

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import tilecast
from dashboard.live.scenes import SCENES, Scene
from dashboard.live.views import THEMES
from tests.documents import document
from tests.house.reading_ease import pages, reading_ease

pytestmark = pytest.mark.whole_tree

ROOT = Path(__file__).parents[2]
COMMANDS = document("commands")
SITE = ROOT / ".ci" / "mkdocs.yml"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the parser has it: the words after ``tilecast``, and its arguments."""

    words: str
    options: tuple[str, ...]
    operands: tuple[str, ...]
    choices: tuple[str, ...]


def commands(parser: argparse.ArgumentParser, *words: str) -> Iterator[Command]:
    """Every command of a parser that can be run."""
    plain: list[argparse.Action] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, deeper in action.choices.items():
                yield from commands(deeper, *words, word)
            if action.required or parser.get_default("run") is None:
                return
        elif not isinstance(action, argparse._HelpAction):
            plain.append(action)
    yield Command(
        words=" ".join(words),
        options=tuple(name for action in plain for name in action.option_strings),
        operands=tuple(str(a.metavar or a.dest) for a in plain if not a.option_strings),
        choices=tuple(str(choice) for action in plain for choice in action.choices or ()),
    )


ALL = list(commands(tilecast._parser()))


def parsers(
    parser: argparse.ArgumentParser, *words: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every parser with the words that lead to it: commands, and the groups they stand in."""
    yield " ".join(("tilecast", *words)), parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, deeper in action.choices.items():
                yield from parsers(deeper, *words, word)


PARSERS = dict(parsers(tilecast._parser()))


@pytest.mark.parametrize("name", [words.split()[1] for words in PARSERS if words.count(" ") == 1])
def test_a_command_is_set_up_without_most_others(name: str) -> None:
    """Each is there when it alone is asked for, and reads what it reads among all of them."""
    alone = dict(parsers(tilecast._parser(name)))
    known = PARSERS[f"tilecast {name}"]
    assert alone[f"tilecast {name}"].format_help() == known.format_help()
    assert len(alone) < len(PARSERS) / 2 or name == "completion"


def section(title: str) -> str:
    """The part of the page about commands below one heading."""
    found = re.search(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL
    )
    assert found is not None, f"docs/commands.md has no section '## {title}'"
    return found[1]


def anchor(heading: str) -> str:
    """The fragment under which a heading can be reached."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """All fragments of a page."""
    return {
        anchor(h) for h in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }


def make_targets() -> set[str]:
    """What ``make`` can be asked for."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.words)
def test_every_command_is_described(command: Command):
    """A command's section names every option, operand and choice, and shows an example."""
    text = section(command.words)
    for word in (*command.options, *command.operands, *command.choices):
        assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text), word
    assert re.search(rf"^```\n(?:.*\n)*?tilecast {command.words}", text, re.MULTILINE)


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
def test_help_says_what_a_command_does_and_what_it_takes(parser: argparse.ArgumentParser):
    """``--help`` has a description, and a word on every operand, option and command below."""
    assert parser.description
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            listed = {one.dest for one in action._choices_actions if one.help}
            assert listed == set(action.choices)
        else:
            assert action.help, action.option_strings or action.dest


def test_no_command_is_described_that_does_not_exist():
    """Sections of commands that are gone go too."""
    titles = re.findall(r"^## (.+)$", COMMANDS, re.MULTILINE)
    assert sorted(titles) == sorted(command.words for command in ALL)


@pytest.mark.parametrize("scene", SCENES.values(), ids=lambda scene: scene.name)
def test_the_size_of_a_scene_is_told_as_it_is(scene: Scene):
    """The table of scenes has each with its own width and height."""
    rows = document("screens").splitlines()
    told = [row for row in rows if re.match(rf"\|[^|]*`{scene.name}`[^|]*\| \d+ x \d+ ", row)]
    assert [f"| {scene.width} x {scene.height} |" in row for row in told] == [True]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_use_what_exists(page: Path):
    """Command lines in code blocks name commands, options and make targets that are there."""
    by_words = {command.words: command for command in ALL}
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            line = line.split("#")[0].strip()  # noqa: PLW2901  # without its comment
            if line.startswith("make "):
                target = next(word for word in line.split()[1:] if "=" not in word)
                assert target in make_targets(), line
            words = re.match(r"(?:\S*/)?tilecast ((?:[a-z]+ ?)+)", line)
            if words is None:
                continue
            named = [w for w in by_words if f"{words[1].strip()} ".startswith(f"{w} ")]
            assert named, line
            used = set(re.findall(r"(?<!\S)--[a-z-]+", line))
            assert used <= {*by_words[max(named, key=len)].options, "--help"}, line


def test_overlays_are_listed():
    """Every scene and theme that the dashboard has is described with its command."""
    for word in (*SCENES, *THEMES):
        assert re.search(rf"\b{word}\b", section("dashboard")), word


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path):
    """Links between pages lead to a file, and to a heading in it."""
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.exists(), target
        if fragment:
            assert fragment in anchors(goal), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page: Path):
    """A path in code type, starting at one of our folders, is the path of something."""
    text = page.read_text(encoding="utf-8")
    for path in re.findall(
        r"`((?:recorder|devices|dashboard|calibration|tests|docs|docker)/[^`\s]*)`", text
    ):
        if not set(path) & set("<*{"):
            assert (ROOT / path.partition("::")[0]).exists(), path


GENERATED = {"scenario-clauses.md", "scenario-codes.md", "reach.md", "eyes-report.md"}


def test_no_page_is_longer_than_anyone_reads():
    """At most 300 lines, but for those that are generated."""
    pages = {
        page.name: page.read_text("utf-8").count("\n") for page in (ROOT / "docs").rglob("*.md")
    }
    assert [name for name, lines in pages.items() if lines > 300 and name not in GENERATED] == []


def test_every_page_can_be_found():
    """The index lists every document, the decisions' index every decision."""
    docs = ROOT / "docs"
    for folder in (docs, docs / "decisions"):
        index = (folder / "index.md").read_text(encoding="utf-8")
        for page in folder.glob("*.md"):
            assert page.name == "index.md" or f"({page.name})" in index, page.name


def test_the_site_shows_every_page():
    """Its table of contents has all of docs/ and the top; the decisions have their own index."""
    listed = set(re.findall(r"- (\S+\.md)$", SITE.read_text(encoding="utf-8"), re.MULTILINE))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    top = {page.name.lower() for page in ROOT.glob("*.md")} - {"readme.md"}
    assert listed == pages | top | {"decisions/index.md"}


def test_no_link_of_the_site_leads_nowhere(tmp_path: Path):
    """Whatever a page links to is in the site, also what is in other folders of the repository."""
    site = tmp_path / "pages"
    subprocess.run([sys.executable, SITE.parent / "site_pages.py", site], check=True)
    dead = [
        f"{page.relative_to(site)}: {target}"
        for page in site.rglob("*.md")
        for target in re.findall(
            r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8")
        )
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_the_picture_of_the_layers_is_the_contract():
    """docs/architecture.md draws the recorder's layers as import-linter checks them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    layers = next(c["layers"] for c in contracts if c.get("containers") == ["recorder"])
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = [
        match.rstrip() for match in re.findall(r"^  \| (\S+(?: \| \S+)*)  ", page, re.MULTILINE)
    ]
    assert drawn == layers


def test_the_changelog_has_a_place_for_news():
    """There is exactly one Unreleased section, and it comes first."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)[0] == "Unreleased"
    assert changelog.count("## [Unreleased]") == 1


def test_the_news_of_a_release_can_be_read_in_a_minute():
    """At most 60 lines for each version, and a line is one change."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for version in changelog.split("\n## ")[1:]:
        lines = [line for line in version.splitlines()[1:] if line]
        assert len(lines) <= 60, version.splitlines()[0]
        assert [line for line in lines if not line.startswith(("- ", "### "))] == []


def test_the_pictures_of_the_documents_are_small() -> None:
    """Together under 3 MB; they are remade by a command."""
    sizes = [file.stat().st_size for file in (ROOT / "docs" / "screenshots").glob("*.webp")]
    assert len(sizes) > 10
    assert sum(sizes) < 3_000_000


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_a_guide_is_plain_english(page: Path) -> None:
    """Flesch's reading ease above 60: shorter sentences and shorter words help."""
    assert reading_ease(page.read_text(encoding="utf-8")) > 60


def test_short_words_in_short_sentences_are_easier() -> None:
    """Two sentences of three words of one syllable; then words of many syllables."""
    assert reading_ease("The cat sat. The dog ran.") == pytest.approx(206.835 - 3.045 - 84.6)
    assert reading_ease("Organisational characteristics necessitate deliberation.") < 0
