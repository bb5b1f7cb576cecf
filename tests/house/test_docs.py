"""The documents say what the program does: commands, options, links, layers, words."""

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilecast
from dashboard.live.scenes import SCENES, Scene
from dashboard.live.views import THEMES
from recorder.commands.command_line import command_texts, text_key
from tests import command_pages
from tests.documents import document
from tests.house.reading_ease import pages, reading_ease

pytestmark = pytest.mark.whole_tree

ROOT = Path(__file__).parents[2]
COMMANDS = document("commands")
SITE = ROOT / ".ci" / "mkdocs.yml"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


ALL = dict(command_pages.commands(tilecast._parser()))


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
    return {
        anchor(h) for h in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }


def make_targets() -> set[str]:
    """What ``make`` can be asked for."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


@pytest.mark.parametrize("file", command_pages.pages(), ids=lambda file: file.name)
def test_a_page_about_commands_is_what_help_says(file: Path):
    """Made by ``make schema``; a command without a section, or a section without one, fails."""
    assert file.read_text(encoding="utf-8") == command_pages.pages()[file]


def test_every_command_has_one_section():
    """And there is none of a command that is gone."""
    titles = re.findall(r"^## (.+)$", COMMANDS, re.MULTILINE)
    assert sorted(titles) == sorted(ALL)


@pytest.mark.parametrize("words", ALL)
def test_a_section_names_every_value_and_shows_an_example(words: str):
    """Where an argument takes one of a few values, its text names each."""
    for action in ALL[words]._actions:
        below = isinstance(action, argparse._SubParsersAction)
        for choice in () if below else action.choices or ():
            assert re.search(rf"(?<![\w-]){re.escape(str(choice))}(?![\w-])", section(words)), (
                choice
            )
    for line in command_texts()[words]["example"].strip().splitlines():
        assert line.startswith(f"tilecast {words}")


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
def test_help_says_what_a_command_does_and_what_it_takes(parser: argparse.ArgumentParser):
    """Every operand, option and command below has its text, and no text is left over."""
    parser.format_help()
    words = parser.prog.partition(" ")[2]
    taken = [one for one in parser._actions if not isinstance(one, command_pages.LEFT_OUT)]
    named = {"short", "text", "example", "status", *map(text_key, taken)}
    assert set(command_texts()[words]) <= named
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            listed = {one.dest for one in action._choices_actions if one.help}
            assert listed == set(action.choices)
        else:
            assert action.help, action.option_strings or action.dest


def test_texts_of_commands_are_all_of_a_command():
    """``commands.toml`` has each parser's words, and no others."""
    assert set(command_texts()) == {words.partition(" ")[2] for words in PARSERS}


@pytest.mark.parametrize("scene", SCENES.values(), ids=lambda scene: scene.name)
def test_the_size_of_a_scene_is_told_as_it_is(scene: Scene):
    """The table of scenes has each with its own width and height."""
    rows = document("screens").splitlines()
    told = [row for row in rows if re.match(rf"\|[^|]*`{scene.name}`[^|]*\| \d+ x \d+ ", row)]
    assert [f"| {scene.width} x {scene.height} |" in row for row in told] == [True]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_use_what_exists(page: Path):
    """Command lines in code blocks name commands, options and make targets that are there."""
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
            named = [w for w in ALL if f"{words[1].strip()} ".startswith(f"{w} ")]
            assert named, line
            used = set(re.findall(r"(?<!\S)--[a-z-]+", line))
            assert used <= ALL[max(named, key=len)]._option_string_actions.keys(), line


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


MODULES = ["/tilecast.py"] + [
    f"/{file.relative_to(ROOT)}"
    for package in ("recorder", "devices", "dashboard", "calibration", "tests")
    for file in (ROOT / package).rglob("*.py")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page: Path):
    """A path in code type, starting at one of our folders, is the path of something."""
    text = page.read_text(encoding="utf-8")
    for path in re.findall(
        r"`((?:recorder|devices|dashboard|calibration|tests|docs|docker)/[^`\s]*)`", text
    ):
        if not set(path) & set("<*{"):
            assert (ROOT / path.partition("::")[0]).exists(), path
    for path in re.findall(r"`([a-z0-9_/]+\.py)`", text):
        assert any(file.endswith(f"/{path}") for file in MODULES), f"no module {path}"


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
