"""Gives chunks their vectors: static ones at once, a model's own as they come.

The queue is the index itself: whatever chunk is live and has no vector of the wanted kind is to be done. So
nothing must be kept in step, and a run that was cut off goes on where it stopped. The lock is held only while
a bundle is written; embedding, which takes long, keeps nobody waiting.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from dowse.indexing.passages import Passage, read_passages
from dowse.indexing.vector_order import newest_first, shown_first
from dowse.kernels.layout import F32
from dowse.storage.catalog import Catalog
from dowse.storage.live_vectors import MODEL, LiveVectors, StoredModel
from dowse.storage.store import Store
from dowse.storage.vector_cache import rounded
from dowse.storage.vectors import (
    WrittenVectors,
    build_space,
    choose_vector_merge,
    merge_vector_segments,
    write_vector_segment,
)

if TYPE_CHECKING:
    from dowse.indexing.writer import IndexWriter

STATIC_BUNDLE = 4096
MODEL_BUNDLE = 256
MODEL_SLICE = 32
"""Chunks between two words of a model's progress; a second or so."""
MERGED_AFTER = 8
"""Bundles between two looks at how many segments there are."""


class PassageEmbedder(Protocol):
    """Makes unit vectors of passages."""

    def embed_passages(self, texts: Sequence[str]) -> F32:
        """Returns one row a text."""
        ...


class VectorListener(Protocol):
    """Hears how far it is."""

    def vectors_made(self, done: int, total: int) -> None:
        """So many of so many chunks have their vectors."""


