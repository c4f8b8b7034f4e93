"""The vectors of one store: opened with a generation, made and restored by the embedding tier."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dowse.engine.generations import Generations
from dowse.engine.writing import Writing
from dowse.storage.failures import storage_failures
from dowse.storage.snapshot import Snapshot
from dowse.storage.store import Store
from dowse.storage.stored_vector_segments import has_vectors, list_names_with_vectors

# A search by words alone loads nothing of vectors.
if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingListener, EmbeddingTier
    from dowse.schema import Coverage
    from dowse.storage.joined_vectors import ChunkVectors
    from dowse.storage.live_vectors import LiveVectors


class StoredVectors:
    """What a store has of the chosen model's vectors.

    Args:
        store: The index.
        generations: Its generations.
        writing: What must have nothing pending while vectors are made.
        get_tier: Returns what knows the model; called only when vectors are asked for.
    """

    def __init__(
        self,
        store: Store,
        generations: Generations,
        writing: Writing,
        get_tier: "Callable[[], EmbeddingTier]",
    ) -> None:
        self._store, self._generations, self._writing = store, generations, writing
        self._get_tier = get_tier
        self._opened: tuple[Snapshot, LiveVectors | None] | None = None

    def has_any(self, snapshot: Snapshot) -> bool:
        """Says whether any model has made vectors for this store; loads nothing."""
        return has_vectors(snapshot)

    def find(self, snapshot: Snapshot) -> "LiveVectors | None":
        """Returns the chosen model's vectors of a generation, opened once; None when it made none."""
        known = self._opened
        if known is not None and known[0] is snapshot:
            return known[1]
        found = None
        if self.has_any(snapshot):
            from dowse.storage.live_vectors import open_live_vectors

            model = self._get_tier().find_known_model(snapshot)
            if model is not None:
                before = None if known is None else known[1]
                found = open_live_vectors(self._store, snapshot, model, before)
        # Another thread may answer from another generation: what is returned belongs to this one.
        self._opened = snapshot, found
        return found

    def list_makers(self, snapshot: Snapshot) -> list[str]:
        """Returns the names of the models that made vectors for this store."""
        return list_names_with_vectors(snapshot)

    def note_shown(self, vectors: "ChunkVectors", keys: Sequence[int]) -> None:
        """Notes which chunks an answer shows that the model has not read: it reads these next."""
        unread = vectors.find_unread(keys)
        if unread:
            self._store.impressions.add(unread)

    def coverage(self) -> "Coverage | None":
        """Returns how many chunks have vectors of the chosen model; None when it has made none yet."""
        vectors = self.find(self._generations.current())
        return None if vectors is None else vectors.coverage

    def embed(self, listener: "EmbeddingListener | None", *, with_model: bool) -> "Coverage | None":
        """Gives chunks their vectors; see `Index.embed`."""
        if not self._get_tier().is_enabled:
            return None
        from dowse.engine.embeddings import SILENT

        self._writing.release()  # others may write while vectors are being made
        with storage_failures(self._store.home):
            self._get_tier().embed_index(
                self._store,
                self._generations.current,
                self._writing.transaction,
                listener or SILENT,
                with_model=with_model,
            )
        return self.coverage()

    def restore(self) -> int:
        """Gives chunks without a vector those of the same texts made before; see `Index.restore_vectors`."""
        if not self._get_tier().is_enabled:
            return 0
        self._writing.release()
        with storage_failures(self._store.home):
            return self._get_tier().restore_vectors(
                self._store, self._generations.current, self._writing.transaction
            )
