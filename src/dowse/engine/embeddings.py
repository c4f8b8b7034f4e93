"""Gives an index its vectors, and finds the embedder for its questions.

A model is loaded when a question of meaning is asked for the first time, and not before. Without its files
everything else works, and `status` says what is missing.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from dowse.embedding import EmbeddingSettings, Runtime
from dowse.engine.embedders import find_fault, load_embedder
from dowse.engine.health import OpenWriter
from dowse.engine.static_tier import StaticTier
from dowse.errors import ConfigError, DowseError
from dowse.remedy import Remedy
from dowse.schema import CacheStatus
from dowse.search.context import VocabularyUnavailable
from dowse.storage.live_vectors import LiveVectors, open_live_vectors
from dowse.storage.stored_models import StoredModel, list_models

if TYPE_CHECKING:
    from dowse.embedding import (
        Embedder,
        NearestWords,
        OnnxEmbedder,
        QueryCache,
    )
    from dowse.search.context import CrossEncoder
    from dowse.storage.snapshot import Snapshot
    from dowse.storage.store import Store

NEAR_WORDS = 40
"""How many words near a question are looked at; of those, few are in the index and not in the question."""


class EmbeddingListener(NamedTuple):
    """Hears how vectors are made; each part is told how many of how many are done.

    Attributes:
        note: Told, in a sentence, what went wrong and stopped nothing.
    """

    table: Callable[[int, int], object]
    static: Callable[[int, int], object]
    model: Callable[[int, int], object]
    note: Callable[[str], object] = lambda words: None


def _silence(done: int, total: int) -> None:
    pass


SILENT = EmbeddingListener(_silence, _silence, _silence)


class EmbeddingTier:
    """The embedder of one open index.

    Args:
        settings: Which model.
        runtime: Clock and sleep, for services.
        table_folder: Where tables of token vectors are kept between runs; None for nowhere.
    """

    def __init__(
        self, settings: EmbeddingSettings, runtime: Runtime, table_folder: Path | None
    ) -> None:
        self.settings, self._runtime = settings, runtime
        self._static = StaticTier(settings, table_folder, self._get_transformer)
        self._model: Embedder | None = None
        self._questions: QueryCache | None = None
        self._loading = Lock()  # an index is asked by several threads, and one model is enough for them
        self._fault: DowseError | None = None
        self._was_looked_at = False
        self._cross_encoder: CrossEncoder | None = None
        self._words: NearestWords | None = None

    @property
    def is_enabled(self) -> bool:
        """Whether there are to be vectors at all."""
        return self.settings.kind != "none"

    @property
    def model_name(self) -> str:
        """What the catalogue calls the model."""
        if self.settings.kind == "http":
            return self.settings.model if self.settings.http is None else self.settings.http.model
        return Path(self.settings.model).name

    def unavailable_reason(self) -> str:
        """Returns why nothing can be embedded; empty when it can. Looks for files, and loads nothing."""
        if not self.is_enabled:
            return "vectors are switched off (embedding.kind is none)"
        fault = self._look()
        return "" if fault is None else f"{fault.message}; {fault.hint}"

    def check_configuration(self) -> None:
        """Refuses what cannot be; a model that is only missing passes.

        Raises:
            ConfigError: The message names the option to change and what is legal.
        """
        fault = self._look()
        if isinstance(fault, ConfigError):
            raise fault.with_traceback(None)  # it is kept, and would keep every caller with it

    def _look(self) -> DowseError | None:
        if not self._was_looked_at:
            self._fault, self._was_looked_at = find_fault(self.settings), True
        return self._fault

    def find_fingerprint(self) -> str:
        """Returns what names the model as it is now; loads nothing. Raises as `get_embedder` does."""
        fault = self._look()
        if fault is not None:
            raise fault.with_traceback(None)
        if self.settings.kind != "onnx":
            return self.get_embedder().fingerprint  # a service is asked nothing until there is a text
        from dowse.embedding import find_model
        from dowse.embedding.onnx import find_fingerprint

        files = find_model(self.settings.model, self.settings.model_folders)
        return find_fingerprint(files, self.settings.max_tokens)

    def find_known_model(self, snapshot: "Snapshot") -> StoredModel | None:
        """Returns the chosen model as an index knows it; None when the index has met none of its name.

        A model whose files or options were changed is there under its name more than once. Of those it is the
        one that it is now; when it is none of them, the one met last, whose vectors are not used.
        """
        named = list_models(snapshot, self.model_name)
        if len(named) > 1 and not self.unavailable_reason():
            now = self.find_fingerprint()
            named = [model for model in named if model.fingerprint == now] or named
        return named[-1] if named else None

    def has_table(self) -> bool:
        """Says whether static vectors can be made at once: no table of tokens must be made before."""
        return not self.unavailable_reason() and self._static.has_table()

    def get_embedder(self) -> "Embedder":
        """Returns the embedder, its questions remembered; loads it when first asked for.

        Raises:
            ConfigError: What was configured cannot be.
            ModelMissingError: The model's files, or what runs them, are not there.
            ModelDamagedError: A file is not what it should be.
        """
        with self._loading:
            if self._questions is None:
                from dowse.embedding import QueryCache

                self._model = load_embedder(self.settings, self._runtime)
                self._questions = QueryCache(self._model)
            return self._questions

    def describe_caches(self) -> tuple[CacheStatus, ...]:
        """Returns what is kept of questions, and how much memory that takes."""
        if self._questions is None:
            return ()
        return (CacheStatus("query vectors", len(self._questions), self._questions.nbytes),)

    def forget_questions(self) -> None:
        """Forgets the vectors of questions asked so far, so that the next ones take as long as the first."""
        if self._questions is not None:
            self._questions.forget()

    def embed_index(
        self,
        store: "Store",
        current: "Callable[[], Snapshot]",
        open_writer: OpenWriter,
        listener: EmbeddingListener,
        *,
        with_model: bool,
    ) -> None:
        """Gives every chunk a static vector, and then, unless told otherwise, the model's own.

        Args:
            store: The index.
            current: Returns the newest generation.
            open_writer: Opens a writer for one transaction.
            listener: Hears how far it is; it may raise to stop, and what was written stays.
            with_model: Whether the model reads the chunks itself, at some tens a second.
        """
        from dowse.engine.embedding_run import EmbeddingRun
        from dowse.indexing.vector_writer import VectorWriter

        EmbeddingRun(
            store,
            current,
            VectorWriter(store, open_writer),
            fingerprint=self.find_fingerprint(),
            get_embedder=self.get_embedder,
            static=self._static,
            listener=listener,
            with_model=with_model,
        ).run()

    def restore_vectors(
        self, store: "Store", current: "Callable[[], Snapshot]", open_writer: OpenWriter
    ) -> int:
        """Gives chunks without a vector those that the model made of the same texts before.

        Returns:
            How many chunks have one now.
        """
        from dowse.indexing.vector_indexing import VectorIndexer
        from dowse.indexing.vector_writer import VectorWriter

        model = self.find_known_model(current())
        if model is None:
            return 0
        vectors = partial(_open_vectors, store, current, model)
        writer = VectorWriter(store, open_writer)
        return VectorIndexer(store, model, writer).restore(vectors, lambda: current().catalog)

    def get_cross_encoder(self) -> "CrossEncoder":
        """Returns what reads a question and a passage together; loads it when first asked for.

        Raises:
            CrossEncoderUnavailable: The model's files, or what runs them, are not there.
        """
        if self._cross_encoder is None:
            from dowse.engine.cross_encoders import load_cross_encoder

            self._cross_encoder = load_cross_encoder(self.settings)
        return self._cross_encoder

    def find_near_words(self, text: str) -> list[tuple[str, float]]:
        """Returns words of the model's vocabulary near a question, nearest first.

        Raises:
            VocabularyUnavailable: There is no table of them.
        """
        if self._words is None:
            if not self.has_table():
                raise VocabularyUnavailable(self._why_no_table())
            from dowse.embedding import NearestWords

            table = self._static.get_table(SILENT)
            assert table is not None, "there is one"
            self._words = NearestWords(table, self._get_transformer().tokenizer.get_vocab().items())
        return self._words.find(self.get_embedder().embed_queries([text])[0], NEAR_WORDS)

    def _why_no_table(self) -> str:
        if self.unavailable_reason():
            return self.unavailable_reason()
        if self.settings.kind != "onnx":
            return "a service does not tell the words of its model"
        return f"there is no table of the model's words yet; {Remedy.MAKE_STATIC_VECTORS}"

    def _get_transformer(self) -> "OnnxEmbedder":
        from dowse.embedding import OnnxEmbedder

        self.get_embedder()
        assert isinstance(self._model, OnnxEmbedder), "only a model on this machine has a vocabulary"
        return self._model


def _open_vectors(store: "Store", current: "Callable[[], Snapshot]", model: StoredModel) -> LiveVectors:
    return open_live_vectors(store, current(), model)
