"""Discovery and reading: one rule a test, on real folders."""

import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.errors import FolderNotFoundError, InvalidParameterError
from dowse.ingest import DiscoverySettings, Skipped, SourceItem, iter_files, read_file
from dowse.ingest.filters import is_secret_name
from dowse.ingest.formats import FORMATS
from dowse.ingest.ignore_rules import DiscoveryRules
from dowse.schema import Problem

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def make(root: Path, *paths: str) -> None:
    """Creates files with a few bytes each."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("text\n")


def walk(root: Path, **settings: object) -> list[str]:
    """Returns the paths found; there must be no problems."""
    items = list(iter_files(root, DiscoverySettings(**settings)))  # type: ignore[arg-type]
    assert [item for item in items if isinstance(item, Problem)] == []
    return [item.key for item in items if isinstance(item, SourceItem)]


def problems(root: Path, **settings: object) -> list[tuple[str, str]]:
    """Returns code and place of each problem."""
    items = iter_files(root, DiscoverySettings(**settings))  # type: ignore[arg-type]
    return [(item.code, item.location) for item in items if isinstance(item, Problem)]


def test_files_come_sorted_with_size_and_time(tmp_path: Path) -> None:
    """Depth first, each folder by name; what is found can be opened."""
    make(tmp_path, "b.md", "a/z.md", "a/b.txt", "c/README", "B.md")
    assert walk(tmp_path) == ["B.md", "a/b.txt", "a/z.md", "b.md", "c/README"]
    found = next(iter(iter_files(tmp_path, DiscoverySettings())))
    assert isinstance(found, SourceItem)
    status = (tmp_path / "B.md").stat()
    assert (5, status.st_mtime_ns) == (found.size, found.mtime_ns)
    assert read_file(found, 100) == b"text\n"


def test_other_kinds_are_counted_not_reported(tmp_path: Path) -> None:
    """What is passed over appears in the counts by reason."""
    make(tmp_path, "a.png", "b.MP3", "c.md", ".hidden.md", ".git/x.md", "._d.md", ".env", "id_rsa")
    skipped = Skipped()
    assert [item.key for item in iter_files(tmp_path, DiscoverySettings(), skipped)] == ["c.md"]  # type: ignore[union-attr]
    expected = {"binary-file": 2, "hidden": 1, "pruned-folder": 1, "excluded-name": 1, "secret": 2}
    assert expected == dict(skipped.by_reason)
    assert skipped.total == 7


def test_unknown_kinds_are_found(tmp_path: Path) -> None:
    """Whether a file of unknown kind is text is seen when it is read, not before."""
    make(tmp_path, "a.xyz", "b", "c.unheard-of", "d.min.js", "e.js.map")
    assert walk(tmp_path) == ["a.xyz", "b", "c.unheard-of"]


def test_an_extractor_wins_over_the_table_of_binary_extensions() -> None:
    """No format that is read is passed over by its name, whatever the table says."""
    admission = DiscoveryRules(DiscoverySettings())
    names = [f"a{ending}" for row in FORMATS for ending in row.extensions.split()]
    assert [] == [name for name in names if admission.refuse_file(name, name, ()) == "binary-file"]


def test_documents_may_be_larger_than_texts(tmp_path: Path) -> None:
    """A mailbox has the larger cap; a text of the same size has not."""
    make(tmp_path, "a.md", "b.mbox", "c.zip", "d")
    settings = DiscoverySettings(max_file_bytes=4, max_document_bytes=5)
    items = list(iter_files(tmp_path, settings))
    assert ["b.mbox", "c.zip"] == [item.key for item in items if isinstance(item, SourceItem)]
    problems = [item for item in items if isinstance(item, Problem)]
    assert [("too-large", "a.md"), ("too-large", "d")] == [(item.code, item.location) for item in problems]
    assert "discovery.max_file_bytes 5" in problems[0].hint


def test_pruned_and_hidden_folders_are_not_walked(tmp_path: Path) -> None:
    """Stores, caches and dot folders; with hidden ones wanted, only the pruned stay out."""
    make(tmp_path, "node_modules/a.md", "x/__pycache__/b.md", ".notes/c.md", ".ssh/d.md", "e.md")
    assert walk(tmp_path) == ["e.md"]
    assert walk(tmp_path, includes_hidden=True) == [".notes/c.md", "e.md"]


def test_build_folders_are_pruned_only_in_projects(tmp_path: Path) -> None:
    """A folder of notes called build is walked; beside a package.json it is output."""
    make(tmp_path, "notes/build/a.md", "app/build/b.md", "app/package.json")
    assert walk(tmp_path) == ["app/package.json", "notes/build/a.md"]


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".env.local",
        "prod.env",
        "id_rsa",
        "id_ed25519.txt",
        "server.pem",
        "x.KEY",
        "credentials.txt",
        ".netrc",
        "passwords.txt",
        "github-recovery-codes.txt",
        "store.kdbx",
        "client_secret_1.json",
        ".vault-token",
        "github_token.txt",
        "token.json",
        "api_key.txt",
        "my-access-token",
        "prod-credentials.json",
        "prod.tfvars",
        ".bash_history",
        "krb5.keytab",
    ],
)
def test_secrets_are_known_by_name(name: str) -> None:
    """Keys, environment files and password lists."""
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "environment.md", "keys.md", "monkey.md", "Passwords.md", "secret garden.txt", "tokenizer.json",
        "tokens.md", "history.txt", "api_key.py", "session-keys.md", "hotkeys.txt",
    ],
)
def test_writing_about_secrets_is_not_secret(name: str) -> None:
    """Notes whose name merely has such a word are read."""
    assert not is_secret_name(name)


def test_ignore_files_nest(tmp_path: Path) -> None:
    """Deeper rules win, .dowseignore after .gitignore, an ignored folder hides all below."""
    make(tmp_path, "a.md", "b.md", "x/a.md", "x/b.md", "gone/keep.md", "y/c.txt")
    (tmp_path / ".gitignore").write_text("a.md\n/gone/\n!gone/keep.md\n*.txt\n")
    (tmp_path / "x/.gitignore").write_text("!a.md\n")
    (tmp_path / ".dowseignore").write_text("b.md\n!c.txt\n")
    assert walk(tmp_path) == ["x/a.md", "y/c.txt"]
    assert walk(tmp_path, uses_gitignore=False) == ["a.md", "gone/keep.md", "x/a.md", "y/c.txt"]


def test_include_and_exclude_patterns(tmp_path: Path) -> None:
    """Patterns of the settings use the same syntax."""
    make(tmp_path, "docs/a.md", "docs/b.txt", "c.md")
    assert walk(tmp_path, include=("docs/**",), exclude=("*.txt",)) == ["docs/a.md"]
    assert walk(tmp_path, include=("docs",), exclude=("*.txt",)) == ["docs/a.md"]


def test_patterns_may_be_relative_to_a_folder_above(tmp_path: Path) -> None:
    """A project's patterns mean the same files when only a part of the project is walked."""
    make(tmp_path, "docs/a.md", "docs/b/c.md", "docs/d/c.md", "docs/d/e.md")
    below = {"include_below": "docs/", "exclude_below": "docs/"}
    assert walk(tmp_path / "docs", exclude=("/docs/b", "/d"), **below) == ["a.md", "d/c.md", "d/e.md"]
    assert walk(tmp_path / "docs", include=("/docs/*/c.md", "/a.md"), **below) == ["b/c.md", "d/c.md"]


