"""Gives chunks their vectors: static ones at once, a model's own as they come.

The queue is the index itself: every live chunk without a vector of the wanted kind is to be embedded. So no
queue must be kept in step with the index, and an interrupted run goes on where it stopped.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

import numpy as np

from dowse.indexing.passages import Passage, read_passages
from dowse.indexing.vector_order import impressions_first, newest_first
from dowse.indexing.vector_writer import VectorWriter
from dowse.kernels.layout import F32
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.live_vectors import LiveVectors
from dowse.storage.store import Store
from dowse.storage.stored_models import MODEL, StoredModel
from dowse.storage.vector_cache import rounded

STATIC_BATCH = 4096
MODEL_BATCH = 256
MODEL_SLICE = 32
"""Chunks between two reports of a model's progress, about a second apart."""
MERGE_EVERY = 8
"""Batches between two checks whether segments are to be merged."""


class PassageEmbedder(Protocol):
    """Makes unit vectors of passages."""

    def embed_passages(self, texts: Sequence[str]) -> F32:
        """Returns one row per text."""
        ...


class VectorListener(Protocol):
    """Is told about progress."""

    def vectors_made(self, done: int, total: int) -> None:
        """Reports that `done` of `total` chunks have their vectors."""


class VectorIndexer:
    """Gives the chunks of one index their vectors by one model.

    Args:
        store: The index.
        model: As the catalogue knows it; `VectorWriter.introduce` makes it known.
        writer: Writes them.
    """

    def __init__(self, store: Store, model: StoredModel, writer: VectorWriter) -> None:
        self._store, self._model, self._writer = store, model, writer

    def run(
        self,
        open_vectors: Callable[[], LiveVectors],
        open_view: Callable[[], CatalogView],
        embedder: PassageEmbedder,
        kind: int,
        listener: VectorListener | None = None,
        at_most: int | None = None,
    ) -> int:
        """Embeds all chunks that have no vector of a kind, the most useful first; returns how many.

        The most useful are those that answers have shown most often, then those of files that changed last.

        Args:
            open_vectors: Returns the vectors of the newest generation.
            open_view: Returns the newest generation, for each batch anew: a reader that
                stays for hours would keep the log from being folded.
            embedder: Makes the vectors.
            kind: `MODEL`, or a kind of static vectors.
            listener: Is told about progress; it may raise to stop, and what is written stays.
            at_most: How many chunks; all when None.
        """
        vectors = self._open_sound(open_vectors)
        missing = vectors.find_missing((MODEL,) if kind == MODEL else (MODEL, kind))
        left, done = newest_first(open_view(), missing), 0
        wanted = len(missing) if at_most is None else min(at_most, len(missing))

        def tell(before: int, made: int) -> None:
            if listener is not None:
                listener.vectors_made(before + made, len(missing))

        size = MODEL_BATCH if kind == MODEL else STATIC_BATCH
        while done < wanted:
            # Asked each time: people search while the model reads.
            left = impressions_first(left, *self._store.impressions.count())
            keys, left = np.split(left, [min(size, wanted - done)])
            passages = read_passages(open_view(), keys.tolist())
            self._embed_batch(passages, embedder, kind, partial(tell, done))
            done += len(keys)
            tell(done, 0)
            if done % (size * MERGE_EVERY) == 0:
                self._writer.merge(open_vectors())
        if done:
            self._writer.merge(open_vectors())
        if kind == MODEL and not len(left):
            self._store.impressions.forget()
        return done

    def restore(
        self, open_vectors: Callable[[], LiveVectors], open_view: Callable[[], CatalogView]
    ) -> int:
        """Gives chunks without any vector those that the model made of the same texts before.

        A file that came back, one that was moved, vectors that were damaged: nothing is read again.

        Returns:
            How many chunks have one now.
        """
        view, vectors = open_view(), self._open_sound(open_vectors)
        if not self._writer.cache.has_any(self._model.fingerprint):
            return 0
        missing, done = vectors.find_missing(), 0
        for start in range(0, len(missing), STATIC_BATCH):
            passages = read_passages(view, missing[start : start + STATIC_BATCH].tolist())
            known = self._cached(passages)
            passages = [passage for passage in passages if passage.text_hash in known]
            if passages:
                found = np.stack([known[one.text_hash] for one in passages])
                self._write(passages, found, MODEL)
                done += len(passages)
        if done:
            self._writer.merge(open_vectors())
        return done

    def _open_sound(self, open_vectors: Callable[[], LiveVectors]) -> LiveVectors:
        """Returns the vectors of the newest generation; damaged ones are dropped."""
        vectors = open_vectors()
        if vectors.damaged:
            self._writer.drop(vectors.damaged)
        return vectors

    def _embed_batch(
        self,
        passages: Sequence[Passage],
        embedder: PassageEmbedder,
        kind: int,
        tell: Callable[[int], None],
    ) -> None:
        """Embeds and writes a batch; what was embedded is written even when it is cut off."""
        size = MODEL_SLICE if kind == MODEL else STATIC_BATCH
        made: list[F32] = []
        try:
            for start in range(0, len(passages), size):
                made.append(self._embed(passages[start : start + size], embedder, kind))
                if start + size < len(passages):
                    tell(start + size)
        finally:
            if made:
                vectors = np.concatenate(made)
                self._write(passages[: len(vectors)], vectors, kind)

    def _embed(self, passages: Sequence[Passage], embedder: PassageEmbedder, kind: int) -> F32:
        """Returns the vectors of passages, as far as possible from the cache of earlier ones."""
        if kind != MODEL:
            return embedder.embed_passages([passage.text for passage in passages])
        known = self._cached(passages)
        new = [passage for passage in passages if passage.text_hash not in known]
        if new:
            # As the cache gives them back: a vector does not depend on who has read the text before.
            made = rounded(embedder.embed_passages([passage.text for passage in new]))
            fresh = {passage.text_hash: vector for passage, vector in zip(new, made, strict=True)}
            # At once: a text that was embedded is never embedded again, whatever becomes of the commit.
            self._writer.cache.add(self._model.fingerprint, fresh.items())
            known |= fresh
        return np.stack([known[passage.text_hash] for passage in passages]).astype(np.float32)

    def read_pairs(self, view: CatalogView, vectors: LiveVectors, at_most: int) -> tuple[list[str], F32]:
        """Returns passages that the model has read, and its vectors of them."""
        keys = np.setdiff1d(vectors.keys, vectors.find_missing((MODEL,)))
        step = max(1, len(keys) // at_most)
        passages = read_passages(view, keys[::step][:at_most].tolist())
        known = self._cached(passages)
        found = [passage for passage in passages if passage.text_hash in known]
        if not found:
            return [], np.zeros((0, vectors.model.space.dimensions), np.float32)
        return [passage.text for passage in found], np.stack([known[one.text_hash] for one in found])

    def _cached(self, passages: Sequence[Passage]) -> dict[bytes, F32]:
        return self._writer.cache.find(self._model.fingerprint, {passage.text_hash for passage in passages})

    def _write(self, passages: Sequence[Passage], vectors: F32, kind: int) -> None:
        keys = np.array([passage.chunk_key for passage in passages], np.int64)
        self._writer.write(self._model, keys, vectors, kind)
