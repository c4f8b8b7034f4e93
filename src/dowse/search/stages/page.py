"""The page that was asked for."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from dowse.schema import SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import StageContext
from dowse.search.stages.candidate import Candidate
from dowse.search.stages.stage import Need


class Page:
    """Cuts the page out of the ranking: ranking happens before paging, so page two continues page one."""

    name: ClassVar[str] = "page"
    purpose: ClassVar[str] = "the page that was asked for"
    options: ClassVar[tuple[str, ...]] = ("limit", "offset")
    needs: ClassVar[frozenset[Need]] = frozenset()
    leaves_out: ClassVar[bool] = True

    def is_wanted(self, request: SearchRequest) -> bool:
        """Says yes: every answer is a page."""
        return True

    def depth(self, request: SearchRequest) -> int:
        """Returns where the page ends."""
        return request.offset + request.limit

    def run(self, batch: Batch, context: StageContext) -> Batch:
        """Returns the candidates of the page."""
        return replace(batch, candidates=cut_page(batch.candidates, context.request))


def cut_page(candidates: Sequence[Candidate], request: SearchRequest) -> Sequence[Candidate]:
    """Returns the candidates of the page that a request asks for."""
    return candidates[request.offset : request.offset + request.limit]
