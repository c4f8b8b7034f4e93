"""Looks after one tree: what it holds, whether it is sound, what of it is of no use any more."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.engine.generations import Generations
from dowse.engine.health import analyzer_lookup, check_index
from dowse.engine.vectors import StoredVectors
from dowse.engine.writing import Writing
from dowse.planning import Analyzers
from dowse.storage.catalog_upkeep import give_space_back
from dowse.storage.failures import storage_failures
from dowse.storage.store import Store
from dowse.storage.stored_segments import list_segments

if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingTier
    from dowse.indexing.report import SyncListener
    from dowse.schema import DoctorReport, SweepReport
    from dowse.storage.stored_models import StoredModel


class Upkeep:
    """Checks, sweeps, merges and rebuilds a tree; each commits by itself, with nothing else pending."""

    def __init__(
        self,
        store: Store,
        generations: Generations,
        writing: Writing,
        vectors: StoredVectors,
        analyzers: Analyzers,
        get_tier: "Callable[[], EmbeddingTier]",
    ) -> None:
        self._store, self._generations, self._writing = store, generations, writing
        self._vectors, self._analyzers = vectors, analyzers
        self._get_tier = get_tier

    def check(self, *, repair: bool) -> "DoctorReport":
        """Compares every byte with its checksum; see `Index.check`."""

        def open_writer():  # type: ignore[no-untyped-def]
            return self._writing.transaction(heals=False)

        with storage_failures(self._store.home):
            report = check_index(self._store, self._analyzers, open_writer if repair else None)
        self._generations.refresh()
        if report.repaired:
            self._vectors.restore()
        return report

    def sweep(self, *, removes_other_models: bool) -> "SweepReport":
        """Removes what is of no use any more; see `Index.sweep`."""
        from dowse.engine.sweeping import (
            empty_document_cache,
            forget_models,
            merge_vectors,
            remove_gone_documents,
        )
        from dowse.schema import SweepReport

        trees = tuple(self._generations.current().trees.values())
        missing = tuple(tree.root for tree in trees if tree.root is not None and not Path(tree.root).is_dir())
        others = self._find_other_models()
        with self._writing.transaction() as writer:
            documents = 0 if missing else remove_gone_documents(writer, trees)
            shelved = empty_document_cache(writer)
            vectors = forget_models(writer, others) if removes_other_models else 0
            writer.commit()
            writer.merge()
        merge_vectors(self._store, self._generations.current(), self._writing.transaction)
        with self._writing.transaction() as writer:
            give_space_back(writer.catalog)
        if removes_other_models:
            for model in others:
                self._store.shared.vectors.forget_model(model.fingerprint)
        names = () if removes_other_models else tuple(model.name for model in others)
        return SweepReport(documents, shelved, missing, (), vectors, names, 0)

    def list_text_hashes(self) -> set[bytes]:
        """Returns the hashes of all texts that have vectors in the cache, or could have."""
        from dowse.engine.sweeping import list_text_hashes

        return list_text_hashes(self._generations.current())

    def _find_other_models(self) -> "list[StoredModel]":
        from dowse.engine.sweeping import find_other_models

        snapshot, tier = self._generations.current(), self._get_tier()
        return find_other_models(snapshot, tier.find_known_model(snapshot) if tier.is_enabled else None)

    def merge_all(self) -> int:
        """Merges everything into one segment; see `Index.optimize`."""
        with self._writing.transaction() as writer:
            return writer.merge(into_one=True)

    def rebuild(self, listener: "SyncListener | None") -> int:
        """Makes all segments again from the catalogue; returns how many there were."""
        from dowse.indexing import rebuild_segment

        on_wait = listener.waiting_for_lock if listener else None
        with self._writing.transaction(on_wait, heals=False) as writer:
            analyzer_of = analyzer_lookup(writer.catalog, self._analyzers)
            folders = [segment.folder for segment in list_segments(writer.catalog)]
            for number, folder in enumerate(folders, 1):
                rebuild_segment(writer, folder, analyzer_of)
                writer.commit()
                if listener:
                    listener.advanced(number, 0)
            writer.merge(listener.merging if listener else None)
        return len(folders)
