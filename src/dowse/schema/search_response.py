"""The answer to a request: hits with snippets, what each stage did, and what went wrong."""

from msgspec import Struct

from dowse.schema.coverage import Coverage
from dowse.schema.explanation import Explanation
from dowse.schema.problem import Problem
from dowse.schema.search_request import SearchRequest


class Snippet(Struct, frozen=True):
    """The part of a chunk that answers best.

    Attributes:
        text: Taken from the stored text as it is, white space folded.
        highlights: Half-open character ranges in `text` that matched, ascending, not overlapping.
        line: Line of the stored text where the first highlight (or the snippet) starts.
    """

    text: str
    highlights: tuple[tuple[int, int], ...]
    line: int


class Hit(Struct, frozen=True):
    """One chunk that answers.

    Attributes:
        rank: 1 for the best hit, continuing over pages.
        score: What it was ranked by; comparable within one response only.
        section_path: Titles of the sections around the chunk, outermost first, without the document's.
        file: Absolute path of the file, or ``None`` for a pushed text.
        locator: Where in its source it is when lines do not say it: ``page 12``, ``sheet Budget, cell A5``.
        has_source_lines: Whether the lines are those of the file, and not of the text made from it.
        file_stamp: Size and modification time of the file when it was indexed.
        is_stale: Whether the file has changed since.
        duplicate_count: How many near-duplicate hits it stands for.
    """

    rank: int
    score: float
    tree: str
    doc_key: str
    chunk: int
    title: str = ""
    section_path: tuple[str, ...] = ()
    slug: str = ""
    file: str | None = None
    line_start: int = 0
    line_end: int = 0
    snippet: Snippet | None = None
    explanation: Explanation | None = None
    locator: str = ""
    has_source_lines: bool = True
    file_stamp: tuple[int, int] | None = None
    is_stale: bool = False
    duplicate_count: int = 0


class Stage(Struct, frozen=True):
    """One step of the answer: how long it took, how many hits went in and came out, and why."""

    name: str
    ms: float
    hits_in: int
    hits_out: int
    note: str = ""


class SearchResponse(Struct, frozen=True):
    """The answer to one request.

    Attributes:
        total: Chunks that match.
        total_is_exact: False when pruning stopped counting; `total` is then a lower bound.
        interpretation: The query as Dowse understood it, in canonical form.
        is_fuzzy: True when nothing matched as typed and similar words were searched for instead.
        suggestion: The query with its unknown words replaced by likely ones; empty when there is none.
        problems: What could not be understood or read; the hits are valid without it.
        query_tree: How the query was read, one line per part, when the request asks for it.
        coverage: How many chunks had vectors, when any were looked at.
        is_partial: True when time ran out or the search was cancelled before all of it was done; the problems
            name what was left out.
    """

    request: SearchRequest
    hits: tuple[Hit, ...]
    total: int
    total_is_exact: bool
    interpretation: str
    generation: int
    stages: tuple[Stage, ...]
    problems: tuple[Problem, ...] = ()
    is_fuzzy: bool = False
    suggestion: str = ""
    query_tree: tuple[str, ...] = ()
    coverage: Coverage | None = None
    is_partial: bool = False

    @property
    def ms(self) -> float:
        """Time from request to response, in milliseconds."""
        return sum(stage.ms for stage in self.stages)
