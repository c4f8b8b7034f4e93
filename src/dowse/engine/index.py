"""An open index: the one object faces and programs use."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from msgspec.structs import replace

from dowse.config.settings import FolderSettings
from dowse.engine.answering import Answering
from dowse.engine.documents import get_document, without_surrogates
from dowse.engine.home import default_cache, default_home, open_home
from dowse.engine.home_upkeep import HomeUpkeep
from dowse.engine.open_trees import OpenTrees
from dowse.engine.registry import Registry
from dowse.engine.scope import Scopes
from dowse.engine.tree_index import TreeIndex
from dowse.engine.trees import PUSHED_TREE, OtherTreeError, choose_name, real_folder
from dowse.errors import InvalidParameterError
from dowse.indexing.report import SyncListener
from dowse.planning import Analyzers
from dowse.schema import EmbeddingReport, Problem, SearchRequest, SearchResponse, SyncReport
from dowse.schema.document_explanation import NOT_INDEXED
from dowse.storage.failures import storage_failures
from dowse.storage.home import Home
from dowse.storage.snapshot import Snapshot
from dowse.storage.store import MEMORY, Store
from dowse.storage.tree_entry import TreeEntry

# What most searches do without is imported when it is asked for.
if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings
    from dowse.engine.embeddings import EmbeddingListener, EmbeddingTier
    from dowse.schema import (
        Completion,
        Coverage,
        DoctorReport,
        DocumentExplanation,
        IndexStatus,
        ListedChunk,
        ListedDocument,
        PendingChanges,
        SpellingReport,
        StoredDocument,
        SweepReport,
        TermPage,
        TreeStatus,
    )
    from dowse.schema.suggestions import CompletionKind
    from dowse.similar import SimilarSettings
    from dowse.suggest import Order

    EmbeddingChoice = EmbeddingSettings | Callable[[], EmbeddingSettings] | None

LOCK_TIMEOUT_S = 60.0


def open_index(
    home: str | os.PathLike[str] | None = None,
    *,
    create: bool = True,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    settings_of: Callable[[Path], FolderSettings] | None = None,
    embedding: "EmbeddingChoice" = None,
) -> "Index":
    """Opens an index.

    Args:
        home: Its folder; None for the default one, ``":memory:"`` for an index that lives in memory. In
            memory `get` and `status` see changes before they are committed; searches never do.
        create: Whether a missing index is made.
        lock_timeout_s: How long a change waits for another process that is writing.
        settings_of: Says how a folder is walked, read and cut; everything is as by default when not given.
        embedding: Which model makes vectors, or what says so when first asked; the default one when not
            given. It is loaded when first needed.

    Raises:
        IndexNotFoundError: There is none, and `create` is False.
        UnsupportedFormatError: A newer Dowse wrote it.
        ReadOnlyIndexError: It must be made, and cannot.
    """
    place = default_home() if home is None else home
    where = MEMORY if str(place) == MEMORY else Path(place).expanduser().absolute()
    with storage_failures(where):
        shared = open_home(where, lock_timeout_s, create=create)
    return Index(str(where), shared, lock_timeout_s, settings_of, embedding)


class Index:
    """An open index: the trees of one home. Any number of threads may search and change it at once.

    A tree is an index of its own: answers, lock, damage and vectors of one never depend on another. It is
    opened when it is first asked for. Several are searched as one, with their statistics added up.

    Texts are pushed into one pending transaction that all threads share, and `commit` makes all of it true.
    What commits by itself (`sync_folder`, `set_watched`, `remove_tree`, `embed`, `restore_vectors`, `sweep`,
    `optimize`, `rebuild` and a repairing `check`) never touches what is pending: it waits until other threads
    have committed, and raises UncommittedChangesError when the calling thread has not.

    Use it as a context manager, or call `close`: changes that were not committed are then forgotten.
    """

    def __init__(
        self,
        home: str,
        shared: Home,
        lock_timeout_s: float,
        settings_of: Callable[[Path], FolderSettings] | None = None,
        embedding: "EmbeddingChoice" = None,
    ) -> None:
        self.home = home
        self._shared, self._embedding = shared, embedding
        self._lock_timeout_s, self._settings_of = lock_timeout_s, settings_of
        self._analyzers = Analyzers()
        path = None if home == MEMORY else Path(home)
        self._trees = OpenTrees(Registry(shared, path), self._open_tree)
        self._scopes = Scopes(self._trees, self._analyzers, self._get_tier, self._open_nothing)
        self._upkeep = HomeUpkeep(home, shared, self._trees)

    def _open_tree(self, entry: TreeEntry, is_new: bool) -> TreeIndex:
        place = MEMORY if self.home == MEMORY else self._trees.registry.path_of(entry)
        with storage_failures(place):
            store = Store(place, create=is_new, shared=self._shared, tree=entry)
            return TreeIndex(store, self._lock_timeout_s, self._settings_of, self._get_tier, self._analyzers)

    def _open_nothing(self) -> TreeIndex:
        """Returns an empty tree, for the answers of a home that has none."""
        store = Store(MEMORY, create=True, shared=self._shared, tree=TreeEntry("", "", None))
        return TreeIndex(store, self._lock_timeout_s, None, self._get_tier, self._analyzers)

    def answering(self, tree: str | None) -> Answering:
        """Returns what answers for a tree with those inside it, or for all; meant for tests and benchmarks.

        Raises:
            UnknownTreeError: There is no such tree.
        """
        return self._scopes.get(tree)

    # Asking --------------------------------------------------------------------------------------

    def search(self, request: SearchRequest | str) -> SearchResponse:
        """Answers a request, or a query with all defaults, from the newest generation.

        The files of the hits are looked at: what is gone is left out, what has changed is marked.
        """
        asked = SearchRequest(request) if isinstance(request, str) else request
        return self.answering(asked.tree).search(asked)

    def search_with_hypothesis(
        self, hypothesis: str, request: SearchRequest | str = ""
    ) -> SearchResponse:
        """Answers a request, looking for the meaning of a text that an answer could have.

        HyDE (Gao et al., 2023, ACL): an invented answer is nearer to the real one than the question is. Words
        are those of the query; without a query, meaning alone decides.

        Args:
            hypothesis: The invented answer, a sentence or a paragraph.
            request: As for `search`; its mode may be ``auto``, ``hybrid`` or ``semantic``.

        Raises:
            InvalidParameterError: The hypothesis is empty, or the mode looks at words alone.
            ModeUnavailableError: There are no vectors.
        """
        asked = SearchRequest(request) if isinstance(request, str) else request
        return self.answering(asked.tree).search_with_hypothesis(hypothesis, asked)

    def explain(
        self, request: SearchRequest | str, doc_key: str, *, tree: str | None = None
    ) -> "DocumentExplanation":
        """Explains where a document stands in an answer: its score, or what keeps it from being a hit.

        The answer is that of `search` without stages, and without a look at the files.

        Args:
            request: What is asked, as for `search`.
            doc_key: The document; it need not be in the index.
            tree: Where it is; the request's tree or else any when not given.

        Raises:
            ModeUnavailableError: The mode or a hypothesis needs vectors, and there are none.
        """
        asked = SearchRequest(request) if isinstance(request, str) else request
        found = self.answering(asked.tree).explain(asked, doc_key, tree)
        if asked.tree is None or found.outcome.reason != NOT_INDEXED:
            return found
        # The tree that was searched knows nothing of the others.
        from dowse.search.explain.explain_miss import find_elsewhere

        elsewhere = find_elsewhere(self.answering(None).current(), asked, without_surrogates(doc_key), tree)
        return found if elsewhere is None else replace(found, outcome=elsewhere)

    def similar(
        self,
        doc_key: str | None = None,
        *,
        text: str | None = None,
        chunk: int | None = None,
        tree: str | None = None,
        source_tree: str | None = None,
        settings: "SimilarSettings | None" = None,
        by: Literal["words", "meaning"] = "words",
        **changes: Any,
    ) -> SearchResponse:
        """Answers with chunks like a document, one of its chunks, or a text; never with the document itself.

        Args:
            doc_key: The document.
            text: A text instead of a document.
            chunk: The number of a chunk in the document, from 0; all of the document when not given.
            tree: Only documents of this tree answer.
            source_tree: Where the document is; any tree when not given.
            settings: Which words count; none do where vectors are compared.
            by: Whether telling words are compared, or vectors: those of the document's chunks, taken
                together.
            changes: What else a `SearchRequest` says of the answer, such as `limit` and `explain`.

        Raises:
            DocumentNotFoundError: There is no such document; the hint has the nearest.
            ModeUnavailableError: Vectors shall be compared, and there are none.
            InvalidParameterError: The text is empty, or what is said counts for words only.
        """
        is_elsewhere = doc_key is not None and tree is not None and source_tree != tree
        return self.answering(None if is_elsewhere else tree).similar(
            doc_key,
            text=text,
            chunk=chunk,
            tree=tree,
            source_tree=source_tree,
            settings=settings,
            by=by,
            **changes,
        )

    def suggest(
        self, text: str, limit: int = 10, *, kinds: "Sequence[CompletionKind]" = ("word", "title")
    ) -> "tuple[Completion, ...]":
        """Returns how a text may go on: its last word completed, and titles; what fits as typed first.

        Args:
            text: As typed so far.
            limit: Most completions, 1 to 1,000.
            kinds: ``word``, ``title`` or both.
        """
        return self.answering(None).suggest(text, limit, kinds)

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds the words of a plain text that no chunk has, and what was likely meant."""
        return self.answering(None).check_spelling(text)

    def terms(
        self, pattern: str = "", *, order: "Order" = "frequency", limit: int = 50, offset: int = 0
    ) -> "TermPage":
        """Returns terms of the index with their frequencies.

        Args:
            pattern: How their words start, or with ``*`` and ``?`` what they look like; empty for all.
            order: ``frequency`` or ``alphabet``.
            limit: Most terms to return, 1 to 10,000.
            offset: Terms to skip.
        """
        return self.answering(None).terms(pattern, order, limit, offset)

    def get(self, doc_key: str, *, tree: str | None = None) -> "StoredDocument":
        """Returns a document as it is stored.

        Raises:
            DocumentNotFoundError: No document has this key.
        """
        return get_document(self._snapshot(tree), without_surrogates(doc_key), tree)

    def list_documents(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedDocument, ...]":
        """Returns the documents of a tree or of all, whose keys start with `under`, by tree and key."""
        from dowse.engine.listing import list_documents

        return list_documents(self._snapshot(tree), tree, without_surrogates(under))

    def list_chunks(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedChunk, ...]":
        """Returns the chunks of the same documents, in the order of their texts."""
        from dowse.engine.listing import list_chunks

        return list_chunks(self._snapshot(tree), tree, without_surrogates(under))

    def _snapshot(self, tree: str | None) -> Snapshot:
        """Returns the newest generation of a tree; of all when there is none of that name."""
        known = tree if tree in self._trees.registry.entries else None
        return self.answering(known).current().snapshot

    # Texts ---------------------------------------------------------------------------------------

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
        found = self._trees.get_or_make(without_surrogates(tree))
        return found.texts.add(doc_key, text, title=title, path=path, tags=tags, format_name=format)

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
        self._trees.get_or_make(without_surrogates(name)).texts.add_tree(language, stop_words)

    def delete(self, doc_key: str, *, tree: str | None = None) -> bool:
        """Removes a document, in one tree or wherever it is; visible after `commit`."""
        key = without_surrogates(doc_key)
        found = [
            self._trees.open(one) for one in self._trees.find_changeable(None) if tree in (None, one.name)
        ]
        # A tree that has no such document is not locked for it.
        having = [one for one in found if one.writing.has_pending or one.has_document(key)]
        return sum(one.texts.delete(doc_key) for one in having) > 0

    def commit(self) -> int:
        """Makes the pending changes of all threads true, durably, tree by tree, each tree's at once.

        When that fails, none of the changes to that tree is kept.

        Returns:
            The generation: a number that rises with every commit to a tree that is open.
        """
        generation = sum(tree.commit() for tree in self._trees.opened)
        self._trees.note_commit()
        return generation

    def rollback(self) -> None:
        """Forgets the pending changes of all threads."""
        for tree in self._trees.opened:
            tree.writing.rollback()

    # Folders -------------------------------------------------------------------------------------

    def find_tree(self, folder: str | os.PathLike[str]) -> tuple[str, str] | None:
        """Returns the tree a folder belongs to and its place below the root (``""`` or ``"sub/"``)."""
        found = self._trees.find_place(Path(folder))
        return None if found is None else (found[0].name, found[1])

    def sync_folder(
        self,
        root: str | os.PathLike[str],
        *,
        name: str | None = None,
        language: str | None = None,
        stop_words: str | None = None,
        listener: SyncListener | None = None,
    ) -> SyncReport:
        """Brings the tree of a folder up to date; makes it when new.

        Args:
            root: The folder.
            name: What to call a new tree; made from the folder's name when not given.
            language: Stemming and stop words; English for a new tree. Changing it reads all files again.
            stop_words: ``default``, ``none``, ``auto`` or words separated by commas.
            listener: Hears how it goes.

        Raises:
            FolderNotFoundError: It is not a folder.
            IndexLockedError: Another process is writing and does not finish in time.
        """
        while True:
            tree = self._find_or_make_tree(Path(root), name)
            inner = self._trees.registry.inner_roots(str(tree.entry.root))
            try:
                report = tree.folder.sync(tree.entry, language, stop_words, listener, inner)
            except OtherTreeError:
                self._trees.drop(tree.entry)  # another process was first with that name
                continue
            self._trees.note_commit()
            return report

    def _find_or_make_tree(self, root: Path, name: str | None) -> TreeIndex:
        """Returns the tree that a folder belongs to; a new one when there is none, or none of that name."""
        found = self._trees.find_place(root)
        if found is not None and name in (None, found[0].name):
            return self._trees.open(found[0])
        path = real_folder(root)
        preferred = None if self._settings_of is None else self._settings_of(root).name
        return self._trees.get_or_make(
            choose_name(self._trees.entries, path, name, preferred), str(path)
        )

    def pending(self, tree: str) -> "PendingChanges":
        """Compares a tree with its folder without changing anything; costs one `stat` a file.

        Raises:
            FolderNotFoundError: Its folder is not there.
        """
        found = self._trees.get(tree)
        return found.folder.pending(self._trees.registry.inner_roots(str(found.entry.root)))

    def watched_trees(self) -> dict[str, str]:
        """Returns the roots of the trees that `dowse watch run` keeps up to date, by name."""
        found, _ = self._upkeep.open_all()
        return {
            tree.entry.name: tree.entry.root
            for tree in found
            if tree.entry.root is not None and not tree.entry.is_mounted and tree.folder.is_watched
        }

    def set_watched(self, tree: str, *, is_watched: bool) -> None:
        """Says whether a tree is to be watched, and commits."""
        found = self._trees.get(tree)
        if found.entry.root is None:
            legal = "a tree of pushed texts has no folder to watch"
            raise InvalidParameterError(name="tree", value=tree, legal=legal)
        found.folder.set_watched(is_watched=is_watched)

    def remove_tree(self, name: str) -> int:
        """Removes a tree with all its documents; returns how many documents went.

        Of a mounted tree only the mount goes.

        Raises:
            UnknownTreeError: There is no such tree.
        """
        return self._upkeep.remove(name)

    def export_tree(self, name: str, file: str | os.PathLike[str]) -> int:
        """Writes a tree into one file, from one generation; returns its size in bytes.

        Raises:
            UnknownTreeError: There is no such tree.
        """
        from dowse.engine.tree_archives import export_tree

        return export_tree(self._trees, name, Path(file))

    def import_tree(self, file: str | os.PathLike[str], *, name: str | None = None) -> str:
        """Makes a tree of a file that `export_tree` wrote; returns its name.

        Args:
            file: The file.
            name: What to call the tree; as it was called when not given.

        Raises:
            InvalidParameterError: There is a tree of that name already.
            CorruptFileError: The file holds no tree.
        """
        from dowse.engine.tree_archives import import_tree

        return import_tree(self._trees, Path(file), name).name

    def mount(self, folder: str | os.PathLike[str], *, name: str | None = None) -> str:
        """Lets a tree outside of the home be searched where it is; returns its name.

        It is only read: what would change it raises ReadOnlyIndexError. `remove_tree` ends the mount.

        Args:
            folder: The folder of the tree: one below the ``trees/`` of another home, or a copy of one.
            name: What to call it here; as it is called there when not given.

        Raises:
            InvalidParameterError: There is no tree, or one of that name is here already.
        """
        from dowse.engine.tree_archives import mount_tree

        return mount_tree(self._trees, Path(folder), name).name

    # Vectors -------------------------------------------------------------------------------------

    @cached_property
    def embeddings(self) -> "EmbeddingTier":
        """What makes vectors for this index."""
        from dowse.embedding import EmbeddingSettings, Runtime
        from dowse.engine.embeddings import EmbeddingTier

        cache = default_cache()
        given = self._embedding() if callable(self._embedding) else self._embedding
        settings = given or EmbeddingSettings(cache_folder=cache)
        return EmbeddingTier(settings, Runtime(time.monotonic, time.sleep), cache)

    def _get_tier(self) -> "EmbeddingTier":
        return self.embeddings

    def forget_questions(self) -> None:
        """Forgets the vectors of questions asked so far, for whoever measures how long answers take."""
        if "embeddings" in self.__dict__:  # else nobody has asked
            self.embeddings.forget_questions()

    def has_vectors(self, tree: str | None = None) -> bool:
        """Says whether any model has made vectors for a tree, or for any; loads nothing."""
        return self.answering(tree).has_vectors()

    def coverage(self, tree: str | None = None) -> "Coverage | None":
        """Returns how many chunks of a tree, or of all, have vectors of the chosen model; None of none."""
        return self.answering(tree).coverage()

    def describe_embedding(self, tree: str | None = None) -> "EmbeddingReport":
        """Reports on the model that makes vectors, and what a tree, or all, have of them; loads no model."""
        tier = self.embeddings
        return EmbeddingReport(
            tier.model_name if tier.is_enabled else "",
            tier.is_enabled,
            tier.unavailable_reason(),
            tier.has_table(),
            self.coverage(tree),
            "" if tier.unavailable_reason() else self.why_no_vectors(tree),
        )

    def check_embedding(self) -> None:
        """Raises ConfigError when what was configured to make vectors cannot be; a missing model passes."""
        self.embeddings.check_configuration()

    def why_no_vectors(self, tree: str | None = None) -> str:
        """Returns why there are none, or why those that are there cannot be used; empty when all is well."""
        return self.answering(tree).why_no_vectors()

    def embed(
        self,
        listener: "EmbeddingListener | None" = None,
        *,
        with_model: bool = True,
        tree: str | None = None,
    ) -> "Coverage | None":
        """Gives chunks their vectors: rough ones at some thousands a second, then the model's own.

        What is written stays when this is stopped; the next call goes on from there. Searches
        use whatever vectors there are.

        Args:
            listener: Hears how far it is.
            with_model: Whether the model reads the chunks itself, at some tens a second.
            tree: Whose chunks, and those of the trees inside it; of all, one after the other, when None.

        Returns:
            How many of these chunks have vectors now; None when vectors are switched off.

        Raises:
            ModelMissingError: The model is not on this machine.
        """
        if not self.embeddings.is_enabled:
            return None
        for one in self._iter_changeable(tree):
            one.vectors.embed(listener, with_model=with_model)
        return self.coverage(tree)

    def _iter_changeable(self, tree: str | None) -> "Iterator[TreeIndex]":
        """Yields the trees of a scope that are not only read, each opened when it is its turn."""
        return map(self._trees.open, self._trees.find_changeable(tree))

    def restore_vectors(self, tree: str | None = None) -> int:
        """Gives chunks without a vector those that the model made of the same texts before, in any tree.

        Nothing is embedded, and no model is loaded.

        Returns:
            How many chunks have one now.
        """
        return sum(one.vectors.restore() for one in self._iter_changeable(tree))

    # Looking after it ----------------------------------------------------------------------------

    def status(self, *, looks: bool = False) -> "IndexStatus":
        """Returns what the index holds, and what it does not.

        Args:
            looks: Whether each tree is compared with its folder, at one `stat` a file.
        """

        def describe(tree: TreeIndex, status: "TreeStatus") -> "TreeStatus":
            status = replace(status, coverage=tree.vectors.coverage(), is_mounted=tree.entry.is_mounted)
            if looks and status.root and status.has_root and not status.is_mounted:
                status = replace(status, pending=self.pending(status.name))
            return status

        return replace(
            self._upkeep.status(describe),
            embedding_model=self.embeddings.model_name if self.embeddings.is_enabled else "",
            no_vectors=self.embeddings.unavailable_reason() or self.why_no_vectors(),
            caches=(*self._scopes.describe_caches(), *self.embeddings.describe_caches()),
        )

    def check(self, *, repair: bool = False) -> "DoctorReport":
        """Compares every byte with its checksum and the catalogue with itself; mends it when asked to."""
        return self._upkeep.check(repair=repair)

    def sweep(
        self, *, removes_missing_trees: bool = False, removes_other_models: bool = False
    ) -> "SweepReport":
        """Removes documents whose files are gone, and space that is of no use any more; commits.

        Args:
            removes_missing_trees: Whether trees go whose folders are not there. A folder on a drive that is
                not connected looks the same, so this must be asked for.
            removes_other_models: Whether vectors go that were made by other models than the chosen one. To
                make them again takes hours, so this must be asked for, too.
        """
        return self._upkeep.sweep(
            removes_missing_trees=removes_missing_trees, removes_other_models=removes_other_models
        )

    def optimize(self) -> int:
        """Merges each tree into one segment, which answers fastest; returns how many merges that took.

        Worth its time after a large import; what changes later is merged as it comes.
        """
        return self._upkeep.merge_all()

    def rebuild(self, listener: SyncListener | None = None) -> int:
        """Makes all segments again from the catalogue; returns how many there were."""
        return self._upkeep.rebuild(listener)

    def close(self) -> None:
        """Forgets uncommitted changes and closes everything."""
        self._scopes.close()
        self._trees.close()
        self._shared.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
