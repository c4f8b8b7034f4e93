"""The protocol of an extractor: from the bytes of one file to text with structure."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from dowse.ingest.decoding import REFUSED
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import MAX_TITLE_CHARS
from dowse.schema import Anchor, Link, Problem, Section


class Extracted(NamedTuple):
    """What an extractor found in one file.

    Attributes:
        text: The stored text, valid UTF-8.
        title: Never empty.
        sections: In document order; section 0 spans the whole text.
        lines: Where the lines of `text` start.
        code_spans: Byte ranges of code in `text`, ascending, not touching each other.
        tags: Without ``#``, in order of appearance, no duplicates.
        metadata: JSON-serialisable.
        problems: What was wrong; the rest is still good.
        anchors: Where pages, slides, cells and the like begin, ascending.
        has_source_lines: Whether the lines of `text` are those of the file; not so for a text put together.
    """

    text: bytes
    title: str
    sections: tuple[Section, ...]
    lines: LineTable
    code_spans: tuple[tuple[int, int], ...] = ()
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    metadata: Mapping[str, object] = {}
    problems: tuple[Problem, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    has_source_lines: bool = True

    @property
    def is_refused(self) -> bool:
        """Whether there is no document in this file: it is binary, or a secret."""
        return bool(self.problems) and any(problem.code in REFUSED for problem in self.problems)


class Extractor(Protocol):
    """Reads one format. Implementations hold no state.

    They raise `UnextractableError` when there is nothing to be had from a file; any other exception is
    theirs to avoid, and costs the file all the same (`extraction.extract`).
    """

    @property
    def name(self) -> str:
        """The format's stable name, stored with each document."""
        ...

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads `data`.

        Args:
            data: The whole file.
            path: Serves for the title and for problems, and is never opened.
            allowance: What the file may still expand to; shared with the files inside it.

        Raises:
            UnextractableError: There is no text to be had.
        """
        ...


def choose_title(*candidates: str, path: str) -> str:
    """Returns the first candidate that is not blank, or the file name without its extension."""
    for title in candidates:
        if title and (stripped := title.strip()):
            return stripped[:MAX_TITLE_CHARS]
    name = path.rstrip("/").rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    chosen = stem if dot and stem.strip(".") else name
    return chosen.strip()[:MAX_TITLE_CHARS] or name or "untitled"
