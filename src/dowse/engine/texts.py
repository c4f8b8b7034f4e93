"""Texts that are pushed into a tree one by one, and taken out again; true after a commit."""

import threading
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from dowse.engine.documents import without_surrogates
from dowse.engine.trees import TreeSettings, find_or_add_tree
from dowse.engine.writing import Writing
from dowse.errors import InvalidParameterError
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.limits import DEFAULT_LIMITS
from dowse.planning import Analyzers
from dowse.schema import Document, Problem
from dowse.storage.stored_trees import Tree, list_trees
from dowse.storage.tree_entry import TreeEntry

# What makes documents is imported when there is one: most searches only look.
if TYPE_CHECKING:
    from dowse.indexing import IndexWriter
    from dowse.ingest.chunking import Chunker
    from dowse.ingest.isolation import ExtractionPool


class PushedTexts:
    """Adds texts to one tree, and deletes its documents.

    Args:
        writing: Whose pending transaction each change joins.
        get_entry: Returns what the home knows of the tree.
        analyzers: By the settings of each tree.
    """

    def __init__(self, writing: Writing, analyzers: Analyzers, get_entry: Callable[[], TreeEntry]) -> None:
        self._writing, self._analyzers, self._get_entry = writing, analyzers, get_entry
        self._chunking = ChunkingSettings()
        self._tree: Tree | None = None
        self._epoch = -1
        self._reading = threading.Lock()  # one pool, whose answers come in the order of its jobs

    def add(
        self,
        doc_key: str,
        text: str | bytes,
        *,
        title: str = "",
        path: str = "",
        tags: Iterable[str] = (),
        format_name: str = "text",
    ) -> list[Problem]:
        """Adds a text; see `Index.add`."""
        if not doc_key:
            raise InvalidParameterError(name="doc_key", value='""', legal="it must not be empty")
        # NUL in bytes means a binary file; in a string it ends a word, as a space does.
        data = (
            text.replace("\0", " ").encode("utf-8", "replace") if isinstance(text, str) else text
        )
        document, problems = self._build(
            without_surrogates(doc_key),
            without_surrogates(path),
            data,
            format_name,
            without_surrogates(title) or None,
            tuple(map(without_surrogates, tags)),
        )
        if document is not None:
            with self._writing.step() as writer:
                found = self._find_tree(writer)
                writer.add(found.tree_id, document, self._analyzers.get(found.analysis))
        return problems

    def add_tree(self, language: str | None, stop_words: str | None) -> None:
        """Makes the tree for pushed texts; see `Index.add_tree`."""
        settings = TreeSettings.merged("{}", language, stop_words, self._chunking)
        with self._writing.step() as writer:
            tree = find_or_add_tree(writer, self._get_entry(), settings)
        if tree.analysis != settings.analysis:
            name = tree.name
            legal = "this tree is there already, with other settings; remove_tree it first"
            raise InvalidParameterError(name="name", value=name, legal=legal)

    def delete(self, doc_key: str) -> bool:
        """Removes a document; says whether there was one."""
        key = without_surrogates(doc_key)
        with self._writing.step() as writer:
            return any(writer.delete(tree.tree_id, key) for tree in list_trees(writer.catalog))

    def close(self) -> None:
        """Ends the processes that read formats other than text."""
        if "_pool" in self.__dict__:
            self._pool.close()
            del self._pool

    def _find_tree(self, writer: "IndexWriter") -> Tree:
        """Returns the tree; asked for once in each transaction, and made when new."""
        if self._tree is None or self._epoch != self._writing.epoch:
            settings = TreeSettings(chunking=self._chunking)
            self._tree = find_or_add_tree(writer, self._get_entry(), settings)
            self._epoch = self._writing.epoch
        return self._tree

    def _build(
        self, doc_key: str, path: str, data: bytes, format_name: str, title: str | None, tags: tuple[str, ...]
    ) -> tuple[Document | None, list[Problem]]:
        """Makes a document of what was pushed: of a text here, of everything else in a worker."""
        if format_name not in self._read_elsewhere:
            return self._build_document(
                doc_key, path, data, format_name, self._chunker, title=title, tags=tags
            )
        from dowse.ingest.jobs import PushedJob

        job = PushedJob(doc_key, path, data, format_name, title, tags)
        with self._reading:
            ((_, reading),) = self._pool.iter_readings((job,))
        return reading.document, list(reading.problems)

    # Imported once: for a short text the import statements alone were a fifth of `add`.
    @cached_property
    def _build_document(self) -> "Callable[..., tuple[Document | None, list[Problem]]]":
        from dowse.ingest.documents import build_document

        return build_document

    @cached_property
    def _chunker(self) -> "Chunker":
        from dowse.ingest.chunking import build_chunker

        return build_chunker(self._chunking)

    @cached_property
    def _read_elsewhere(self) -> frozenset[str]:
        """The formats that are read in a worker process."""
        from dowse.ingest.formats import BY_NAME, Kind

        return frozenset(
            name for name, known in BY_NAME.items() if known.kind is not Kind.SIMPLE_TEXT
        )

    @cached_property
    def _pool(self) -> "ExtractionPool":
        from dowse.ingest.isolation import ExtractionPool

        return ExtractionPool(DEFAULT_LIMITS, self._chunking, time.monotonic)
