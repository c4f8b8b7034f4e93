"""Hand-written pages: links resolve, commands exist, words are used as the glossary says."""

import inspect
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

import dowse
from dowse.cli.arguments import build_parser, parse_arguments, split_command
from dowse.cli.commands import COMMANDS, DEFAULT_COMMAND, get_command
from support.fake_embedder import give_meaning

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
COMMAND_LINE = re.compile(r"^\$? ?(\./dowse|dowse) (.*)$", re.MULTILINE)


SETTLED_WORDS = (
    *("tree", "document", "section", "chunk", "field", "term", "position", "segment", "row"),
    *("generation", "manifest", "matcher", "scoring model", "mode", "hit", "snippet", "stage"),
    *("problem", "error", "doc_key", "doc_id", "chunk_key", "term_freq", "doc_freq"),
)


def slug(heading: str) -> str:
    """Returns the anchor a heading gets on GitHub."""
    text = re.sub(r"[^\w\- ]", "", heading.lower().replace("`", ""))
    return text.replace(" ", "-")


def find_broken_link(page: Path, target: str) -> str | None:
    """Returns the target when it leads nowhere; links to other sites are not followed."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    file = (page.parent / name) if name else page
    if not file.exists():
        return target
    if anchor and file.suffix == ".md":
        headings = HEADING.findall(FENCE.sub("", file.read_text(encoding="utf-8")))
        return None if anchor in map(slug, headings) else target
    return None


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_resolve(page: Path) -> None:
    """Every relative link leads to a file, and every anchor to a heading."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert [] == [link for link in LINK.findall(text) if find_broken_link(page, link)]


def iter_command_lines(page: Path) -> list[str]:
    """Returns what follows ``dowse`` on each command line in the page's code blocks."""
    blocks = FENCE.findall(page.read_text(encoding="utf-8"))
    return [match[1] for block in blocks for match in COMMAND_LINE.findall(block)]


def split_shell_line(line: str) -> list[str]:
    """Returns the words a shell would pass on: up to a comment, a pipe or a redirection."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|>&;")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if set(word) <= set("|>&;"):
            break
        words.append(word)
    return words


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_command_lines_are_understood(page: Path) -> None:
    """Every ``dowse …`` in a code block parses, as it stands."""
    for line in iter_command_lines(page):
        words = split_shell_line(line)
        names = [command.name for command in COMMANDS]
        name, rest = split_command(words, names, build_parser(DEFAULT_COMMAND).flags)
        command = DEFAULT_COMMAND if name is None else get_command(name)
        if {"--help", "-V", "-h"}.isdisjoint(rest):
            parse_arguments(build_parser(command), rest)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_python_examples_run(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every Python block runs as it stands, and prints what the comments at its end say.

    What it does with an index that somebody gives it is done with one that has vectors.
    """
    for block in PYTHON.findall(page.read_text(encoding="utf-8")):
        names: dict[str, object] = {}
        exec(compile(block, str(page), "exec"), names)
        for function in filter(inspect.isfunction, names.values()):
            with dowse.open(":memory:") as index:
                give_meaning(index)
                index.add("watering.md", "Plants drink what their roots take up.", title="Watering")
                index.commit()
                function(index)
        expected = re.findall(r"^# prints: (.*)$", block, re.MULTILINE)
        assert expected == capsys.readouterr().out.splitlines()[: len(expected)]


def test_readme_has_the_two_commands() -> None:
    """The two commands a stranger needs, and the scripts behind them."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert './dowse "your question" docs' in text
    assert "\n./test\n" in text
    assert all((ROOT / name).stat().st_mode & 0o111 for name in ("dowse", "test", ".ci/run"))


def test_changelog_names_every_command() -> None:
    """A command that nobody is told of is not there."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [] == [row.name for row in COMMANDS[1:] if not re.search(rf"`(dowse )?{row.name}\b", text)]


def test_contributing_says_how_to_run_every_benchmark() -> None:
    """A number that nobody can make again is an opinion."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    files = (ROOT / "benchmarks").glob("*.py")
    programs = [file for file in files if f"python benchmarks/{file.name}" in file.read_text("utf-8")]
    assert len(programs) > 8
    assert [] == [file.name for file in programs if f"`{file.name}" not in text]


def test_recipes_have_at_most_eight_steps() -> None:
    """A recipe that is longer needs a better design."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = [part for part in text.split("\n### ")[1:] if re.search(r"^1\. ", part, re.MULTILINE)]
    assert len(recipes) >= 6
    steps = {part.splitlines()[0]: len(re.findall(r"^\d+\. ", part, re.M)) for part in recipes}
    assert {} == {name: number for name, number in steps.items() if number > 8}


def test_glossary_has_the_settled_words() -> None:
    """The words of the design are all explained."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [word.split("**")[1] for word in text.splitlines() if word.startswith("| **")]
    assert [] == [word for word in SETTLED_WORDS if word not in words]


RECIPES = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:src|tests|tools|docs)/[\w./-]+)`", RECIPES))))
def test_recipes_name_files_that_exist(path: str) -> None:
    """A recipe that sends its reader nowhere is worse than none."""
    assert (ROOT / path).exists()


@pytest.mark.parametrize(
    ("name", "path"), sorted(set(re.findall(r"`([A-Z_]{3,})` (?:in|of)\s+`([\w./-]+\.py)`", RECIPES)))
)
def test_recipes_name_tables_that_exist(name: str, path: str) -> None:
    """The table stands in the file that the recipe says, not only under its name elsewhere."""
    assert re.search(rf"^{name}\b.* = ", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_architecture_names_modules_that_exist():
    """A module that ARCHITECTURE mentions can be opened, and so can what it names in one."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {folder.name for folder in (ROOT / "src" / "dowse").iterdir() if folder.is_dir()}
    names = sorted(set(re.findall(r"`([a-z_]+(?:\.\w+)+)`", page)))
    told = [name for name in names if name.split(".")[0] in packages]
    assert [] == [name for name in told if not _exists(f"dowse.{name}")]
    assert len(told) > 20


def _exists(name: str) -> bool:
    """Says whether a dotted name is a module, or something that a module has."""
    try:
        import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return hasattr(import_module(module), attribute)
    return True
