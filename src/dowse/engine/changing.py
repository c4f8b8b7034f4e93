"""The half of an index that changes: texts pushed and deleted, made true by a commit."""

import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from dowse.config.settings import FolderSettings
from dowse.engine.answering import Answering
from dowse.engine.documents import storable
from dowse.engine.trees import PUSHED_TREE, TreeSettings, find_or_add_tree
from dowse.errors import InvalidParameterError
from dowse.indexing.folder_sync import known_files
from dowse.ingest.allowance import DEFAULT_LIMITS
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.schema import Document, Problem
from dowse.storage.snapshot import Tree
from dowse.storage.store import Store

# What changes an index is imported when something changes: most searches only look.
if TYPE_CHECKING:
    from dowse.engine.answering import EmbeddingChoice
    from dowse.indexing import IndexWriter
    from dowse.ingest.chunking import Chunker
    from dowse.ingest.isolation import ExtractionPool



class Changing(Answering):
    """An index that can be changed, by one thread at a time."""

    def __init__(
        self,
        store: Store,
        lock_timeout_s: float,
        settings_of: Callable[[Path], FolderSettings] | None = None,
        embedding: "EmbeddingChoice" = None,
    ) -> None:
        super().__init__(store, embedding)
        self._settings_of = settings_of
        self._lock_timeout_s = lock_timeout_s
        self._chunking = ChunkingSettings()
        self._writer: IndexWriter | None = None
        self._pushed_trees: dict[str, Tree] = {}
        self._has_written = False

    @cached_property
    def _chunker(self) -> "Chunker":
        from dowse.ingest.chunking import build_chunker

        return build_chunker(self._chunking)

    def _changes(self, on_wait: Callable[[str], None] | None = None, *, heals: bool = True) -> "IndexWriter":
        if self._writer is None:
            from dowse.indexing import IndexWriter

            if heals and self._searcher is None:
                self._current()  # what is damaged or of an older format could not be written to
            self._has_written = True
            self._writer = IndexWriter(
                self._store, lock_timeout_s=self._lock_timeout_s, on_wait=on_wait
            )
        return self._writer

    def _end_changes(self) -> None:
        writer, self._writer = self._writer, None
        self._pushed_trees.clear()
        if writer is not None:
            writer.close()

    def add(
        self,
        doc_key: str,
        text: str | bytes,
        *,
        title: str = "",
        path: str = "",
        tags: Iterable[str] = (),
        format: str = "text",  # noqa: A002 - the word users know
        tree: str = PUSHED_TREE,
    ) -> list[Problem]:
        """Adds a text, replacing the one with the same key; visible after `commit`.

        Args:
            doc_key: Its name in the tree; not empty.
            text: What to index; bytes are decoded like a file's.
            title: When empty, found in the text or made from the key.
            path: What path queries match.
            tags: Put before those found in the text.
            format: ``text``, ``markdown`` or another extractor's name, such as ``pdf`` or ``docx``; what is
                not text is read in a worker process.
            tree: The collection it belongs to; made when new.

        Returns:
            What was wrong with the text; it is indexed all the same unless it is binary.
        """
        if not doc_key:
            raise InvalidParameterError(name="doc_key", value='""', legal="it must not be empty")
        # NUL in bytes means a binary file; in a string it ends a word, as a space does.
        data = (
            text.replace("\0", " ").encode("utf-8", "replace") if isinstance(text, str) else text
        )
        document, problems = self._build(
            storable(doc_key),
            storable(path),
            data,
            format,
            storable(title) or None,
            tuple(map(storable, tags)),
        )
        tree = storable(tree)
        if document is not None:
            writer = self._changes()
            if tree not in self._pushed_trees:
                settings = TreeSettings(chunking=self._chunking)
                self._pushed_trees[tree] = find_or_add_tree(writer, tree, None, settings)
            found = self._pushed_trees[tree]
            writer.add(found.tree_id, document, self._analyzers.get(found.analysis))
        return problems

    def _build(
        self, doc_key: str, path: str, data: bytes, format_name: str, title: str | None, tags: tuple[str, ...]
    ) -> tuple[Document | None, list[Problem]]:
        """Makes a document of what was pushed: of a text here, of everything else in a worker."""
        if format_name not in self._read_elsewhere:
            return self._build_document(
                doc_key, path, data, format_name, self._chunker, title=title, tags=tags
            )
        from dowse.ingest.intake import PushedJob

        job = PushedJob(doc_key, path, data, format_name, title, tags)
        ((_, reading),) = self._pool.iter_readings((job,))
        return reading.document, list(reading.problems)

    # Imported once: for a short text the import statements alone were a fifth of `add`.
    @cached_property
    def _build_document(self) -> "Callable[..., tuple[Document | None, list[Problem]]]":
        from dowse.ingest.documents import build_document

        return build_document

    @cached_property
    def _read_elsewhere(self) -> frozenset[str]:
        """The formats that are read in a worker process."""
        from dowse.ingest.formats import BY_NAME, Nature

        return frozenset(
            name for name, known in BY_NAME.items() if known.nature is not Nature.SIMPLE_TEXT
        )

    @cached_property
    def _pool(self) -> "ExtractionPool":
        from dowse.ingest.isolation import ExtractionPool

        return ExtractionPool(DEFAULT_LIMITS, self._chunking, time.monotonic)

    def add_tree(
        self, name: str, *, language: str | None = None, stop_words: str | None = None
    ) -> None:
        """Makes a tree for pushed texts with settings of its own; visible after `commit`.

        Args:
            name: What `add` calls it.
            language: Stemming and stop words; English when not given.
            stop_words: ``default``, ``none``, ``auto`` or words separated by commas.

        Raises:
            InvalidParameterError: The tree is there already, with other settings.
        """
        settings = TreeSettings.merged("{}", language, stop_words, self._chunking)
        tree = find_or_add_tree(self._changes(), name, None, settings)
        if tree.analysis != settings.analysis:
            legal = "this tree is there already, with other settings; remove_tree it first"
            raise InvalidParameterError(name="name", value=name, legal=legal)
        self._pushed_trees[name] = tree

    def delete(self, doc_key: str, *, tree: str | None = None) -> bool:
        """Removes a document, in one tree or wherever it is; visible after `commit`."""
        writer = self._changes()
        key, trees = storable(doc_key), writer.catalog.fetch("SELECT tree_id, name FROM trees")
        removed = [
            writer.delete(tree_id, key) for tree_id, name in trees if tree in (None, name)
        ]
        return any(removed)

    def remove_tree(self, name: str) -> int:
        """Removes a tree with all its documents, and commits; returns how many documents went."""
        tree = self._current().get_tree(name)
        try:
            writer = self._changes()
            known = known_files(writer.catalog, tree.tree_id)
            keys = [key for key, file in known.items() if file.doc_id]
            for key in keys:
                writer.delete(tree.tree_id, key)
            for table in ("problems", "refused_files", "trees"):
                writer.execute(f"DELETE FROM {table} WHERE tree_id = ?", (tree.tree_id,))
            writer.commit()
        finally:
            self._end_changes()
        return len(keys)

    def commit(self) -> int:
        """Makes all changes true at once, durably; returns the generation."""
        if self._writer is None:
            return self._current().snapshot.generation
        try:
            generation = self._writer.commit()
            self._writer.start_merge()
        except BaseException:
            self._end_changes()
            raise
        return generation

    def optimize(self) -> int:
        """Merges everything into one segment, which answers fastest; returns how many merges that took.

        Worth its time after a large import; what changes later is merged as it comes.
        """
        writer = self._changes()
        try:
            writer.commit()
            return writer.merge(into_one=True)
        finally:
            self._end_changes()

    def close(self) -> None:
        """Forgets uncommitted changes and closes everything."""
        self._end_changes()
        if "_pool" in self.__dict__:
            self._pool.close()
            del self._pool
        if self._searcher is not None:
            self._searcher.snapshot.close()
            self._searcher = None
        self._store.open_snapshots = 0
        self._store.close_connection(self._watch)
        if not self._store.is_memory:
            self._store.commit_mark.close()
        self._store.close_shared()
        if self._has_written:
            self._store.fold_log()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
