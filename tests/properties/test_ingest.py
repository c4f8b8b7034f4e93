"""Ingest: random texts never raise, fast twins equal plain ones, git is our oracle."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st

from dowse.ingest import CHUNKERS, EXTRACTORS, ChunkingSettings, Extracted, Extractor
from dowse.ingest.gitignore import parse_ignore_file
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.lines import LineTable
from dowse.ingest.markdown.blocks import parse_blocks, scan_blocks
from dowse.ingest.markdown.front_matter import parse_front_matter

FRAGMENTS = [
    "# a", "## b ##", "####### no", "#tag", "#", " # c", "   ## d", "    # code", "text",
    "more text.", "===", "---", "***", "- - -", "_ _ _", "```", "````", "~~~", "``` py",
    "```py`", "  ```", "   ~~~", "    ```", "- item", "-", "- ", "-     code", "-\tcode",
    "* x", "+ y", "1. one", "12) two", "1.", "  cont", "    deep", "      six", "\ttab",
    " \ttab", "> quote", ">", ">     code", "> # no", "> ```", ">- a", "> - b", "- # no",
    "- ```", "| a | b |", "|---|---|", "--|--", "a | b", ":--", "| --- |", "<div>", "<!-- c",
    "-->", "<script>", "</script>", "<?php", "?>", "<![CDATA[", "]]>", "<!X", "<b>x</b>",
    "<https://a.b>", "[a]: /url", "[a]:", "[b]", '"title"', "[^1]: note", "", "", "", " ",
    "\t", "\r", "x\r", "# h\r", "```\r", "\x0c", "\u00a0", "é", "日本", "\\", "`a", "b`",
    "[[w|x]]", "![[e#f]]", "[t](u)", "![i](j \"k\")", "[![a](b)](c)", "...", ":field: x",
    ".. code::", "Code::", "^^^^", "[a]: /u 'x", "'",
]  # fmt: skip
LINES = st.lists(
    st.one_of(
        st.sampled_from(FRAGMENTS), st.tuples(*[st.sampled_from(FRAGMENTS)] * 2).map("".join)
    ),
    max_size=14,
)
MARKDOWNISH = st.one_of(
    LINES.map("\n".join), LINES.map("\n".join).map("{}\n".format), st.text(max_size=80)
)


def read(extractor: Extractor, data: bytes, path: str) -> Extracted:
    """Reads a file; an example in which there is nothing to be had is passed over."""
    try:
        return extractor.extract(data, path, Allowance())
    except UnextractableError:
        reject()


@given(MARKDOWNISH)
@example("- a\n```\n\nb\n")
@example("<div>\n```\n\n# a\n")
@example("[a]: /url\n    - x")
@example("|a|\n|-|\n    code")
@example(">\n    code")
@settings(max_examples=500, deadline=None)
def test_scanning_finds_what_parsing_finds(text: str) -> None:
    """The fast scan of headings and code equals markdown-it-py's answer for the whole text."""
    data = text.encode("utf-8")
    lines = LineTable(data)
    assert parse_blocks(data, 0, lines) == scan_blocks(data, 0, lines)


