"""Why a file is in or out: each rule with its source, and agreement with the walk on random trees."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import FolderNotFoundError
from dowse.ingest.discovery import DiscoverySettings, iter_files
from dowse.ingest.explain_discovery import RULES, Verdict, explain_path
from dowse.ingest.source import SourceItem

FILES = {
    "a.md": "text",
    "large.txt": "x" * 50,
    ".hidden.md": "text",
    ".gitignore": "\n# no logs\n*.log\n",
    "x.log": "text",
    "keep/.dowseignore": "drafts/\n!x.log\n",
    "keep/x.log": "text",
    "keep/drafts/a.md": "text",
    "app/package.json": "{}",
    "app/build/b.md": "text",
    "node_modules/c.md": "text",
    "photo.png": "text",
    "yarn.lock": "text",
    "server.pem": "text",
    "out.txt": "text",
}


PROJECT = "beside package.json, which marks a software project"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder in which every rule has something to say."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    (tmp_path / "way").symlink_to(tmp_path / "keep")
    os.mkfifo(tmp_path / "pipe.md")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "rule", "subject", "source"),
    [
        ("a.md", "included", "a.md", ""),
        ("./keep/../a.md", "included", "a.md", ""),
        ("keep/x.log", "included", "keep/x.log", ""),
        ("keep", "walked", "keep", ""),
        (".", "walked", ".", ""),
        ("x.log", "ignored", "x.log", ".gitignore line 3: *.log"),
        ("keep/drafts/a.md", "ignored", "keep/drafts", "keep/.dowseignore line 1: drafts/"),
        ("out.txt", "ignored", "out.txt", "exclude pattern /out.*"),
        ("app/build/b.md", "pruned-folder", "app/build", PROJECT),
        ("node_modules/c.md", "pruned-folder", "node_modules", ""),
        (".hidden.md", "hidden", ".hidden.md", ""),
        ("photo.png", "binary-file", "photo.png", ".png"),
        ("yarn.lock", "excluded-name", "yarn.lock", ""),
        ("server.pem", "secret", "server.pem", ""),
        ("large.txt", "too-large", "large.txt", "50 bytes, discovery.max_file_bytes is 20"),
        ("link.md", "link", "link.md", "leads to /etc/hostname"),
        ("way/x.log", "link", "way", ""),
        ("pipe.md", "special-file", "pipe.md", ""),
        ("none/x.md", "missing", "none", ""),
        ("a.md/x", "not-a-folder", "a.md", ""),
    ],
)
def test_every_rule_says_where_it_stands(tree: Path, path: str, rule: str, subject: str, source: str) -> None:
    """The rule, the path it speaks of, and the file and line it comes from."""
    found = explain_path(tree, path, DiscoverySettings(max_file_bytes=20, exclude=("/out.*",)))
    assert (rule, subject, source) == (found.rule, found.subject, found.source)
    assert (rule in ("included", "walked")) == found.is_included
    assert found.message


def test_outside_and_include_patterns(tree: Path) -> None:
    """What is not below the root, and what no include pattern fits."""
    assert "outside" == explain_path(tree / "keep", tree / "a.md", DiscoverySettings()).rule
    assert "outside" == explain_path(tree / "keep", "../a.md", DiscoverySettings()).rule
    verdict = explain_path(tree, "a.md", DiscoverySettings(include=("*.rst", "/docs")))
    assert ("not-included", "*.rst, /docs") == (verdict.rule, verdict.source)
    with pytest.raises(FolderNotFoundError):
        explain_path(tree / "none", "a.md", DiscoverySettings())


def test_a_way_through_links_above_the_root_is_the_same_way(tree: Path, tmp_path: Path) -> None:
    """A root that was reached by a link explains paths written either way."""
    entry = tree.parent / f"{tree.name}-entry"
    entry.symlink_to(tree)
    for path in (entry / "a.md", tree / "a.md"):
        for root in (entry, tree):
            assert explain_path(root, path, DiscoverySettings()).is_included


def test_an_unreadable_folder_is_said(tree: Path) -> None:
    """What cannot be listed cannot be explained further."""
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (tree / "keep").chmod(0)
    try:
        verdict = explain_path(tree, "keep/x.log", DiscoverySettings())
    finally:
        (tree / "keep").chmod(0o700)
    assert ("unreadable-folder", "keep") == (verdict.rule, verdict.subject)


def test_every_rule_has_words() -> None:
    """No verdict is without a sentence."""
    assert all(Verdict(False, rule, "x").message for rule in RULES)


NAMES = st.sampled_from(
    [
        "a", "b", "a.md", "b.txt", "c.log", ".h", ".h.md", "build", "node_modules", "package.json", "x.png",
        ".env", "e\u0301.md", "\u00e9.md", "new\nline.md", "yarn.lock", "d.zip",
    ]
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
PATTERNS = st.lists(
    st.sampled_from(["*.md", "!a.md", "/a", "b/", "a/**", "!b", "*", "**/a.md", "!*.txt"]), max_size=3
)


@settings(max_examples=150, deadline=None)
@given(
    files=st.dictionaries(PATHS, st.integers(0, 12), max_size=10),
    links=st.dictionaries(PATHS, PATHS, max_size=2),
    ignores=st.dictionaries(
        st.tuples(st.sampled_from(["", "a/", "b/"]), st.sampled_from([".gitignore", ".dowseignore"])),
        PATTERNS,
        max_size=3,
    ),
    include=PATTERNS,
    exclude=PATTERNS,
    below=st.sampled_from(["", "a/"]),
    flags=st.tuples(st.booleans(), st.booleans()),
)
def test_a_verdict_agrees_with_the_walk(
    files: dict[str, int],
    links: dict[str, str],
    ignores: dict[tuple[str, str], list[str]],
    include: list[str],
    exclude: list[str],
    below: str,
    flags: tuple[bool, bool],
) -> None:
    """Whatever is in a folder, exactly what the walk finds is said to be included."""
    wanted = DiscoverySettings(
        max_file_bytes=8, max_document_bytes=10, uses_gitignore=flags[0], includes_hidden=flags[1],
        include=tuple(include), exclude=tuple(exclude), include_below=below, exclude_below=below,
    )  # fmt: skip
    root = Path(tempfile.mkdtemp())
    try:
        for (folder, name), lines in ignores.items():
            write(root / folder / name, "\n".join(lines))
        for path, size in files.items():
            write(root / path, "x" * size)
        for path, target in links.items():
            link(root / path, root / target)
        found = {item.key for item in iter_files(root, wanted) if isinstance(item, SourceItem)}
        there = [
            Path(around, name) for around, folders, names in os.walk(root) for name in (*names, *folders)
        ]
        verdicts = [explain_path(root, path, wanted) for path in there]
        included = {item.subject for item in verdicts if item.rule == "included"}
        assert found == included
        assert all(explain_path(root, path, wanted).is_included for path in found)
    finally:
        shutil.rmtree(root)


def write(path: Path, text: str) -> None:
    """Writes a file unless something is in the way."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError:
        pass


def link(path: Path, target: Path) -> None:
    """Makes a link unless something is in the way."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    except OSError:
        pass
