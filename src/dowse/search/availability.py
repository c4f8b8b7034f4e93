"""Whether one generation of an index can be searched by vectors, and what it takes: one value.

Most requests need none of it, and each part costs something to open: they are fetched when asked for.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from msgspec import Struct

from dowse.errors import ConfigError, ModelDamagedError, ModeUnavailableError, ResourceError
from dowse.remedy import Remedy
from dowse.schema import Problem

if TYPE_CHECKING:
    from dowse.embedding import Embedder
    from dowse.storage.joined_vectors import ChunkVectors

SEMANTIC_MODES = frozenset({"auto", "hybrid", "semantic"})
EMBEDDING_ERRORS = (ConfigError, ResourceError, ModelDamagedError, ModeUnavailableError)
"""What an embedder raises that is missing, out of order, configured as it cannot be, or not the one that made
the vectors."""


def _no_embedder(asked: str) -> "Embedder":
    raise ModeUnavailableError(name=asked, needs="vectors", remedy="this index makes none")


def _note_nothing(keys: Sequence[int]) -> None:
    pass


def _say_nothing() -> Problem | None:
    return None


def _refuse(asked: str) -> NoReturn:
    raise ModeUnavailableError(name=asked, needs="vectors", remedy="this index makes none")


class Availability(Struct, frozen=True):
    """What a generation can do by vectors.

    Attributes:
        vectors: Those of the chosen model; None when it made none.
        is_usable: Whether queries are answered by them: there are some, and they are not switched off.
        is_noteworthy: Whether the default mode says why it does without: there are vectors, and none to be
            used.
        open_embedder: Returns what embeds queries and passages as the vectors were made; given who asks, for
            the error. Loads the model when first asked; raises one of `EMBEDDING_ERRORS`.
        note_impressions: Hears the keys of the chunks that an answer shows.
        find_problem: Returns why words alone answer; None when that is what was chosen.
        refuse: Raises why a request that needs vectors cannot be answered, given who asks.
    """

    vectors: "ChunkVectors | None" = None
    is_usable: bool = False
    is_noteworthy: bool = False
    open_embedder: "Callable[[str], Embedder]" = _no_embedder
    note_impressions: Callable[[Sequence[int]], None] = _note_nothing
    find_problem: Callable[[], Problem | None] = _say_nothing
    refuse: Callable[[str], NoReturn] = _refuse


NO_VECTORS = Availability()


def words_only(message: str, hint: str) -> Problem:
    """Returns what is said when words alone answer."""
    return Problem("no-meaning", "search by meaning is off", message, hint)


def list_damaged(vectors: "ChunkVectors") -> tuple[Problem, ...]:
    """Returns which segments of vectors were passed over."""
    return tuple(
        Problem("damaged-vectors", folder, "these vectors cannot be used", Remedy.REPAIR_INDEX)
        for folder in vectors.damaged
    )