@given(MARKDOWNISH, st.sampled_from(EXTRACTORS), st.sampled_from(CHUNKERS), st.integers(8, 30))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_any_text_becomes_chunks_that_decode(text, extractor, kind, max_words) -> None:
    """No text raises; every range decodes; what is in no chunk is white space."""
    extracted = read(extractor, text.encode("utf-8"), "note")
    chunks = kind(ChunkingSettings(kind.name, max_words, max_words // 4)).chunk(extracted)
    position = 0
    for chunk in chunks:
        extracted.text[chunk.byte_start : chunk.byte_end].decode("utf-8")
        assert extracted.text[position : chunk.byte_start].strip() == b""
        position = max(position, chunk.byte_end)
    assert extracted.text[position:].strip() == b""
    for start, end in extracted.code_spans:
        extracted.text[start:end].decode("utf-8")


@given(st.binary(max_size=200), st.sampled_from(EXTRACTORS))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
def test_any_bytes_give_valid_text(data, extractor) -> None:
    """Whatever the bytes, the stored text is UTF-8 and there is a section and a title."""
    extracted = read(extractor, data, "x")
    extracted.text.decode("utf-8")
    assert extracted.sections
    assert extracted.title


@given(st.text(alphabet="ab: -[]{}&*!'\"|>\n#,2024-01T\\", max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_front_matter_is_read_or_explained(source: str) -> None:
    """Front matter never raises; it ends inside the text."""
    data = f"---\n{source}\n---\nrest".encode()
    assert 0 <= parse_front_matter(data).end <= len(data)


@given(st.binary(max_size=60).map(lambda data: data.replace(b"\x01", b"\n")))
def test_line_table_counts_line_feeds(data: bytes) -> None:
    """The line of a byte is one more than the line feeds before it."""
    lines = LineTable(data)
    assert [data.count(b"\n", 0, at) + 1 for at in range(len(data))] == [
        lines.line_at(at) for at in range(len(data))
    ]


NAMES = [
    "a",
    "b",
    "ab",
    "foo",
    "a.md",
    "b.txt",
    "x y",
    "foo ",
    "#h",
    "!k",
    "[z]",
    "a-b",
    "A",
    "*s",
    "d]",
    "n1",
]
PATTERN_PARTS = [
    *NAMES, "*", "**", "***", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]d]", "[a-]",
    "[[:alpha:]]", "[[:bad:]]", "[z", "\\", "\\#", "\\!", "\\*", " ", "\\ ", ".md", "[c-a]",
    "[\\]]", "!", "[--b]", "[a-c-e]", "\\[", "[[:digit:]x]",
]  # fmt: skip
PATTERN = st.one_of(
    st.lists(st.sampled_from(PATTERN_PARTS), min_size=1, max_size=5).map("".join),
    st.lists(st.sampled_from([*NAMES, "*", "**"]), min_size=1, max_size=4).map("/".join),
    st.sampled_from(NAMES).map("!{}".format),
    st.sampled_from(NAMES).map("/{}/".format),
)
PATTERNS = st.lists(PATTERN, max_size=5)
FILES = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join), max_size=8)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty git repository for asking `git check-ignore`."""
    root = tmp_path_factory.mktemp("oracle")
    subprocess.run(["git", "init", "-q", root], check=True, timeout=30)
    return root


def git_ignored(root: Path, paths: list[str]) -> set[str]:
    """Returns which of the paths git ignores."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    answer = subprocess.run(
        ["git", "-C", root, "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths).encode(), capture_output=True, timeout=30, env=environment,
    )  # fmt: skip
    assert answer.returncode in (0, 1), answer.stderr
    return {path for path in answer.stdout.decode().split("\0") if path}


def our_ignored(tree: dict[str, str], ignore_files: dict[str, str]) -> set[str]:
    """Returns which paths of a tree our rules ignore; an ignored folder ignores all below it."""
    ignored: set[str] = set()
    for path, kind in sorted(tree.items()):
        parent, _, name = path.rpartition("/")
        if parent in ignored:
            ignored.add(path)
            continue
        folders = [
            "",
            *("/".join(path.split("/")[:depth]) for depth in range(1, path.count("/") + 1)),
        ]
        for folder in reversed(folders):
            rules = parse_ignore_file(ignore_files.get(folder, "").encode())
            within = path.removeprefix(folder + "/") if folder else path
            decision = rules.decide(within, name, is_folder=kind == "folder")
            if decision is not None:
                if decision:
                    ignored.add(path)
                break
    return ignored


def build_tree(files: list[str]) -> dict[str, str]:
    """Returns paths with their kind; a file name that is also needed as a folder is a folder."""
    tree: dict[str, str] = {}
    for path in files:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            tree["/".join(parts[:depth])] = "folder"
        tree.setdefault(path, "file")
    return tree


@given(files=FILES, top=PATTERNS, nested=PATTERNS)
@example(files=["foo/x y/b", "foo/b", "foo/a/b"], top=["foo**/b"], nested=[])
@example(files=["a/b"], top=["a/", "!a/b"], nested=[])
@example(files=["a/b", "b"], top=["/b ", "b\\ "], nested=["!b"])
@settings(
    max_examples=int(os.environ.get("DOWSE_GIT_EXAMPLES", "40")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_ignore_rules_agree_with_git(repository, files, top, nested) -> None:
    """For any tree and any patterns, we ignore exactly what git ignores."""
    tree = build_tree(files)
    folders = sorted(path for path, kind in tree.items() if kind == "folder")
    ignore_files = {"": "\n".join(top)} | ({folders[0]: "\n".join(nested)} if folders else {})
    subprocess.run(["git", "-C", repository, "clean", "-qfdx"], check=True, timeout=30)
    for path, kind in sorted(tree.items()):
        if kind == "folder":
            (repository / path).mkdir()
        else:
            (repository / path).touch()
    for folder, content in ignore_files.items():
        (repository / folder / ".gitignore").write_text(content)
    paths = sorted(tree)
    expected = git_ignored(repository, paths) if paths else set()
    assert expected == our_ignored(tree, ignore_files)
