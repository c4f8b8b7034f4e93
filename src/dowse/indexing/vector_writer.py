"""Writes vectors: one segment and one commit per batch.

The lock is held only while a batch is written; embedding, which takes long, keeps nobody waiting.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Protocol

import numpy as np

from dowse.errors import ResourceError
from dowse.kernels.layout import F32, I64
from dowse.storage.catalog import Catalog
from dowse.storage.failures import storage_failures
from dowse.storage.live_vectors import LiveVectors
from dowse.storage.store import Store
from dowse.storage.stored_models import FittedModel, StoredModel, insert_model, update_fit
from dowse.storage.stored_vector_segments import (
    delete_vector_segments,
    insert_vector_segment,
    list_vector_folders,
    list_vector_segments,
    next_vector_folder,
    sweep_vector_folders,
)
from dowse.storage.vectors import (
    build_space,
    choose_vector_merge,
    merge_vector_segments,
    write_vector_segment,
)


class Transaction(Protocol):
    """An open transaction of the one writer; nothing is true before its commit."""

    @property
    def catalog(self) -> Catalog:
        """The catalogue as the transaction sees it."""
        ...

    def change(self) -> AbstractContextManager[Catalog]:
        """Lets named writes of `storage` change the catalogue, as part of the next commit."""
        ...

    def commit(self) -> int:
        """Makes all changes true at once and returns the generation."""
        ...


OpenTransaction = Callable[[], AbstractContextManager[Transaction]]
"""Opens a transaction of the one writer; leaving it gives the lock back, and drops what is not committed."""


class VectorWriter:
    """Writes the vectors of one index.

    Args:
        store: The index.
        open_transaction: Waits for the writer's lock and opens a transaction.
    """

    def __init__(self, store: Store, open_transaction: OpenTransaction) -> None:
        self._store, self._open_transaction = store, open_transaction
        self.cache = store.shared.vectors

    def write(self, model: StoredModel, keys: I64, vectors: F32, kind: int) -> None:
        """Writes one batch as a segment of its own.

        Args:
            model: Which made the vectors.
            keys: Of the chunks, in any order.
            vectors: One row per chunk.
            kind: `MODEL`, or a kind of static vectors.
        """
        order = np.argsort(keys)
        kinds = np.full(len(keys), kind, np.uint8)
        directory = self._store.vector_directory
        with self._open_transaction() as transaction:
            sweep_vector_folders(transaction.catalog, directory)
            folder = next_vector_folder(transaction.catalog)
            made = write_vector_segment(directory, folder, model.space, keys[order], vectors[order], kinds)
            with transaction.change() as catalog:
                insert_vector_segment(catalog, model.model_id, made)
            transaction.commit()

    def merge(self, vectors: LiveVectors, *, into_one: bool = False) -> None:
        """Merges segments where there are too many; vectors that no longer count go.

        Args:
            vectors: Of the newest generation.
            into_one: Whether all become one, if that removes anything.
        """
        sizes = [(reader.row_count, int(np.count_nonzero(counts))) for reader, counts in vectors.sources]
        is_all = into_one and vectors.has_waste
        sources = vectors.sources if is_all else vectors.sources[choose_vector_merge(sizes) :]
        if not sources:
            return
        folders = [reader.folder for reader, _ in sources]
        directory = self._store.vector_directory
        with self._open_transaction() as transaction:
            if not set(folders) <= list_vector_folders(transaction.catalog):
                return  # another process has merged them
            sweep_vector_folders(transaction.catalog, directory)
            folder = next_vector_folder(transaction.catalog)
            made = merge_vector_segments(directory, folder, sources)
            # As old as the newest of them, so that vectors made since stay newer.
            named = list_vector_segments(transaction.catalog)
            generation = max(row.generation for row in named if row.folder in folders)
            with transaction.change() as catalog:
                delete_vector_segments(catalog, folders)
                if made is not None:
                    insert_vector_segment(catalog, vectors.model.model_id, made, generation)
            transaction.commit()
            self._sweep(transaction)

    def drop(self, folders: Sequence[str]) -> None:
        """Drops damaged segments; their chunks get new vectors, those of a model from the cache."""
        with self._open_transaction() as transaction:
            with transaction.change() as catalog:
                delete_vector_segments(catalog, folders)
            transaction.commit()
            self._sweep(transaction)

    def introduce(
        self,
        fingerprint: str,
        name: str,
        sample: F32,
        fitted: FittedModel,
        read: Iterable[tuple[bytes, F32]] = (),
    ) -> None:
        """Makes a model known to the index, or a known model's first fit anew.

        Args:
            fingerprint: Names the model with everything that its vectors depend on.
            name: What users call it.
            sample: Vectors of some chunks; their mean is the centre of the vector space, for good.
            fitted: What static vectors are made by.
            read: Hashes of texts that the model has read, and its vectors of them: for the cache.
        """
        with self._open_transaction() as transaction:
            with transaction.change() as catalog:
                insert_model(catalog, fingerprint, name, build_space(sample), fitted)
            transaction.commit()
        self.cache.add(fingerprint, read)

    def refit(self, model: StoredModel, fitted: FittedModel) -> None:
        """Keeps what better static vectors are made by; those made before are to be made again."""
        with self._open_transaction() as transaction:
            with transaction.change() as catalog:
                update_fit(catalog, model.model_id, fitted)
            transaction.commit()

    def _sweep(self, transaction: Transaction) -> None:
        """Removes the files of segments that are gone; what cannot be removed stays for the next sweep."""
        with suppress(ResourceError), storage_failures(self._store.home):
            sweep_vector_folders(transaction.catalog, self._store.vector_directory)
