"""When words alone answer, or not all vectors count: which requests allow it, and what is said then."""

from typing import TYPE_CHECKING

from dowse.errors import ConfigError, ModelDamagedError, ModeUnavailableError, ResourceError
from dowse.schema import Problem, SearchRequest

if TYPE_CHECKING:
    from dowse.storage.live_vectors import LiveVectors

MEANING_MODES = frozenset({"auto", "hybrid", "semantic"})
NO_MEANING_ERRORS = (ConfigError, ResourceError, ModelDamagedError, ModeUnavailableError)
"""What an embedder raises that is missing, out of order, configured as it cannot be, or not the one that made
the vectors."""


def needs_vectors(request: SearchRequest) -> bool:
    """Says of a request that looks at meaning whether words alone would be no answer to it."""
    return request.mode != "auto" or bool(request.hypothesis)


def no_meaning(message: str, hint: str) -> Problem:
    """Returns what is said when words alone answer."""
    return Problem("no-meaning", "search by meaning is off", message, hint)


def list_damaged(vectors: "LiveVectors") -> tuple[Problem, ...]:
    """Returns which segments of vectors were passed over."""
    return tuple(
        Problem("damaged-vectors", folder, "these vectors cannot be used", "dowse doctor --repair")
        for folder in vectors.damaged
    )
