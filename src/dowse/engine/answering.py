"""Answers requests from the newest generation, by words and by meaning."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from msgspec.structs import replace

from dowse.engine.availability import VectorSource, find_availability, find_unusable
from dowse.engine.documents import without_surrogates
from dowse.engine.file_checks import answer_with_checked_files
from dowse.errors import CorruptFileError, InvalidParameterError
from dowse.logs import Log
from dowse.planning import Analyzers
from dowse.remedy import Remedy
from dowse.schema import SearchRequest, SearchResponse
from dowse.schema.search_request import SAYS_SOMETHING
from dowse.search.context import Resources, SearchContext
from dowse.search.pipeline import answer
from dowse.storage.snapshot import Snapshot

# What most searches do without is imported when it is asked for.
if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingTier
    from dowse.schema import (
        CacheStatus,
        Completion,
        Coverage,
        DocumentExplanation,
        SpellingReport,
        TermPage,
    )
    from dowse.schema.suggestions import CompletionKind
    from dowse.search.similar_source import Source
    from dowse.similar import SimilarSettings
    from dowse.suggest import Order, Titles

LOG = Log(__name__)
Answer = TypeVar("Answer")


class Snapshots(Protocol):
    """Where the newest generation comes from: one store, or several joined."""

    def current(self) -> Snapshot:
        """Returns the newest generation."""
        ...

    def note_damage(self) -> None:
        """Says that bytes were found damaged: the next `current` heals first."""


class Answering:
    """Answers from several threads at once.

    Args:
        snapshots: Where the newest generation comes from.
        vectors: What it has of the chosen model's vectors.
        analyzers: Of all trees.
        get_tier: Returns what makes vectors; called only when vectors are asked for.
    """

    def __init__(
        self,
        snapshots: Snapshots,
        vectors: VectorSource,
        analyzers: Analyzers,
        get_tier: "Callable[[], EmbeddingTier]",
    ) -> None:
        self._snapshots, self._stored_vectors = snapshots, vectors
        self._analyzers, self._get_tier = analyzers, get_tier
        self._context: SearchContext | None = None
        self._titles: Titles | None = None

    def search(self, request: SearchRequest | str) -> SearchResponse:
        """Answers a request; see `Index.search`."""
        if isinstance(request, str):
            request = SearchRequest(request)
        asked = request

        def ask(context: SearchContext) -> SearchResponse:
            return answer_with_checked_files(lambda wanted: answer(wanted, context), asked)

        return self._answer(ask)

    def search_with_hypothesis(
        self, hypothesis: str, request: SearchRequest | str = ""
    ) -> SearchResponse:
        """Answers by an invented answer; see `Index.search_with_hypothesis`."""
        asked = SearchRequest(request) if isinstance(request, str) else request
        if not hypothesis:
            raise InvalidParameterError(name="the hypothesis", value="empty", legal=SAYS_SOMETHING)
        return self.search(replace(asked, hypothesis=hypothesis))

    def suggest(
        self, text: str, limit: int, kinds: "Sequence[CompletionKind]"
    ) -> "tuple[Completion, ...]":
        """Returns how a text may go on; see `Index.suggest`."""
        from dowse.suggest import build_titles, complete

        def ask(context: SearchContext) -> "tuple[Completion, ...]":
            titles = self._titles = build_titles(context.snapshot, self._titles)
            return complete(context.snapshot, titles, text, limit, kinds)

        return self._answer(ask)

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds words that no chunk has; see `Index.check_spelling`."""
        from dowse.suggest import check_spelling

        def ask(context: SearchContext) -> "SpellingReport":
            settings = {tree.analysis for tree in context.snapshot.trees.values()} or {"{}"}
            analyzers = [self._analyzers.get(analysis) for analysis in sorted(settings)]
            return check_spelling(text, analyzers, context.snapshot)

        return self._answer(ask)

    def terms(
        self, pattern: str, order: "Order", limit: int, offset: int
    ) -> "TermPage":
        """Returns terms with their frequencies; see `Index.terms`."""
        from dowse.suggest import browse_terms

        return self._answer(
            lambda context: browse_terms(context.snapshot, pattern, order, limit, offset)
        )

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
        """Answers with chunks like a document or a text; see `Index.similar`."""
        from dowse.search.similar_source import Source

        source = Source(None if doc_key is None else without_surrogates(doc_key), text, chunk, source_tree)
        mode = "semantic" if by == "meaning" else "bm25f"
        request = SearchRequest("", tree=tree, **{"mode": mode, **changes})
        if by == "meaning":
            if settings is not None:
                legal = "they choose words, and vectors are compared"
                raise InvalidParameterError(name="settings", value=settings, legal=legal)
            from dowse.search.similar_by_vector import answer_similar_by_vector

            return self._answer(lambda context: answer_similar_by_vector(context, source, request))
        return self._answer(lambda context: _answer_more_like_this(context, source, settings, request))

    def explain(
        self, request: SearchRequest | str, doc_key: str, tree: str | None
    ) -> "DocumentExplanation":
        """Explains which hit a document is, or why none; see `Index.explain`."""
        from dowse.search.explain.explaining import explain_document

        asked = SearchRequest(request) if isinstance(request, str) else request
        key = without_surrogates(doc_key)
        return self._answer(lambda context: explain_document(context, asked, key, tree))

    def why_no_vectors(self) -> str:
        """Returns why there are none, or why those that are there cannot be used; empty when all is well."""
        snapshot = self._snapshots.current()
        vectors = self._stored_vectors.find(snapshot)
        if vectors is None:
            others = find_unusable(snapshot, self._stored_vectors, self._get_tier())
            why = others.message if others else "none yet"
        elif vectors.model.fingerprint != self._get_tier().find_fingerprint():
            why = "which are by the model as it was before, and not used"
        else:
            return ""
        return f"{why}; {Remedy.MAKE_VECTORS}"

    def has_vectors(self) -> bool:
        """Says whether any model has made vectors; loads nothing."""
        return self._stored_vectors.has_any(self._snapshots.current())

    def coverage(self) -> "Coverage | None":
        """Returns how many chunks have vectors of the chosen model; None when it has made none yet."""
        vectors = self._stored_vectors.find(self._snapshots.current())
        return None if vectors is None else vectors.coverage

    def _answer(self, ask: Callable[[SearchContext], Answer]) -> Answer:
        """Asks the newest generation; when that fails because of damage, again after healing it."""
        context = self.current()
        try:
            return ask(context)
        except CorruptFileError as error:
            LOG.warning("an answer met damage and is made again: %s", error)
            self._snapshots.note_damage()
            return ask(self.current())

    def describe_caches(self) -> "tuple[CacheStatus, ...]":
        """Returns what is kept between requests of this scope."""
        return () if self._context is None else self._context.describe_caches()

    def current(self) -> SearchContext:
        """Returns the context of the newest generation; the same one until something is committed."""
        snapshot = self._snapshots.current()
        context = self._context
        if context is None or context.snapshot is not snapshot:
            # Two threads may build one each: either answers, and one is kept.
            context = self._context = self._build_context(snapshot)
        return context

    def _build_context(self, snapshot: Snapshot) -> SearchContext:
        resources = Resources(
            lambda: find_availability(snapshot, self._stored_vectors, self._get_tier),
            lambda: self._get_tier().get_cross_encoder(),
            lambda text: self._get_tier().find_near_words(text),
        )
        return SearchContext(snapshot, self._analyzers, time.perf_counter, time.time, resources)

    def close(self) -> None:
        """Lets go of the snapshot."""
        self._context = None


def _answer_more_like_this(
    context: SearchContext, source: "Source", settings: "SimilarSettings | None", request: SearchRequest
) -> SearchResponse:
    from dowse.search.more_like_this import answer_more_like_this
    from dowse.similar import SimilarSettings, build_query, choose_terms

    chosen = settings or SimilarSettings()
    return answer_more_like_this(
        context,
        source,
        lambda text, analyzer, snapshot: build_query(choose_terms(text, analyzer, snapshot, chosen), chosen),
        request,
    )
