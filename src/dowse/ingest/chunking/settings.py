"""How chunks are cut."""

from msgspec import Struct

from dowse.errors import InvalidParameterError

STRATEGIES = ("structure", "paragraph", "sentence", "recursive", "words")
MIN_WORDS = 8
MAX_WORDS = 5_000
_REVISION = 1
"""Raised whenever the same settings would cut differently, so that an index is read anew."""


class ChunkingSettings(Struct, frozen=True):
    """What the chunkers are built from.

    Attributes:
        strategy: One of `STRATEGIES`. max_words: Longest chunk, in words as
            `dowse.ingest.chunking.measure` counts them. overlap_words: How much of a window is
            repeated in the next one; at most half of `max_words`.
    """

    strategy: str = "structure"
    max_words: int = 320
    overlap_words: int = 40

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise InvalidParameterError(
                name="strategy", value=self.strategy, legal=f"one of: {', '.join(STRATEGIES)}"
            )
        if not MIN_WORDS <= self.max_words <= MAX_WORDS:
            raise InvalidParameterError(
                name="max_words", value=self.max_words, legal=f"from {MIN_WORDS} to {MAX_WORDS}"
            )
        if not 0 <= self.overlap_words <= self.max_words // 2:
            raise InvalidParameterError(
                name="overlap_words",
                value=self.overlap_words,
                legal=f"from 0 to half of max_words, which is {self.max_words // 2}",
            )

    def fingerprint(self) -> str:
        """Returns a text that is equal exactly when chunks come out equal."""
        return f"{self.strategy}/{self.max_words}/{self.overlap_words}/{_REVISION}"
