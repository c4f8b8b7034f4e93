"""One run that gives an index its vectors: performs the steps that `indexing.embedding_plan` decides on."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from dowse.indexing import embedding_plan
from dowse.indexing.embedding_plan import (
    Backlog,
    Done,
    EmbedModel,
    EmbedStatic,
    FitCorrection,
    Introduce,
    KnownModel,
    Restore,
    Step,
    Tier,
    Tried,
    next_step,
)
from dowse.indexing.passages import Passage, read_passages
from dowse.indexing.vector_indexing import VectorIndexer
from dowse.logs import Log
from dowse.storage.live_vectors import LiveVectors, list_chunk_keys, open_live_vectors
from dowse.storage.stored_models import MODEL, FittedModel, StoredModel, find_stored_model

if TYPE_CHECKING:
    from dowse.embedding import Embedder
    from dowse.engine.embeddings import EmbeddingListener
    from dowse.engine.static_tier import StaticTier
    from dowse.indexing.vector_writer import VectorWriter
    from dowse.storage.snapshot import Snapshot
    from dowse.storage.store import Store

LOG = Log(__name__)
SAMPLE_CHUNKS = 2000
MOST_PAIRS = 4096


class EmbeddingRun:
    """Gives the chunks of one index their vectors.

    Args:
        store: The index.
        current: Returns the snapshot of the newest generation.
        writer: Writes the vectors.
        fingerprint: Names the model.
        get_embedder: Loads the model; it is called when the first step needs it, and not before.
        static: Makes static vectors.
        listener: Is told about progress; it may raise to stop the run, and what was written stays.
        with_model: Whether the model reads the chunks itself, at some tens per second.
    """

    def __init__(
        self,
        store: "Store",
        current: "Callable[[], Snapshot]",
        writer: "VectorWriter",
        *,
        fingerprint: str,
        get_embedder: "Callable[[], Embedder]",
        static: "StaticTier",
        listener: "EmbeddingListener",
        with_model: bool,
    ) -> None:
        self._store, self._current, self._writer = store, current, writer
        self._fingerprint, self._get_embedder, self._static = fingerprint, get_embedder, static
        self._listener, self._with_model = listener, with_model

    def run(self) -> None:
        """Performs one step after the other until nothing is left to do."""
        tier = Tier(self._with_model, self._static.is_possible, self._static.has_table())
        tried = Tried()
        while True:
            stored = find_stored_model(self._current(), self._fingerprint)
            known = None if stored is None else describe_model(stored)
            backlog = self._describe_backlog(stored)
            step = next_step(backlog, known, tier, tried)
            if isinstance(step, Done):
                return
            LOG.info("embedding: %s of %s", step, backlog)
            self._perform(step, stored)
            tried = tried.after(step, backlog, known)

    def _perform(self, step: Step, stored: StoredModel | None) -> None:
        if isinstance(step, Introduce):
            self._introduce(with_table=step.with_table)
            return
        assert stored is not None, "every other step is for a model that the index knows"
        indexer = VectorIndexer(self._store, stored, self._writer)
        match step:
            case Restore():
                indexer.restore(self._opener(stored), self._current)
            case FitCorrection():
                self._fit_correction(indexer, stored)
            case EmbedStatic():
                static = self._static.find_embedder(stored, self._listener)
                assert static is not None, "the weights of its tokens are known"
                told = _Told(self._listener.static)
                indexer.run(self._opener(stored), self._current, static, stored.static_kind, told)
            case EmbedModel(at_most):
                embedder, told = self._get_embedder(), _Told(self._listener.model)
                indexer.run(self._opener(stored), self._current, embedder, MODEL, told, at_most)

    def _describe_backlog(self, stored: StoredModel | None) -> Backlog:
        snapshot = self._current()
        if stored is None:
            return Backlog(snapshot.doc_count)
        vectors = open_live_vectors(self._store, snapshot, stored)
        return Backlog(
            snapshot.doc_count,
            read=vectors.coverage.model,
            unread=len(vectors.find_missing((MODEL,))),
            without_static=len(vectors.find_missing((MODEL, stored.static_kind))),
            has_damage=bool(vectors.damaged),
        )

    def _introduce(self, *, with_table: bool) -> None:
        """Makes the model known to the index, or fits anew what was fitted to a few of many chunks."""
        passages = _read_sample(self._current())
        if not passages:
            return
        embedder = self._get_embedder()
        first = embedding_plan.FIRST_PAIRS
        few = passages[:: max(1, len(passages) // first)][:first]
        own = embedder.embed_passages([passage.text for passage in few])
        texts = [passage.text for passage in passages]
        table = self._static.get_table(self._listener) if with_table else None
        learned = table and self._static.learn(table, texts, ([one.text for one in few], own))
        self._writer.introduce(
            embedder.fingerprint,
            embedder.name,
            learned.embedder.embed_passages(texts) if learned else own,
            learned.fitted if learned else FittedModel(),
            # Each text is read once. When only static vectors are asked for, these stay static as well.
            zip((one.text_hash for one in few), own, strict=True) if self._with_model else (),
        )

    def _fit_correction(self, indexer: VectorIndexer, stored: StoredModel) -> None:
        """Fits the correction to everything read so far, if that is more than it was fitted to.

        Tokens are counted anew, too: the chunks may be others than when they were counted.
        """
        snapshot = self._current()
        vectors = self._opener(stored)()
        texts, targets = indexer.read_pairs(snapshot, vectors, MOST_PAIRS)
        table = self._static.get_table(self._listener)
        if len(texts) <= stored.pairs or table is None:
            return
        sample = [passage.text for passage in _read_sample(snapshot)]
        learned = self._static.learn(table, sample, (texts, targets))
        self._writer.refit(stored, learned.fitted)

    def _opener(self, stored: StoredModel) -> Callable[[], LiveVectors]:
        return lambda: open_live_vectors(self._store, self._current(), stored)


def describe_model(stored: StoredModel) -> KnownModel:
    """Returns what the plan needs to know about a model."""
    return KnownModel(stored.pairs, stored.token_weights is not None, stored.static_kind)


def _read_sample(snapshot: "Snapshot") -> list[Passage]:
    """Returns passages from everywhere in the index."""
    keys = list_chunk_keys(snapshot)
    keys = keys[:: max(1, -(-len(keys) // SAMPLE_CHUNKS))]
    return read_passages(snapshot, keys.tolist())


class _Told:
    """A `VectorListener` that passes everything on to a function."""

    def __init__(self, tell: Callable[[int, int], object]) -> None:
        self._tell = tell

    def vectors_made(self, done: int, total: int) -> None:
        self._tell(done, total)
