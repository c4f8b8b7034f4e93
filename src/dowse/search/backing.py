"""What a searcher may borrow from outside its generation: vectors, a judge, a model's vocabulary.

Most requests need none of them, and each costs something to open; so they are fetched when asked for.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from dowse.search.stages.stage import Judge
    from dowse.storage.live_vectors import LiveVectors


class WordsUnavailable(Exception):  # noqa: N818 - not an error: the answer goes on without
    """There is no vocabulary; the text says why, and what would help."""


def _no_vectors() -> "LiveVectors | None":
    return None


def _no_judge() -> "Judge":
    from dowse.search.stages import JudgeUnavailable

    raise JudgeUnavailable("there is no model that judges")


def _no_words(text: str) -> Sequence[tuple[str, float]]:
    raise WordsUnavailable("there is no model with words of its own")


class Backing(Struct, frozen=True):
    """Where the rest comes from.

    Attributes:
        vectors: Returns the generation's vectors; None when it has none.
        judge: Returns what judges question and passage together; raises JudgeUnavailable.
        near_words: From a question to words near it, nearest first, with their cosines; raises
            WordsUnavailable.
    """

    vectors: "Callable[[], LiveVectors | None]" = _no_vectors
    judge: "Callable[[], Judge]" = _no_judge
    near_words: Callable[[str], Sequence[tuple[str, float]]] = _no_words