def test_large_file_is_a_problem(tmp_path: Path) -> None:
    """The cap is inclusive, and the problem has a hint."""
    (tmp_path / "a.md").write_bytes(b"x" * 11)
    assert problems(tmp_path, max_file_bytes=10) == [("too-large", "a.md")]
    assert walk(tmp_path, max_file_bytes=11) == ["a.md"]


def test_missing_root_is_an_error_at_once(tmp_path: Path) -> None:
    """The call itself raises, for a missing folder and for a file."""
    make(tmp_path, "a.md")
    for root in (tmp_path / "none", tmp_path / "a.md"):
        with pytest.raises(FolderNotFoundError):
            iter_files(root, DiscoverySettings())


def test_links_stay_in_the_tree(tmp_path: Path) -> None:
    """A link to a file inside is followed; outwards, to folders, secrets or nowhere it is not."""
    root = tmp_path / "root"
    make(root, "real/a.md", ".env", ".hidden/h.md")
    make(tmp_path, "outside.md")
    (root / "in.md").symlink_to(root / "real/a.md")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "loop").symlink_to(root)
    (root / "folder.md").symlink_to(root / "real")
    (root / "secret.md").symlink_to(root / ".env")
    (root / "hidden.md").symlink_to(root / ".hidden/h.md")
    (root / "broken.md").symlink_to(root / "nothing")
    assert walk(root) == ["in.md", "real/a.md"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_odd_names_are_shown_and_indexed(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 and control characters are written \\xNN, with a problem."""
    for name in (b"caf\xe9.md", b"new\nline.md"):
        Path(os.fsdecode(bytes(tmp_path) + b"/" + name)).write_text("x")
    items = list(iter_files(tmp_path, DiscoverySettings()))
    found = [item for item in items if isinstance(item, SourceItem)]
    assert [item.key for item in found] == ["caf\\xe9.md", "new\\x0aline.md"]
    assert (
        len([item for item in items if isinstance(item, Problem) and item.code == "odd-file-name"])
        == 2
    )
    assert [read_file(item, 10) for item in found] == [b"x", b"x"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems normalise names")
def test_names_are_composed_and_stay_unique(tmp_path: Path) -> None:
    """Paths are NFC; a second file that looks the same gets a number."""
    make(tmp_path, "e\u0301.md")
    assert walk(tmp_path) == ["\u00e9.md"]
    make(tmp_path, "\u00e9.md")
    assert problems(tmp_path) == [("odd-file-name", "\u00e9~2.md")]


@pytest.mark.skipif(IS_ROOT, reason="root may read everything")
def test_unreadable_places_are_problems(tmp_path: Path) -> None:
    """A closed folder and a closed file stop nothing."""
    make(tmp_path, "a/x.md", "b.md", "c.md")
    (tmp_path / "a").chmod(0)
    (tmp_path / "b.md").chmod(0)
    try:
        assert problems(tmp_path) == [("unreadable-folder", "a")]
        found = [
            item
            for item in iter_files(tmp_path, DiscoverySettings())
            if isinstance(item, SourceItem)
        ]
        results = [read_file(item, 100) for item in found]
    finally:
        (tmp_path / "a").chmod(0o700)
    assert isinstance(results[0], Problem)
    assert (results[0].code, results[1]) == ("unreadable-file", b"text\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_special_files_are_never_read(tmp_path: Path) -> None:
    """A pipe or socket with a tempting name is passed over, and does not hang the reader."""
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        before = Path.cwd()
        os.chdir(tmp_path)
        try:
            server.bind("sock.md")
        finally:
            os.chdir(before)
        assert walk(tmp_path) == []
        for name in ("pipe.md", "sock.md"):
            result = read_file(SourceItem(name, str(tmp_path / name), 0, 0), 10)
            assert isinstance(result, Problem)
            assert result.code == "special-file"


def test_a_file_may_vanish_or_grow(tmp_path: Path) -> None:
    """What changed since the walk is a problem, not an exception."""
    make(tmp_path, "a.md")
    gone = read_file(SourceItem("b.md", str(tmp_path / "b.md"), 5, 0), 10)
    grown = read_file(SourceItem("a.md", str(tmp_path / "a.md"), 1, 0), 4)
    assert isinstance(gone, Problem)
    assert isinstance(grown, Problem)
    assert (gone.code, grown.code) == ("vanished", "too-large")


@pytest.fixture
def deep_folder(tmp_path: Path) -> Iterator[Path]:
    """A tree deeper than Python's recursion limit, removed again because pytest could not."""
    before = Path.cwd()
    depth = sys.getrecursionlimit() + 200
    try:
        os.chdir(tmp_path)
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
        yield tmp_path
        for _ in range(depth):
            os.chdir("..")
            Path("d").rmdir()
    finally:
        os.chdir(before)


def test_deep_folders_do_not_exhaust_the_stack(deep_folder: Path) -> None:
    """The walk keeps its own stack."""
    make(deep_folder, "e.md")
    assert walk(deep_folder) == ["e.md"]


def test_settings_refuse_a_senseless_cap() -> None:
    """A cap below one byte is a mistake."""
    with pytest.raises(InvalidParameterError):
        DiscoverySettings(max_file_bytes=0)
