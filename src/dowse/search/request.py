"""What a face asks and what it gets back: plain frozen values, the same for every face."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.explanation import Explanation
from dowse.planning.synonyms import SynonymRule
from dowse.schema import Problem

# A search by words alone does not wait for vectors.
if TYPE_CHECKING:
    from dowse.storage.live_vectors import Coverage

MAX_LIMIT = 10_000
WORDS = ("most", "all", "any")
FUZZY = ("auto", "always", "never")
EXPANSIONS = ("none", "prf", "vocabulary")
SCANS = ("fast", "careful", "exact")
MAX_RERANK_MS = 600_000
DEFAULT_FUSION = "calibrated"
SAYS_SOMETHING = "write what an answer could say"


class SearchRequest(Struct, frozen=True):
    """One question.

    Attributes:
        query: As typed, in the query language.
        also: More queries, each read on its own; hits of any of them answer.
        tree: Only documents of this tree; ``None`` for all.
        under: Only documents whose path starts with this folder (``guide/``); empty for all.
        limit: Most hits to return, 1 to 10,000.
        offset: Hits to skip, counted after ranking.
        mode: How the query is read and scored (`search.modes`).
        preset: Named set of field boosts and parameters (`scoring.PRESETS`).
        model: Scoring model by name; ``None`` for the mode's own.
        parameters: Numbers for the mode and the model, by name.
        fields: Only these fields are looked at; empty for all.
        words: What words side by side mean: ``most`` of them (ranked, any is enough), ``all`` or ``any``.
        fuzzy: ``auto`` tries similar words when nothing matches, ``always`` from the start, ``never``.
        synonyms: Rules for words that mean the same (`dowse.parse_synonyms`).
        strict: Whether a query that is not well formed is an error instead of being read as well as it goes.
        explain: Whether each hit carries the explanation of its score.
        snippets: Whether each hit carries title, lines and snippet; without, only keys and scores.
        query_tree: Whether the response shows how the query was read.
        fusion: How words and meaning become one ranking (`dowse.fusion.FUSIONS`).
        scan: How closely vectors are looked at: ``fast`` (a rough look at all, a second one at the best),
            ``careful`` (a second look at more), or ``exact`` (a close look at all).
        hypothesis: A text that an answer could have; its meaning is looked for instead of the query's.
        expand: Which words are added to the query: ``none``, ``prf`` (from the best hits) or ``vocabulary``
            (the nearest of the model's own words).
        dedupe: Whether hits that say the same as a better one are folded into it.
        diversify: How much relevance counts against variety, 0 to 1; ``None`` leaves the order alone.
        rerank: Whether a model judges the first hits again, mixed into their scores.
        rerank_ms: How long that may take, in milliseconds.
    """

    query: str
    tree: str | None = None
    under: str = ""
    limit: int = 10
    offset: int = 0
    mode: str = "auto"
    preset: str = "default"
    model: str | None = None
    parameters: tuple[tuple[str, float], ...] = ()
    fields: tuple[str, ...] = ()
    words: Literal["most", "all", "any"] = "most"
    fuzzy: Literal["auto", "always", "never"] = "auto"
    synonyms: tuple[SynonymRule, ...] = ()
    strict: bool = False
    explain: bool = False
    snippets: bool = True
    also: tuple[str, ...] = ()
    query_tree: bool = False
    fusion: str = DEFAULT_FUSION
    scan: Literal["fast", "careful", "exact"] = "fast"
    hypothesis: str = ""
    expand: Literal["none", "prf", "vocabulary"] = "none"
    dedupe: bool = False
    diversify: float | None = None
    rerank: bool = False
    rerank_ms: int = 3000

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_LIMIT:
            raise InvalidParameterError(
                name="limit", value=self.limit, legal=f"legal values are 1 to {MAX_LIMIT}"
            )
        if self.offset < 0:
            raise InvalidParameterError(
                name="offset", value=self.offset, legal="legal values are 0 and up"
            )
        if self.words not in WORDS:
            raise InvalidParameterError(name="words", value=self.words, legal=_one_of(WORDS))
        if self.fuzzy not in FUZZY:
            raise InvalidParameterError(name="fuzzy", value=self.fuzzy, legal=_one_of(FUZZY))
        if self.expand not in EXPANSIONS:
            raise InvalidParameterError(name="expand", value=self.expand, legal=_one_of(EXPANSIONS))
        if self.hypothesis.isspace():
            raise InvalidParameterError(name="the hypothesis", value="empty", legal=SAYS_SOMETHING)
        if self.scan not in SCANS:
            raise InvalidParameterError(name="scan", value=self.scan, legal=_one_of(SCANS))
        if self.diversify is not None and not 0 <= self.diversify <= 1:
            raise InvalidParameterError(
                name="diversify", value=self.diversify, legal="legal values are 0 to 1"
            )
        if not 0 <= self.rerank_ms <= MAX_RERANK_MS:
            raise InvalidParameterError(
                name="rerank_ms", value=self.rerank_ms, legal=f"legal values are 0 to {MAX_RERANK_MS}"
            )

    @property
    def has_stages(self) -> bool:
        """Whether anything is done beyond matching and scoring."""
        return self.expand != "none" or self.dedupe or self.rerank or self.diversify is not None


def _one_of(values: Sequence[str]) -> str:
    return f"legal values are {', '.join(values)}"


class Snippet(NamedTuple):
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
        place: Where in its source it is when lines do not say it: ``page 12``, ``sheet Budget, cell A5``.
        keeps_lines: Whether the lines are those of the file, and not of the text made of it.
        file_stamp: Size and modification time of the file when it was indexed.
        is_stale: Whether the file has changed since.
        folded: How many hits that say the same it stands for.
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
    place: str = ""
    keeps_lines: bool = True
    file_stamp: tuple[int, int] | None = None
    is_stale: bool = False
    folded: int = 0


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
        query_tree: How the query was read, one line a part, when the request asks for it.
        coverage: How many chunks had vectors, when any were looked at.
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
    coverage: "Coverage | None" = None

    @property
    def ms(self) -> float:
        """Time from request to response, in milliseconds."""
        return sum(stage.ms for stage in self.stages)
