"""One of each: hits that say the same as a better one are folded into it."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from dowse.schema import Parameter
from dowse.search.stages.candidate import Candidate
from dowse.search.stages.likeness import compare_shingles, find_vectors
from dowse.search.stages.stage import Evidence, Reranked, check_parameters

DEPTH = 100
SHINGLE_WORDS = 3
LIKE = Parameter("like", 0.95, 0.0, 1.0, "cosine from which two hits say the same")
SHARED = Parameter("shared", 0.83, 0.0, 1.0, "share of common runs of words, where there are no vectors")


class DuplicatesStage(Struct, frozen=True):
    """Keeps the best of hits that say the same.

    Compared are vectors, or, where too few hits have one, runs of three words by Jaccard (Broder, 1997, "On
    the resemblance and containment of documents"). A hit is compared with those that were kept only, so that
    a chain of small differences does not fold its two ends.
    """

    name: ClassVar[str] = "duplicates"
    purpose: ClassVar[str] = "one of each: hits that say the same as a better one are folded into it"
    parameters: ClassVar[tuple[Parameter, ...]] = (LIKE, SHARED)
    leaves_out: ClassVar[bool] = True
    depth: ClassVar[int] = DEPTH

    like: float = LIKE.default
    shared: float = SHARED.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def rerank(self, candidates: Sequence[Candidate], evidence: Evidence) -> Reranked:
        """Returns those that say something else than all before; beyond the first 100 nothing is compared."""
        if len(candidates) < 2:
            return Reranked(list(candidates), "nothing to compare")
        head = candidates[:DEPTH]
        keys = [one.key for one in head]
        cosines = find_vectors(keys, evidence)
        likeness = cosines or compare_shingles(keys, evidence, SHINGLE_WORDS)
        threshold = self.shared if cosines is None else self.like
        folded: dict[int, int] = {}
        taken = [False] * len(head)
        for place in range(len(head)):
            if taken[place]:
                continue
            same = [at for at in (likeness.row(place) >= threshold).nonzero()[0].tolist() if not taken[at]]
            for at in same:
                taken[at] = True
            taken[place] = True
            folded[place] = sum(at > place for at in same)
        kept = [
            head[place]._replace(duplicate_count=head[place].duplicate_count + count)
            for place, count in folded.items()
        ]
        gone = len(head) - len(kept)
        reason = f"{gone} of {len(head)} folded into better hits, by {likeness.by}, from {threshold:g}"
        return Reranked([*kept, *candidates[DEPTH:]], reason)
