"""One tree with all that works on it: reading, writing, its folder, texts, vectors, upkeep."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.config.settings import FolderSettings
from dowse.engine.folders import TreeFolder
from dowse.engine.generations import Generations
from dowse.engine.texts import PushedTexts
from dowse.engine.upkeep import Upkeep
from dowse.engine.vectors import StoredVectors
from dowse.engine.writing import Writing
from dowse.planning import Analyzers
from dowse.storage.store import Store
from dowse.storage.stored_documents import find_documents
from dowse.storage.tree_entry import TreeEntry

if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingTier


class TreeIndex:
    """The parts of one open tree; each is safe to use from several threads.

    Args:
        store: Where it lives.
        lock_timeout_s: How long a change waits for another process or thread that is writing.
        settings_of: Says how a folder is walked, read and cut; everything is as by default when None.
        get_tier: Returns what makes vectors; called only when vectors are asked for.
        analyzers: Shared by all that search and change the same texts.

    Attributes:
        generations: Its newest snapshot, healed.
        writing: The one way to its writer.
        texts: Documents that are pushed one by one.
        folder: What keeps it in step with its folder.
        vectors: What it has of the chosen model's vectors.
        upkeep: Checks, sweeps and rebuilds.
    """

    def __init__(
        self,
        store: Store,
        lock_timeout_s: float,
        settings_of: Callable[[Path], FolderSettings] | None,
        get_tier: "Callable[[], EmbeddingTier]",
        analyzers: Analyzers,
    ) -> None:
        self.store = store
        self.writing = Writing(store, lock_timeout_s, self._heal_first)
        heal_at_once = partial(self.writing.transaction, timeout_s=0.0, heals=False)
        self.generations = Generations(store, analyzers, heal_at_once)
        self.texts = PushedTexts(self.writing, analyzers, lambda: self.entry)
        self.folder = TreeFolder(self.generations, self.writing, analyzers, settings_of)
        self.vectors = StoredVectors(store, self.generations, self.writing, get_tier)
        self.upkeep = Upkeep(
            store, self.generations, self.writing, self.vectors, analyzers, get_tier
        )

    @property
    def entry(self) -> TreeEntry:
        """What the home knows of the tree."""
        assert self.store.tree is not None, "a tree of a home has an entry"
        return self.store.tree

    @entry.setter
    def entry(self, entry: TreeEntry) -> None:
        self.store.tree = entry
        self.generations.refresh()  # files are found below its root

    def _heal_first(self) -> None:
        """What is damaged or of an older format could not be written to; a snapshot heals both."""
        if not self.generations.is_open:
            self.generations.current()

    def has_document(self, doc_key: str) -> bool:
        """Says whether there is a document with this key in the newest generation."""
        return bool(find_documents(self.generations.current(), doc_key))

    def commit(self) -> int:
        """Makes all pending changes true at once, durably; returns the generation."""
        generation = self.writing.commit()
        return self.generations.current().generation if generation is None else generation

    def remove(self) -> None:
        """Closes the tree and removes its folder; waits for another process that is writing to it."""
        with self.writing.transaction(heals=False):
            self.generations.close()
            self.store.remove()
        self.close()

    def close(self) -> None:
        """Forgets pending changes and closes everything."""
        self.writing.close()
        self.texts.close()
        self.generations.close()
        self.store.close_shared()
        if self.writing.has_written:
            self.store.fold_log()
