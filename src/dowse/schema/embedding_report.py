"""What an index reports about the model that makes its vectors."""

from msgspec import Struct

from dowse.schema.coverage import Coverage


class EmbeddingReport(Struct, frozen=True):
    """Whether vectors can be made and searched, without loading the model.

    Attributes:
        model: What makes vectors; empty when they are switched off.
        is_enabled: Whether the configuration wants vectors at all.
        unavailable: Why nothing can be embedded; empty when it can.
        is_prepared: Whether static vectors can be made at once, without preparing the model first.
        coverage: How many chunks have vectors of this model; None when none has.
        missing: Why there are no vectors, or why those that are there cannot be used; empty when all is well.
    """

    model: str
    is_enabled: bool
    unavailable: str = ""
    is_prepared: bool = False
    coverage: Coverage | None = None
    missing: str = ""