class Vectoriser:
    """Writes vectors of one model into one index.

    Args:
        store: The index.
        model: As the catalogue knows it; `introduce_model` makes it known.
        lock_timeout_s: How long to wait for another process that is writing.
    """

    def __init__(self, store: Store, model: StoredModel, lock_timeout_s: float) -> None:
        self._store, self._model, self._lock_timeout_s = store, model, lock_timeout_s
        self._cache = store.shared.vectors

    def run(
        self,
        open_vectors: Callable[[], LiveVectors],
        open_catalog: Callable[[], Catalog],
        embedder: PassageEmbedder,
        kind: int,
        listener: VectorListener | None = None,
        at_most: int | None = None,
    ) -> int:
        """Embeds all chunks that have no vector of a kind, the most useful first; returns how many.

        Those are the ones that answers have shown most often, then those of files that changed last.

        Args:
            open_vectors: Returns the vectors of the newest generation.
            open_catalog: Returns the catalogue of the newest generation, for each bundle anew: a reader that
                stays for hours would keep the log from being folded.
            embedder: Makes the vectors.
            kind: `MODEL`, or a kind of static vectors.
            listener: Hears how far it is; it may raise to stop, and what is written stays.
            at_most: How many chunks; all when None.
        """
        vectors = self._open_sound(open_vectors)
        missing = vectors.find_missing((MODEL,) if kind == MODEL else (MODEL, kind))
        left, done = newest_first(open_catalog(), missing), 0
        wanted = len(missing) if at_most is None else min(at_most, len(missing))

        def tell(before: int, made: int) -> None:
            if listener is not None:
                listener.vectors_made(before + made, len(missing))

        size = MODEL_BUNDLE if kind == MODEL else STATIC_BUNDLE
        while done < wanted:
            # Asked each time: people search while the model reads.
            left = shown_first(left, *self._store.shown.count())
            keys, left = np.split(left, [min(size, wanted - done)])
            passages = read_passages(open_catalog(), keys.tolist())
            self._embed_bundle(passages, embedder, kind, partial(tell, done))
            done += len(keys)
            tell(done, 0)
            if done % (size * MERGED_AFTER) == 0:
                self.merge(open_vectors())
        if done:
            self.merge(open_vectors())
        if kind == MODEL and not len(left):
            self._store.shown.forget()
        return done

    def restore(
        self, open_vectors: Callable[[], LiveVectors], open_catalog: Callable[[], Catalog]
    ) -> int:
        """Gives chunks without any vector those that the model made of the same texts before.

        A file that came back, one that was moved, vectors that were damaged: nothing is read again.

        Returns:
            How many chunks have one now.
        """
        catalog, vectors = open_catalog(), self._open_sound(open_vectors)
        if not self._cache.has_any(self._model.fingerprint):
            return 0
        missing, done = vectors.find_missing(), 0
        for start in range(0, len(missing), STATIC_BUNDLE):
            passages = read_passages(catalog, missing[start : start + STATIC_BUNDLE].tolist())
            known = self._cached(passages)
            passages = [passage for passage in passages if passage.text_hash in known]
            if passages:
                self._write(passages, np.stack([known[one.text_hash] for one in passages]), MODEL)
                done += len(passages)
        if done:
            self.merge(open_vectors())
        return done

    def _open_sound(self, open_vectors: Callable[[], LiveVectors]) -> LiveVectors:
        """Returns the vectors of the newest generation; damaged ones are forgotten."""
        vectors = open_vectors()
        if vectors.damaged:
            drop_vector_segments(self._store, vectors.damaged, self._lock_timeout_s)
        return vectors

    def _embed_bundle(
        self,
        passages: Sequence[Passage],
        embedder: PassageEmbedder,
        kind: int,
        tell: Callable[[int], None],
    ) -> None:
        """Embeds and writes a bundle; what was embedded is written even when it is cut off."""
        size = MODEL_SLICE if kind == MODEL else STATIC_BUNDLE
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
            known |= {passage.text_hash: vector for passage, vector in zip(new, made, strict=True)}
        return np.stack([known[passage.text_hash] for passage in passages]).astype(np.float32)

    def read_pairs(self, catalog: Catalog, vectors: LiveVectors, at_most: int) -> tuple[list[str], F32]:
        """Returns passages that the model has read, and its vectors of them."""
        keys = np.setdiff1d(vectors.keys, vectors.find_missing((MODEL,)))
        step = max(1, len(keys) // at_most)
        passages = read_passages(catalog, keys[::step][:at_most].tolist())
        known = self._cached(passages)
        found = [passage for passage in passages if passage.text_hash in known]
        if not found:
            return [], np.zeros((0, vectors.model.space.dimensions), np.float32)
        return [passage.text for passage in found], np.stack([known[one.text_hash] for one in found])

    def learn(self, token_weights: F32, correction: bytes, pairs: int) -> None:
        """Keeps what better static vectors are made by; those made before are to be made again."""
        from dowse.indexing.writer import IndexWriter

        kind = max(self._model.static_kind, MODEL) + 1
        with IndexWriter(self._store, lock_timeout_s=self._lock_timeout_s) as writer:
            writer.execute(
                "UPDATE models SET token_weights = ?, correction = ?, pairs = ?, static_kind = ?"
                " WHERE model_id = ?",
                (token_weights.tobytes(), correction, pairs, kind, self._model.model_id),
            )
            writer.commit()

    def _cached(self, passages: Sequence[Passage]) -> dict[bytes, F32]:
        return self._cache.find(self._model.fingerprint, {passage.text_hash for passage in passages})

    def _write(self, passages: Sequence[Passage], vectors: F32, kind: int) -> None:
        from dowse.indexing.writer import IndexWriter

        order = np.argsort([passage.chunk_key for passage in passages])
        keys = np.array([passage.chunk_key for passage in passages], np.int64)[order]
        kinds = np.full(len(keys), kind, np.uint8)
        if kind == MODEL:
            # Before the index has them: what was embedded is kept, whatever becomes of the commit.
            hashes = (passage.text_hash for passage in passages)
            self._cache.add(self._model.fingerprint, zip(hashes, vectors, strict=True))
        with IndexWriter(self._store, lock_timeout_s=self._lock_timeout_s) as writer:
            folder = _new_folder(writer.catalog)
            made = write_vector_segment(
                self._store.vector_directory, folder, self._model.space, keys, vectors[order], kinds
            )
            _name_segment(writer, self._model.model_id, made, _age(folder))
            writer.commit()

    def merge(self, vectors: LiveVectors, *, into_one: bool = False) -> None:
        """Makes one segment of many, where there are too many; what no longer counts goes.

        Args:
            into_one: Whether all become one, if that takes anything away.
        """
        from dowse.indexing.writer import IndexWriter

        sizes = [(reader.row_count, int(np.count_nonzero(counts))) for reader, counts in vectors.sources]
        is_all = into_one and vectors.has_waste
        sources = vectors.sources if is_all else vectors.sources[choose_vector_merge(sizes) :]
        if not sources:
            return
        folders = [reader.folder for reader, _ in sources]
        with IndexWriter(self._store, lock_timeout_s=self._lock_timeout_s) as writer:
            now = {row[0] for row in writer.catalog.fetch("SELECT folder FROM vector_segments")}
            if not set(folders) <= now:
                return  # somebody else merged them meanwhile
            folder = _new_folder(writer.catalog)
            made = merge_vector_segments(self._store.vector_directory, folder, sources)
            for old in folders:
                writer.execute("DELETE FROM vector_segments WHERE folder = ?", (old,))
            if made is not None:
                # As old as the newest of them: what came since stays newer.
                _name_segment(writer, self._model.model_id, made, _age(folders[-1]))
            writer.commit()


def drop_vector_segments(store: Store, folders: Sequence[str], lock_timeout_s: float) -> None:
    """Forgets damaged segments of vectors; their chunks get new ones, a model's from its cache."""
    from dowse.indexing.writer import IndexWriter

    with IndexWriter(store, lock_timeout_s=lock_timeout_s) as writer:
        for folder in folders:
            writer.execute("DELETE FROM vector_segments WHERE folder = ?", (folder,))
        writer.commit()


def introduce_model(
    store: Store,
    lock_timeout_s: float,
    *,
    fingerprint: str,
    name: str,
    sample: F32,
    token_weights: F32 | None,
    correction: bytes,
    pairs: int,
    read: Iterable[tuple[bytes, F32]] = (),
) -> None:
    """Makes a model known to an index, with the space in which its vectors will be kept.

    Of a model that is known already only what static vectors are made by is learned, and they are to be made
    again; its space stays.

    Args:
        sample: Vectors of some chunks; their mean is the centre of the space, for good.
        token_weights: How much each token counts in a static vector.
        correction: What brings static vectors near to the model's own.
        pairs: How many pairs it was learned from.
        read: Hashes of texts that the model has read for all this, and its vectors of them: for the cache.
    """
    from dowse.indexing.writer import IndexWriter

    space = build_space(sample)
    with IndexWriter(store, lock_timeout_s=lock_timeout_s) as writer:
        writer.execute(
            "INSERT INTO models"
            " (fingerprint, name, dimensions, mean, seed, token_weights, correction, pairs)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (fingerprint) DO UPDATE SET token_weights = excluded.token_weights,"
            " correction = excluded.correction, pairs = excluded.pairs,"
            " static_kind = max(static_kind, ?) + 1",
            (
                fingerprint,
                name,
                space.dimensions,
                np.asarray(space.mean, np.float32).tobytes(),
                space.seed,
                None if token_weights is None else np.asarray(token_weights, np.float32).tobytes(),
                correction,
                pairs,
                MODEL,
            ),
        )
        writer.commit()
    store.shared.vectors.add(fingerprint, read)


def _new_folder(catalog: Catalog) -> str:
    return f"v{catalog.counter('generation') + 1:08}"


def _age(folder: str) -> int:
    """Returns the generation in which a segment of vectors was made."""
    return int(folder.removeprefix("v"))


def _name_segment(writer: "IndexWriter", model_id: int, made: WrittenVectors, age: int) -> None:
    writer.execute(
        "INSERT INTO vector_segments VALUES (?, ?, ?, ?, ?, ?)",
        (made.folder, model_id, made.checksum, made.rows, made.disk_bytes, age),
    )
