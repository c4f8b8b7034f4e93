"""What a face may ask of an index, wherever the index runs.

`Index` answers in this process. A client of a running server can be a second member: it has the same methods,
and the values that they take and return can be sent (`dowse.schema`). A face that knows `Engine`, `schema`
and `errors` works with either.
"""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

# A face that only names these types loads nothing else.
if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingListener
    from dowse.indexing.report import SyncListener
    from dowse.schema import (
        Completion,
        Coverage,
        DoctorReport,
        DocumentExplanation,
        EmbeddingReport,
        IndexStatus,
        ListedChunk,
        ListedDocument,
        PendingChanges,
        Problem,
        SearchRequest,
        SearchResponse,
        SpellingReport,
        StoredDocument,
        SweepReport,
        SyncReport,
        TermPage,
    )
    from dowse.schema.suggestions import CompletionKind
    from dowse.similar import SimilarSettings


class Engine(Protocol):
    """An open index. `Index` documents each method."""

    home: str

    # Asking --------------------------------------------------------------------------------------

    def search(self, request: "SearchRequest | str") -> "SearchResponse":
        """Answers a request."""
        ...

    def explain(
        self, request: "SearchRequest | str", doc_key: str, *, tree: str | None = None
    ) -> "DocumentExplanation":
        """Explains the place of a document in an answer, or why it is no hit."""
        ...

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
    ) -> "SearchResponse":
        """Answers with chunks like a document, a chunk or a text."""
        ...

    def suggest(
        self, text: str, limit: int = 10, *, kinds: "Sequence[CompletionKind]" = ("word", "title")
    ) -> "tuple[Completion, ...]":
        """Completes what is being typed."""
        ...

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds the words of a text that no chunk has."""
        ...

    def terms(
        self,
        pattern: str = "",
        *,
        order: Literal["frequency", "alphabet"] = "frequency",
        limit: int = 50,
        offset: int = 0,
    ) -> "TermPage":
        """Lists terms with their frequencies."""
        ...

    def get(self, doc_key: str, *, tree: str | None = None) -> "StoredDocument":
        """Returns a document as it is stored."""
        ...

    def list_documents(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedDocument, ...]":
        """Lists documents."""
        ...

    def list_chunks(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedChunk, ...]":
        """Lists chunks."""
        ...

    # Changing ------------------------------------------------------------------------------------

    def add(
        self,
        doc_key: str,
        text: str | bytes,
        *,
        title: str = "",
        path: str = "",
        tags: Iterable[str] = (),
        format: str = "text",  # noqa: A002 - the word users know
        tree: str = "default",
    ) -> "list[Problem]":
        """Adds a text; true after `commit`."""
        ...

    def add_tree(
        self, name: str, *, language: str | None = None, stop_words: str | None = None
    ) -> None:
        """Makes a tree for texts."""
        ...

    def delete(self, doc_key: str, *, tree: str | None = None) -> bool:
        """Removes a document; true after `commit`."""
        ...

    def commit(self) -> int:
        """Makes pending changes true at once."""
        ...

    def rollback(self) -> None:
        """Forgets pending changes."""
        ...

    # Folders -------------------------------------------------------------------------------------

    def find_tree(self, folder: str | os.PathLike[str]) -> tuple[str, str] | None:
        """Returns the tree that holds a folder, and the folder's place in it."""
        ...

    def sync_folder(
        self,
        root: str | os.PathLike[str],
        *,
        name: str | None = None,
        language: str | None = None,
        stop_words: str | None = None,
        listener: "SyncListener | None" = None,
    ) -> "SyncReport":
        """Brings the tree of a folder up to date."""
        ...

    def pending(self, tree: str) -> "PendingChanges":
        """Compares a tree with its folder."""
        ...

    def watched_trees(self) -> dict[str, str]:
        """Returns the roots of watched trees by name."""
        ...

    def set_watched(self, tree: str, *, is_watched: bool) -> None:
        """Marks a tree as watched or not."""
        ...

    def remove_tree(self, name: str) -> int:
        """Removes a tree with all its documents."""
        ...

    def export_tree(self, name: str, file: str | os.PathLike[str]) -> int:
        """Writes a tree into one file; returns its size in bytes."""
        ...

    def import_tree(self, file: str | os.PathLike[str], *, name: str | None = None) -> str:
        """Makes a tree of such a file; returns its name."""
        ...

    def mount(self, folder: str | os.PathLike[str], *, name: str | None = None) -> str:
        """Lets a tree outside of the home be searched where it is; returns its name."""
        ...

    # Vectors -------------------------------------------------------------------------------------

    def embed(
        self,
        listener: "EmbeddingListener | None" = None,
        *,
        with_model: bool = True,
        tree: str | None = None,
    ) -> "Coverage | None":
        """Gives chunks their vectors."""
        ...

    def forget_questions(self) -> None:
        """Forgets the vectors of questions asked so far, for whoever measures how long answers take."""
        ...

    def restore_vectors(self, tree: str | None = None) -> int:
        """Gives chunks the vectors that their texts had before."""
        ...

    def has_vectors(self, tree: str | None = None) -> bool:
        """Says whether any model has made vectors."""
        ...

    def coverage(self, tree: str | None = None) -> "Coverage | None":
        """Returns how many chunks have vectors of the chosen model."""
        ...

    def describe_embedding(self, tree: str | None = None) -> "EmbeddingReport":
        """Reports on the model that makes vectors, without loading it."""
        ...

    def check_embedding(self) -> None:
        """Raises ConfigError when what was configured cannot be."""
        ...

    # Upkeep --------------------------------------------------------------------------------------

    def status(self, *, looks: bool = False) -> "IndexStatus":
        """Returns what the index holds."""
        ...

    def check(self, *, repair: bool = False) -> "DoctorReport":
        """Compares every byte with its checksum."""
        ...

    def sweep(
        self, *, removes_missing_trees: bool = False, removes_other_models: bool = False
    ) -> "SweepReport":
        """Removes what is of no use any more."""
        ...

    def optimize(self) -> int:
        """Merges everything into one segment."""
        ...

    def rebuild(self, listener: "SyncListener | None" = None) -> int:
        """Makes all segments again."""
        ...

    def close(self) -> None:
        """Forgets pending changes and closes everything."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
