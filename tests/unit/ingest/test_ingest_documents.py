"""From bytes to a document."""

import hashlib
import subprocess
import sys

from dowse.ingest import ChunkingSettings, build_chunker, build_document
from dowse.schema import section_path

CHUNKER = build_chunker(ChunkingSettings())


def test_a_file_becomes_a_document() -> None:
    """Everything an index needs, with the hash of the bytes as given."""
    data = b"\xef\xbb\xbf# T\n\n#tag [[x]]\n"
    document, problems = build_document("k", "a/b.md", data, None, CHUNKER)
    assert document is not None
    assert (
        problems, document.doc_key, document.title, document.path, document.format,
    ) == ([], "k", "T", "a/b.md", "markdown")  # fmt: skip
    assert (document.tags, document.links[0].target, len(document.chunks)) == (("tag",), "x", 1)
    assert hashlib.sha256(data).hexdigest() == document.content_hash


def test_given_title_and_tags_come_first() -> None:
    """What the caller says wins over what the text says."""
    document, _ = build_document(
        "k", "", b"# T\n#b", "markdown", CHUNKER, title="Own", tags=("a", "b")
    )
    assert document is not None
    assert (document.title, document.tags) == ("Own", ("a", "b"))


def test_pushed_text_without_a_path_is_titled_by_its_key() -> None:
    """No path, no format: plain text."""
    document, _ = build_document("memo-7", "", b"hello", None, CHUNKER)
    assert document is not None
    assert (document.title, document.format, document.path) == ("memo-7", "text", "")


def test_binary_gives_no_document() -> None:
    """None and one problem."""
    document, problems = build_document("k", "a.md", b"a\0b", None, CHUNKER)
    assert (document, [problem.code for problem in problems]) == (None, ["binary-file"])


def test_section_path_runs_from_the_outermost_heading() -> None:
    """Titles down to the section; nothing for the document itself."""
    document, _ = build_document("k", "a.md", b"# A\n### B\n## C\n", None, CHUNKER)
    assert document is not None
    assert [section_path(document.sections, n) for n in range(4)] == [(), ("A",), ("A", "B"), ("A", "C")]


def test_importing_ingest_loads_no_parser() -> None:
    """markdown-it-py and PyYAML wait until a Markdown file needs them."""
    code = "import sys, dowse.ingest; print(*sorted({'yaml', 'markdown_it'} & set(sys.modules)))"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert answer.stdout.strip() == ""
