"""The protocol every stage follows."""

from typing import ClassVar, Literal, Protocol

from dowse.schema import SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import StageContext

Need = Literal["texts", "vectors", "cross_encoder"]


class Stage(Protocol):
    """One thing that can be done to a batch of candidates."""

    name: ClassVar[str]
    purpose: ClassVar[str]
    options: ClassVar[tuple[str, ...]]
    """Which options of a request it listens to, by name."""
    needs: ClassVar[frozenset[Need]]
    """What of the context it may ask for."""
    leaves_out: ClassVar[bool]
    """Whether candidates may be missing afterwards."""

    def is_wanted(self, request: SearchRequest) -> bool:
        """Says whether a request asks for it."""
        ...

    def depth(self, request: SearchRequest) -> int:
        """Returns how many of the first candidates it looks at."""
        ...

    def run(self, batch: Batch, context: StageContext) -> Batch:
        """Returns what becomes of a batch whose candidates are best first."""
        ...
