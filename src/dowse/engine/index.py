"""An open index: the one object faces and programs use."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from msgspec.structs import replace

from dowse.config.settings import FolderSettings
from dowse.engine.answering import Answering
from dowse.engine.documents import get_document, without_surrogates
from dowse.engine.health import describe_index
from dowse.engine.home import default_cache, default_home
from dowse.engine.tree_index import TreeIndex
from dowse.engine.trees import PUSHED_TREE
from dowse.indexing.report import SyncListener
from dowse.planning import Analyzers
from dowse.schema import EmbeddingReport, Problem, SearchRequest, SearchResponse, SyncReport
from dowse.storage.failures import storage_failures
from dowse.storage.store import MEMORY, Store

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
        return Index(Store(where, create=create), lock_timeout_s, settings_of, embedding)


class Index:
    """An open index. Any number of threads may search and change it at once.

    Texts are pushed into one pending transaction that all threads share, and `commit` makes all of it true.
    What commits by itself (`sync_folder`, `set_watched`, `remove_tree`, `embed`, `restore_vectors`, `sweep`,
    `optimize`, `rebuild` and a repairing `check`) never touches what is pending: it waits until other threads
    have committed, and raises UncommittedChangesError when the calling thread has not.

    Use it as a context manager, or call `close`: changes that were not committed are then forgotten.
    """

    def __init__(
        self,
        store: Store,
        lock_timeout_s: float,
        settings_of: Callable[[Path], FolderSettings] | None = None,
        embedding: "EmbeddingChoice" = None,
    ) -> None:
        self.home = store.home
        self._embedding = embedding
        analyzers = Analyzers()
        self._tree = TreeIndex(store, lock_timeout_s, settings_of, self._get_tier, analyzers)
        self._answering = Answering(self._tree.generations, self._tree.vectors, analyzers, self._get_tier)

    # Asking --------------------------------------------------------------------------------------

    def search(self, request: SearchRequest | str) -> SearchResponse:
        """Answers a request, or a query with all defaults, from the newest generation.

        The files of the hits are looked at: what is gone is left out, what has changed is marked.
        """
        return self._answering.search(request)

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
        return self._answering.search_with_hypothesis(hypothesis, request)

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
        return self._answering.explain(request, doc_key, tree)

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
        return self._answering.similar(
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
        return self._answering.suggest(text, limit, kinds)

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds the words of a plain text that no chunk has, and what was likely meant."""
        return self._answering.check_spelling(text)

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
        return self._answering.terms(pattern, order, limit, offset)

    def get(self, doc_key: str, *, tree: str | None = None) -> "StoredDocument":
        """Returns a document as it is stored.

        Raises:
            DocumentNotFoundError: No document has this key.
        """
        return get_document(self._tree.generations.current(), without_surrogates(doc_key), tree)

    def list_documents(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedDocument, ...]":
        """Returns the documents of a tree or of all, whose keys start with `under`, by tree and key."""
        from dowse.engine.listing import list_documents

        return list_documents(self._tree.generations.current(), tree, without_surrogates(under))

    def list_chunks(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedChunk, ...]":
        """Returns the chunks of the same documents, in the order of their texts."""
        from dowse.engine.listing import list_chunks

        return list_chunks(self._tree.generations.current(), tree, without_surrogates(under))

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
        return self._tree.texts.add(
            doc_key, text, title=title, path=path, tags=tags, format_name=format, tree=tree
        )

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
        self._tree.texts.add_tree(name, language, stop_words)

    def delete(self, doc_key: str, *, tree: str | None = None) -> bool:
        """Removes a document, in one tree or wherever it is; visible after `commit`."""
        return self._tree.texts.delete(doc_key, tree)

    def commit(self) -> int:
        """Makes the pending changes of all threads true at once, durably; returns the generation.

        When that fails, none of them is kept.
        """
        return self._tree.commit()

    def rollback(self) -> None:
        """Forgets the pending changes of all threads."""
        self._tree.writing.rollback()

    # Folders -------------------------------------------------------------------------------------

    def find_tree(self, folder: str | os.PathLike[str]) -> tuple[str, str] | None:
        """Returns the tree a folder belongs to and its place below the root (``""`` or ``"sub/"``)."""
        return self._tree.folders.find(folder)

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
        return self._tree.folders.sync(root, name, language, stop_words, listener)

    def pending(self, tree: str) -> "PendingChanges":
        """Compares a tree with its folder without changing anything; costs one `stat` a file.

        Raises:
            FolderNotFoundError: Its folder is not there.
        """
        return self._tree.folders.pending(tree)

    def watched_trees(self) -> dict[str, str]:
        """Returns the roots of the trees that `dowse watch run` keeps up to date, by name."""
        return self._tree.folders.watched()

    def set_watched(self, tree: str, *, is_watched: bool) -> None:
        """Says whether a tree is to be watched, and commits."""
        self._tree.folders.set_watched(tree, is_watched=is_watched)

    def remove_tree(self, name: str) -> int:
        """Removes a tree with all its documents, and commits; returns how many documents went."""
        return self._tree.folders.remove(name)

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

    def has_vectors(self) -> bool:
        """Says whether any model has made vectors for this index; loads nothing."""
        return self._tree.vectors.has_any(self._tree.generations.current())

    def coverage(self) -> "Coverage | None":
        """Returns how many chunks have vectors by the model that is chosen; None when it made none yet."""
        return self._tree.vectors.coverage()

    def describe_embedding(self) -> "EmbeddingReport":
        """Reports on the model that makes vectors, and on what the index has of them; loads no model."""
        tier = self.embeddings
        return EmbeddingReport(
            tier.model_name if tier.is_enabled else "",
            tier.is_enabled,
            tier.unavailable_reason(),
            tier.has_table(),
            self.coverage(),
            "" if tier.unavailable_reason() else self.why_no_vectors(),
        )

    def check_embedding(self) -> None:
        """Raises ConfigError when what was configured to make vectors cannot be; a missing model passes."""
        self.embeddings.check_configuration()

    def why_no_vectors(self) -> str:
        """Returns why there are none, or why those that are there cannot be used; empty when all is well."""
        return self._answering.why_no_vectors()

    def embed(
        self, listener: "EmbeddingListener | None" = None, *, with_model: bool = True
    ) -> "Coverage | None":
        """Gives chunks their vectors: rough ones at some thousands a second, then the model's own.

        What is written stays when this is stopped; the next call goes on from there. Searches
        use whatever vectors there are.

        Args:
            listener: Hears how far it is.
            with_model: Whether the model reads the chunks itself, at some tens a second.

        Returns:
            How many chunks have vectors now; None when vectors are switched off.

        Raises:
            ModelMissingError: The model is not on this machine.
        """
        return self._tree.vectors.embed(listener, with_model=with_model)

    def restore_vectors(self) -> int:
        """Gives chunks without a vector those that the model made of the same texts before.

        Nothing is embedded, and no model is loaded.

        Returns:
            How many chunks have one now.
        """
        return self._tree.vectors.restore()

    # Looking after it ----------------------------------------------------------------------------

    def status(self, *, looks: bool = False) -> "IndexStatus":
        """Returns what the index holds, and what it does not.

        Args:
            looks: Whether each tree is compared with its folder, at one `stat` a file.
        """
        reason, coverage = self.embeddings.unavailable_reason(), self.coverage()
        status = replace(
            describe_index(self._tree.store, self._tree.generations.current()),
            coverage=coverage,
            embedding_model=self.embeddings.model_name if self.embeddings.is_enabled else "",
            no_vectors=reason or self.why_no_vectors(),
        )
        if not looks:
            return status
        trees = (
            replace(tree, pending=self.pending(tree.name)) if tree.root and tree.has_root else tree
            for tree in status.trees
        )
        return replace(status, trees=tuple(trees))

    def check(self, *, repair: bool = False) -> "DoctorReport":
        """Compares every byte with its checksum and the catalogue with itself; mends it when asked to."""
        return self._tree.upkeep.check(repair=repair)

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
        return self._tree.upkeep.sweep(
            removes_missing_trees=removes_missing_trees, removes_other_models=removes_other_models
        )

    def optimize(self) -> int:
        """Merges everything into one segment, which answers fastest; returns how many merges that took.

        Worth its time after a large import; what changes later is merged as it comes.
        """
        return self._tree.upkeep.merge_all()

    def rebuild(self, listener: SyncListener | None = None) -> int:
        """Makes all segments again from the catalogue; returns how many there were."""
        return self._tree.upkeep.rebuild(listener)

    def close(self) -> None:
        """Forgets uncommitted changes and closes everything."""
        self._answering.close()
        self._tree.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
