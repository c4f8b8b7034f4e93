"""One of each: hits that say the same as a better one are folded into it."""

from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from dowse.schema import SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import StageContext
from dowse.search.stages.stage import Need

if TYPE_CHECKING:
    from dowse.search.stages.likeness import Likeness

DEPTH = 100
SHINGLE_WORDS = 3
SAME_COSINE = 0.95
"""The cosine from which two hits say the same."""
SAME_SHINGLES = 0.83
"""Where too few hits have vectors, the share of common shingles from which they do."""


class Duplicates:
    """Keeps the best of hits that say the same.

    Compared are vectors, or, where too few hits have one, shingles of three words by Jaccard (Broder, 1997,
    "On the resemblance and containment of documents"). A hit is compared with those that were kept only, so
    that a chain of small differences does not fold its two ends.
    """

    name: ClassVar[str] = "duplicates"
    purpose: ClassVar[str] = "one of each: hits that say the same as a better one are folded into it"
    options: ClassVar[tuple[str, ...]] = ("dedupe",)
    needs: ClassVar[frozenset[Need]] = frozenset({"texts", "vectors"})
    leaves_out: ClassVar[bool] = True

    def is_wanted(self, request: SearchRequest) -> bool:
        """Says whether a request asks for it."""
        return request.dedupe

    def depth(self, request: SearchRequest) -> int:
        """Returns how many hits are compared."""
        return DEPTH

    def run(self, batch: Batch, context: StageContext) -> Batch:
        """Keeps those that say something else than all before; beyond the first 100 nothing is compared."""
        from dowse.search.stages.likeness import compare_shingles, find_vectors  # few searches need it

        head = batch.candidates[:DEPTH]
        if len(head) < 2:
            return batch.noted("nothing to compare")
        keys = [one.key for one in head]
        cosines = find_vectors(keys, context)
        likeness = cosines or compare_shingles(keys, context, SHINGLE_WORDS)
        threshold = SAME_SHINGLES if cosines is None else SAME_COSINE
        folded = _fold(likeness, len(head), threshold)
        groups = dict(batch.groups)
        for place, others in folded.items():
            if others:
                own = head[place].key
                groups[own] = (*groups.get(own, ()), *(head[at].key for at in others))
        gone = len(head) - len(folded)
        note = f"{gone} of {len(head)} folded into better hits, by {likeness.by}, from {threshold:g}"
        kept = [*(head[place] for place in folded), *batch.candidates[DEPTH:]]
        return replace(batch.noted(note, kept), groups=groups)


def _fold(likeness: "Likeness", count: int, threshold: float) -> dict[int, list[int]]:
    """Returns, by the place of each hit that is kept, the places of those that say the same."""
    folded: dict[int, list[int]] = {}
    taken = [False] * count
    for place in range(count):
        if taken[place]:
            continue
        alike = (likeness.row(place) >= threshold).nonzero()[0].tolist()
        same = [at for at in alike if not taken[at]]
        for at in same:
            taken[at] = True
        taken[place] = True
        folded[place] = [at for at in same if at > place]
    return folded
