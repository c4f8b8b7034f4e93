"""Whether a generation can be searched by vectors: what the store has, and what the chosen model can do."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn, Protocol

from dowse.errors import ConfigError, ModeUnavailableError
from dowse.remedy import Remedy
from dowse.schema import Problem
from dowse.search.availability import Availability, words_only
from dowse.storage.snapshot import Snapshot

if TYPE_CHECKING:
    from dowse.embedding import Embedder
    from dowse.engine.embeddings import EmbeddingTier
    from dowse.storage.joined_vectors import ChunkVectors

MAKE_THEM = Remedy.MAKE_VECTORS


class VectorSource(Protocol):
    """Where the vectors of a generation come from: one tree, or several joined."""

    def has_any(self, snapshot: Snapshot) -> bool:
        """Says whether any model has made vectors; loads nothing."""
        ...

    def list_makers(self, snapshot: Snapshot) -> list[str]:
        """Returns the names of the models that made vectors."""
        ...

    def find(self, snapshot: Snapshot) -> "ChunkVectors | None":
        """Returns the chosen model's vectors of a generation; None when it made none."""
        ...

    def note_shown(self, vectors: "ChunkVectors", keys: Sequence[int]) -> None:
        """Notes which chunks an answer shows that the model has not read."""


def find_availability(
    snapshot: Snapshot, stored: VectorSource, get_tier: "Callable[[], EmbeddingTier]"
) -> Availability:
    """Returns what a generation can do by vectors; without any, nothing of vectors is loaded.

    Args:
        stored: What the store has of the chosen model's vectors.
        get_tier: Returns what knows the model; called only when there are vectors, or somebody needs some.
    """
    vectors = stored.find(snapshot)
    explain, refuse = partial(_find_problem, snapshot, stored, get_tier), partial(_refuse, get_tier)
    if vectors is None:
        is_noteworthy = stored.has_any(snapshot) and get_tier().is_enabled
        return Availability(is_noteworthy=is_noteworthy, find_problem=explain, refuse=refuse)
    return Availability(
        vectors,
        is_usable=get_tier().is_enabled,
        open_embedder=partial(_open_embedder, vectors, get_tier),
        note_impressions=partial(stored.note_shown, vectors),
        find_problem=explain,
        refuse=refuse,
    )


def find_unusable(snapshot: Snapshot, stored: VectorSource, tier: "EmbeddingTier") -> Problem | None:
    """Returns what to say when there are vectors, though none by the chosen model; None without any."""
    if not tier.is_enabled or not stored.has_any(snapshot):
        return None
    try:
        tier.check_configuration()
    except ConfigError as error:  # nobody can say which model is meant
        return words_only(error.message, error.hint)
    names = ", ".join(stored.list_makers(snapshot))
    message = f"the vectors are by {names}, and the chosen model is {tier.model_name}"
    return words_only(message, Remedy.MAKE_VECTORS)


def _find_problem(
    snapshot: Snapshot, stored: VectorSource, get_tier: "Callable[[], EmbeddingTier]"
) -> Problem | None:
    tier = get_tier()
    if not tier.is_enabled:
        return None
    unusable = find_unusable(snapshot, stored, tier)
    return unusable or words_only("the index has no vectors", tier.unavailable_reason() or MAKE_THEM)


def _refuse(get_tier: "Callable[[], EmbeddingTier]", asked: str) -> NoReturn:
    tier = get_tier()
    tier.check_configuration()
    raise ModeUnavailableError(name=asked, needs="vectors", remedy=tier.unavailable_reason() or MAKE_THEM)


def _open_embedder(
    vectors: "ChunkVectors", get_tier: "Callable[[], EmbeddingTier]", asked: str
) -> "Embedder":
    """Returns the embedder that made the vectors; raises ModeUnavailableError when it has changed."""
    embedder = get_tier().get_embedder()
    if embedder.fingerprint != vectors.model.fingerprint:
        needs = "vectors of the model as it is now"
        raise ModeUnavailableError(name=asked, needs=needs, remedy=MAKE_THEM)
    return embedder
