"""Gives an index its vectors, and finds the embedder for its questions.

A model is loaded when a question of meaning is asked for the first time, and not before. Without its files
everything else works, and `status` says what is missing.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from dowse.embedding import EmbeddingSettings, Surroundings
from dowse.engine.embedders import find_fault, load_embedder
from dowse.errors import ConfigError, DowseError
from dowse.search.backing import WordsUnavailable
from dowse.storage.live_vectors import (
    MODEL,
    LiveVectors,
    StoredModel,
    find_stored_model,
    list_models,
)

if TYPE_CHECKING:
    from dowse.embedding import (
        Embedder,
        ModelFiles,
        NearestWords,
        OnnxEmbedder,
        QueryCache,
        StaticEmbedder,
        StaticTable,
        WordPieces,
    )
    from dowse.indexing.vectorising import Vectoriser
    from dowse.kernels.layout import F32
    from dowse.rerank.stage import Judge
    from dowse.search import Searcher
    from dowse.storage.catalog import Catalog
    from dowse.storage.snapshot import Snapshot
    from dowse.storage.store import Store

SAMPLE_CHUNKS = 2000
FEW_CHUNKS = 500
"""So many chunks the model itself reads in the time that making a table of tokens takes."""
FIRST_PAIRS = 128
LEARN_FROM = 512
LEARN_AGAIN_AT = 4
MOST_PAIRS = 4096
NEAR_WORDS = 40
"""How many words near a question are looked at; of those, few are in the index and not in the question."""


class MeaningListener(NamedTuple):
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


SILENT = MeaningListener(_silence, _silence, _silence)


class Meaning:
    """The embedder of one open index.

    Args:
        settings: Which model.
        surroundings: Clock and sleep, for services.
        table_folder: Where tables of token vectors are kept between runs; None for nowhere.
    """

    def __init__(
        self, settings: EmbeddingSettings, surroundings: Surroundings, table_folder: Path | None
    ) -> None:
        self.settings, self._surroundings, self._table_folder = settings, surroundings, table_folder
        self._model: Embedder | None = None
        self._kept_table: StaticTable | None = None
        self._questions: QueryCache | None = None
        self._loading = Lock()  # an index is asked by several threads, and one model is enough for them
        self._fault: DowseError | None = None
        self._was_looked_at = False
        self._judge: Judge | None = None
        self._words: NearestWords | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether there are to be vectors at all."""
        return self.settings.kind != "none"

    @property
    def model_name(self) -> str:
        """What the catalogue calls the model."""
        if self.settings.kind == "http":
            return self.settings.model if self.settings.http is None else self.settings.http.model
        return Path(self.settings.model).name

    def why_not(self) -> str:
        """Returns why nothing can be embedded; empty when it can. Looks for files, and loads nothing."""
        if not self.is_wanted:
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
        if len(named) > 1 and not self.why_not():
            now = self.find_fingerprint()
            named = [model for model in named if model.fingerprint == now] or named
        return named[-1] if named else None

    def has_table(self) -> bool:
        """Says whether static vectors can be made at once: no table of tokens must be made before."""
        if self._kept_table is not None:
            return True
        if self.why_not() or self.settings.kind != "onnx" or self._table_folder is None:
            return False
        from dowse.embedding import find_model

        return self._table_path(find_model(self.settings.model, self.settings.model_folders)).is_file()

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

                self._model = load_embedder(self.settings, self._surroundings)
                self._questions = QueryCache(self._model)
            return self._questions

    def forget_questions(self) -> None:
        """Forgets the vectors of questions asked so far, so that the next ones take as long as the first."""
        if self._questions is not None:
            self._questions.forget()

    def embed_index(
        self,
        store: "Store",
        current: "Callable[[], Searcher]",
        lock_timeout_s: float,
        listener: MeaningListener,
        *,
        with_model: bool,
    ) -> None:
        """Gives every chunk a static vector, and then, unless told otherwise, the model's own.

        Args:
            store: The index.
            current: Returns a searcher on the newest generation.
            lock_timeout_s: How long to wait for another process that is writing.
            listener: Hears how far it is; it may raise to stop, and what was written stays.
            with_model: Whether the model reads the chunks itself, at some tens a second.
        """
        from dowse.indexing.vectorising import Vectoriser

        if self._is_done(store, current, with_model=with_model):
            return  # without the model
        embedder = self.get_embedder()

        def catalog() -> "Catalog":
            return current().snapshot.catalog

        while True:
            model = self._known_model(store, current, lock_timeout_s, listener, with_model=with_model)
            if model is None:
                return
            vectoriser = Vectoriser(store, model, lock_timeout_s)
            # Bound to this round: the next one may know a better correction.
            vectors = partial(_open_vectors, store, current, model)
            vectoriser.restore(vectors, catalog)
            # When the model has read everything, a table that may have to be made is of no use.
            has_more = len(vectors().find_missing((MODEL,))) > 0
            static = self._static_embedder(model, listener) if has_more else None
            if static is not None and self._learn(vectoriser, catalog(), vectors(), static):
                continue
            if static is not None:
                vectoriser.run(vectors, catalog, static, model.static_kind, _told(listener.static))
            if static is not None and not with_model:
                return
            wanted = _learns_at(model) - vectors().coverage.model
            # When there is no more to be learned, the rest is read in one go.
            at_most = wanted if static is not None and wanted > 0 else None
            done = vectoriser.run(vectors, catalog, embedder, MODEL, _told(listener.model), at_most)
            if at_most is None or done < at_most:
                return

    def restore_vectors(
        self, store: "Store", current: "Callable[[], Searcher]", lock_timeout_s: float
    ) -> int:
        """Gives chunks without a vector those that the model made of the same texts before.

        Returns:
            How many chunks have one now.
        """
        from dowse.indexing.vectorising import Vectoriser

        model = self.find_known_model(current().snapshot)
        if model is None:
            return 0
        vectors = partial(_open_vectors, store, current, model)
        return Vectoriser(store, model, lock_timeout_s).restore(vectors, lambda: current().snapshot.catalog)

    def _is_done(
        self, store: "Store", current: "Callable[[], Searcher]", *, with_model: bool
    ) -> bool:
        """Says whether every chunk has the vector that is wanted."""
        snapshot = current().snapshot
        model = find_stored_model(snapshot, self.find_fingerprint())
        if model is None:
            return not snapshot.doc_count
        vectors = _open_vectors(store, current, model)
        is_static = not with_model and model.token_weights is not None
        kinds = (MODEL, model.static_kind) if is_static else (MODEL,)
        return not vectors.damaged and not len(vectors.find_missing(kinds))

    def _learn(
        self, vectoriser: "Vectoriser", catalog: "Catalog", vectors: LiveVectors, static: "StaticEmbedder"
    ) -> bool:
        """Learns a better correction once the model has read several times what the last one is made from."""
        from dowse.embedding import MapFitter

        if vectors.coverage.model < _learns_at(vectors.model):
            return False
        texts, targets = vectoriser.read_pairs(catalog, vectors, MOST_PAIRS)
        if len(texts) <= vectors.model.pairs:
            return False
        fitter = MapFitter(static.dimensions)
        fitter.add(static.embed_uncorrected(texts), targets)
        vectoriser.learn(fitter.solve().encode(), len(texts))
        return True

    def _known_model(
        self,
        store: "Store",
        current: "Callable[[], Searcher]",
        lock_timeout_s: float,
        listener: MeaningListener,
        *,
        with_model: bool,
    ) -> StoredModel | None:
        """Returns what the index knows of the model, made known first when it is new; None without chunks."""
        from dowse.indexing.passages import read_passages
        from dowse.indexing.vectorising import introduce_model

        embedder = self.get_embedder()
        snapshot = current().snapshot
        known = find_stored_model(snapshot, embedder.fingerprint)
        wants_table = self._wants_table(snapshot, with_model=with_model)
        if known is not None and (known.token_weights is not None or not wants_table):
            return known
        keys = [row[0] for row in snapshot.catalog.fetch(_SAMPLE, (SAMPLE_CHUNKS,))]
        passages = read_passages(snapshot.catalog, keys)
        if not passages:
            return None
        few = passages[:: max(1, len(passages) // FIRST_PAIRS)][:FIRST_PAIRS]
        own = embedder.embed_passages([passage.text for passage in few])
        look = _FirstLook(own)
        table = self._table(listener) if wants_table else None
        if table is not None:
            pairs = [passage.text for passage in few], own
            look = self._first_look(table, [passage.text for passage in passages], pairs)
        introduce_model(
            store,
            lock_timeout_s,
            fingerprint=embedder.fingerprint,
            name=embedder.name,
            sample=look.sample,
            token_weights=look.token_weights,
            correction=look.correction,
            pairs=look.pairs,
            # A text is read once; when rough vectors are all that is wanted, these stay rough as well.
            read=zip((passage.text_hash for passage in few), own, strict=True) if with_model else (),
        )
        return find_stored_model(current().snapshot, embedder.fingerprint)

    def _wants_table(self, snapshot: "Snapshot", *, with_model: bool) -> bool:
        """Says whether static vectors are worth a table that takes a minute to make, once."""
        is_local = self.settings.kind == "onnx" and self._table_folder is not None
        is_worth_it = not with_model or snapshot.doc_count > FEW_CHUNKS
        return is_local and (is_worth_it or self.has_table())

    def _first_look(
        self, table: "StaticTable", texts: Sequence[str], pairs: "tuple[Sequence[str], F32]"
    ) -> "_FirstLook":
        """Learns what static vectors are made by.

        Args:
            table: Of the model's tokens.
            texts: Some passages.
            pairs: A few of them, and the model's own vectors of these.
        """
        from dowse.embedding import MapFitter, TokenCounts

        counts, pieces = TokenCounts(len(table.vectors)), self._pieces()
        for text in texts:
            counts.add(pieces.split(text))
        weights = counts.idf()
        static = self._build_static(table, weights)
        fitter = MapFitter(static.dimensions)
        fitter.add(static.embed_uncorrected(pairs[0]), pairs[1])
        correction = fitter.solve()
        sample = static.with_correction(correction).embed_passages(texts)
        return _FirstLook(sample, weights, correction.encode(), len(pairs[0]))

    def get_judge(self) -> "Judge":
        """Returns what judges question and passage together; loads it when first asked for.

        Raises:
            JudgeUnavailable: The model's files, or what runs them, are not there.
        """
        if self._judge is None:
            from dowse.engine.judging import load_judge

            self._judge = load_judge(self.settings)
        return self._judge

    def find_near_words(self, text: str) -> list[tuple[str, float]]:
        """Returns words of the model's vocabulary near a question, nearest first.

        Raises:
            WordsUnavailable: There is no table of them.
        """
        if self._words is None:
            if not self.has_table():
                raise WordsUnavailable(self._why_no_table())
            from dowse.embedding import NearestWords

            table = self._table(SILENT)
            assert table is not None, "there is one"
            self._words = NearestWords(table, self._transformer().tokenizer.get_vocab().items())
        return self._words.find(self.get_embedder().embed_queries([text])[0], NEAR_WORDS)

    def _why_no_table(self) -> str:
        if self.why_not():
            return self.why_not()
        if self.settings.kind != "onnx":
            return "a service does not tell the words of its model"
        return "there is no table of the model's words yet; make it: dowse index FOLDER --static-only"

    def _static_embedder(
        self, model: StoredModel, listener: MeaningListener
    ) -> "StaticEmbedder | None":
        from dowse.embedding import decode_map

        table = None if model.token_weights is None else self._table(listener)
        if table is None or model.token_weights is None:
            return None
        static = self._build_static(table, model.token_weights)
        return static.with_correction(decode_map(model.correction, static.dimensions))

    def _build_static(self, table: "StaticTable", weights: "F32") -> "StaticEmbedder":
        from dowse.embedding import StaticEmbedder

        threads = self.settings.threads
        return StaticEmbedder(self._transformer().name, table, self._pieces(), weights, threads=threads)

    def _pieces(self) -> "WordPieces":
        from dowse.embedding import WordPieces

        return WordPieces(self._transformer().tokenizer)

    def _table(self, listener: MeaningListener) -> "StaticTable | None":
        """Returns the model's table of token vectors, made when not there; None for services.

        It is kept for the next run where that is possible, and in memory until then.
        """
        from dowse.embedding import build_static_table, load_static_table

        if self.settings.kind != "onnx" or self._table_folder is None:
            return None
        model = self._transformer()
        path = self._table_path(model.files)
        table = self._kept_table or load_static_table(path, model.files.fingerprint)
        if table is None:
            table = build_static_table(model, listener.table)
            try:
                table.save(path)
            except OSError as error:  # a cache that cannot be written to costs time, nothing else
                listener.note(
                    f"what was prepared for the model could not be kept in {path.parent}"
                    f" ({error.strerror or error}) and is made again each time;"
                    " DOWSE_CACHE names another folder"
                )
        self._kept_table = table
        return table

    def _table_path(self, files: "ModelFiles") -> Path:
        assert self._table_folder is not None, "asked before"
        return self._table_folder / f"{files.card.name.replace('/', '_')}-{files.fingerprint[:16]}.table"

    def _transformer(self) -> "OnnxEmbedder":
        from dowse.embedding import OnnxEmbedder

        self.get_embedder()
        assert isinstance(self._model, OnnxEmbedder), "only a model on this machine has a vocabulary"
        return self._model


class _FirstLook(NamedTuple):
    """What is learned of a model from the first passages of an index; see `StoredModel`."""

    sample: "F32"
    token_weights: "F32 | None" = None
    correction: bytes = b""
    pairs: int = 0


def _learns_at(model: StoredModel) -> int:
    """Returns how many chunks the model must have read before a better correction can be learned."""
    return max(model.pairs * LEARN_AGAIN_AT, LEARN_FROM)


def _open_vectors(store: "Store", current: "Callable[[], Searcher]", model: StoredModel) -> LiveVectors:
    return LiveVectors(current().snapshot, store.vector_directory, model)


_SAMPLE = "SELECT chunk_key FROM chunks ORDER BY chunk_key DESC LIMIT ?"


class _told:  # noqa: N801 - reads as the function it stands for
    """A `VectorListener` that passes everything on to a function."""

    def __init__(self, tell: Callable[[int, int], object]) -> None:
        self._tell = tell

    def vectors_made(self, done: int, total: int) -> None:
        self._tell(done, total)
