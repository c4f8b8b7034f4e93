"""What goes through the pipeline: what was retrieved, and the batch that stage after stage makes of it."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from dowse.schema import Coverage, Explanation, Problem, Stage
from dowse.search.stages.candidate import Candidate

NOTHING: Mapping[int, tuple[int, ...]] = MappingProxyType({})
NO_FACETS: Mapping[str, Mapping[str, int]] = MappingProxyType({})


class Batch(Struct, frozen=True):
    """The candidates of an answer, and what was found out about them.

    Attributes:
        candidates: By chunk key, best first.
        groups: By the key of a candidate, the keys of those it stands for.
        facets: By field, how many candidates have each value.
        notes: What stages did, one line each.
        problems: What they could not do.
    """

    candidates: Sequence[Candidate]
    groups: Mapping[int, tuple[int, ...]] = NOTHING
    facets: Mapping[str, Mapping[str, int]] = NO_FACETS
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    def noted(self, note: str, candidates: Sequence[Candidate] | None = None) -> "Batch":
        """Returns the batch with a line about what was done, and the candidates that are left, if others."""
        return replace(
            self,
            candidates=self.candidates if candidates is None else candidates,
            notes=(*self.notes, note),
        )

    def lacking(self, problem: Problem) -> "Batch":
        """Returns the batch with something that could not be done."""
        return replace(self, problems=(*self.problems, problem))


class Retrieved(Struct, frozen=True):
    """What retrieval found, before any stage.

    Attributes:
        candidates: By chunk key, best first, as many as the stages of the request need.
        total: Chunks that match.
        total_is_exact: False when `total` is a lower bound.
        interpretation: The query as it was understood.
        question: The query in plain words, for models.
        stages: How long each step took.
        find_highlights: Returns the terms to highlight.
        explain: From a chunk key to the explanation of its score.
        note_impressions: Hears the keys of the chunks that the answer shows.
    """

    candidates: Sequence[Candidate]
    total: int
    total_is_exact: bool
    interpretation: str
    question: str
    stages: tuple[Stage, ...]
    find_highlights: Callable[[], frozenset[str]]
    explain: Callable[[int], Explanation]
    problems: tuple[Problem, ...] = ()
    is_fuzzy: bool = False
    suggestion: str = ""
    query_tree: tuple[str, ...] = ()
    coverage: Coverage | None = None
    note_impressions: Callable[[Sequence[int]], None] | None = None
