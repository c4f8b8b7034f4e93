"""Answers requests from the newest generation, by words and by meaning."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from msgspec.structs import replace

from dowse.engine.documents import without_surrogates
from dowse.engine.file_checks import answer_with_checked_files
from dowse.engine.no_meaning import (
    MEANING_MODES,
    NO_MEANING_ERRORS,
    list_damaged,
    needs_vectors,
    no_meaning,
)
from dowse.engine.vectors import StoredVectors
from dowse.errors import ConfigError, InvalidParameterError, ModeUnavailableError
from dowse.planning import Analyzers
from dowse.schema import Problem, SearchRequest, SearchResponse
from dowse.schema.search_request import SAYS_SOMETHING
from dowse.search import Searcher
from dowse.search.backing import Backing
from dowse.storage.snapshot import Snapshot

# What most searches do without is imported when it is asked for.
if TYPE_CHECKING:
    from dowse.embedding import Embedder
    from dowse.engine.embeddings import EmbeddingTier
    from dowse.engine.similarity import Source
    from dowse.kernels.layout import F32
    from dowse.schema import (
        Completion,
        DocumentExplanation,
        SpellingReport,
        TermPage,
    )
    from dowse.schema.suggestions import CompletionKind
    from dowse.search.legs.hybrid_ranking import SemanticLeg
    from dowse.similar import SimilarSettings
    from dowse.storage.live_vectors import LiveVectors
    from dowse.suggest import Order, Titles

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
        vectors: StoredVectors,
        analyzers: Analyzers,
        get_tier: "Callable[[], EmbeddingTier]",
    ) -> None:
        self._snapshots, self._stored_vectors = snapshots, vectors
        self._analyzers, self._get_tier = analyzers, get_tier
        self._searcher: Searcher | None = None
        self._titles: Titles | None = None

    def search(self, request: SearchRequest | str) -> SearchResponse:
        """Answers a request; see `Index.search`."""
        if isinstance(request, str):
            request = SearchRequest(request)
        asked = request

        def ask(searcher: Searcher) -> SearchResponse:
            answer = self._ask_by_meaning(searcher, asked) or searcher.search
            return answer_with_checked_files(answer, asked)

        return self._answer(ask)

    def _ask_by_meaning(
        self, searcher: Searcher, request: SearchRequest
    ) -> Callable[[SearchRequest], SearchResponse] | None:
        """Returns what answers by vectors, when the request wants them and there are any."""
        vectors = self._wanted_vectors(searcher, request)
        if request.mode not in MEANING_MODES:
            return None
        if vectors is None:
            others = self._only_others(searcher)
            return partial(_answer_by_words, searcher, others) if others else None

        def answer(wanted: SearchRequest) -> SearchResponse:
            try:
                return self._answer_by_meaning(searcher, wanted, vectors)
            except NO_MEANING_ERRORS as error:
                if needs_vectors(request):
                    raise
                # Words alone are an answer too; what is missing is said.
                return _answer_by_words(searcher, no_meaning(error.message, error.hint), wanted)

        return answer

    def _wanted_vectors(self, searcher: Searcher, request: SearchRequest) -> "LiveVectors | None":
        """Returns the vectors that a request is answered by; None when words alone answer it.

        Raises:
            InvalidParameterError: There is a hypothesis, and the mode looks at words alone.
            ModeUnavailableError: The request needs vectors, and there are none.
        """
        if request.hypothesis and request.mode not in MEANING_MODES:
            legal = f"with a hypothesis, legal values are {', '.join(sorted(MEANING_MODES))}"
            raise InvalidParameterError(name="mode", value=request.mode, legal=legal)
        if request.mode not in MEANING_MODES:
            return None
        if needs_vectors(request):
            return self._get_vectors(searcher, request.mode)
        vectors = self._vectors(searcher)
        return vectors if vectors is not None and self._get_tier().is_enabled else None

    def _only_others(self, searcher: Searcher) -> Problem | None:
        """Returns what to say when there are vectors, though none by the chosen model; None without any."""
        if not self._get_tier().is_enabled or not self._stored_vectors.has_any(searcher.snapshot):
            return None
        try:
            self._get_tier().check_configuration()
        except ConfigError as error:  # nobody can say which model is meant
            return no_meaning(error.message, error.hint)
        names = ", ".join(self._stored_vectors.list_makers(searcher.snapshot))
        message = f"the vectors are by {names}, and the chosen model is {self._get_tier().model_name}"
        return no_meaning(message, "make new ones: dowse index FOLDER")

    def _answer_by_meaning(
        self, searcher: Searcher, request: SearchRequest, vectors: "LiveVectors"
    ) -> SearchResponse:
        from dowse.search.hybrid import answer_by_meaning

        found = answer_by_meaning(searcher, request, self._build_leg(vectors, request))
        damaged = list_damaged(vectors)
        return replace(found, problems=found.problems + damaged) if damaged else found

    def _build_leg(self, vectors: "LiveVectors", request: SearchRequest) -> "SemanticLeg":
        """Returns what finds chunks by meaning; raises one of `NO_MEANING_ERRORS` when nothing can."""
        from dowse.search.legs.hybrid_ranking import SemanticLeg

        embedder = self._fitting_embedder(vectors, request.mode)
        embed = embedder.embed_passages if request.hypothesis else embedder.embed_queries

        note_shown = partial(self._stored_vectors.note_shown, vectors)
        return SemanticLeg(vectors, lambda text: embed([text])[0], note_shown)

    def _fitting_embedder(self, vectors: "LiveVectors", asked: str) -> "Embedder":
        """Returns the embedder that made the vectors; raises ModeUnavailableError when it has changed."""
        embedder = self._get_tier().get_embedder()
        if embedder.fingerprint != vectors.model.fingerprint:
            needs, remedy = "vectors of the model as it is now", "make them: dowse index FOLDER"
            raise ModeUnavailableError(name=asked, needs=needs, remedy=remedy)
        return embedder

    def _get_vectors(self, searcher: Searcher, asked: str) -> "LiveVectors":
        vectors = self._vectors(searcher)
        if vectors is None or not self._get_tier().is_enabled:
            self._get_tier().check_configuration()
            remedy = self._get_tier().unavailable_reason() or "make them: dowse index FOLDER"
            raise ModeUnavailableError(name=asked, needs="vectors", remedy=remedy)
        return vectors

    def search_with_hypothesis(
        self, hypothesis: str, request: SearchRequest | str = ""
    ) -> SearchResponse:
        """Answers by an invented answer; see `Index.search_with_hypothesis`."""
        asked = SearchRequest(request) if isinstance(request, str) else request
        if not hypothesis:
            raise InvalidParameterError(name="the hypothesis", value="empty", legal=SAYS_SOMETHING)
        return self.search(replace(asked, hypothesis=hypothesis))

    def _vectors(self, searcher: Searcher) -> "LiveVectors | None":
        return self._stored_vectors.find(searcher.snapshot)

    def suggest(
        self, text: str, limit: int, kinds: "Sequence[CompletionKind]"
    ) -> "tuple[Completion, ...]":
        """Returns how a text may go on; see `Index.suggest`."""
        from dowse.suggest import build_titles, complete

        def ask(searcher: Searcher) -> "tuple[Completion, ...]":
            titles = self._titles = build_titles(searcher.snapshot, self._titles)
            return complete(searcher.snapshot, titles, text, limit, kinds)

        return self._answer(ask)

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds words that no chunk has; see `Index.check_spelling`."""
        from dowse.suggest import check_spelling

        def ask(searcher: Searcher) -> "SpellingReport":
            settings = {tree.analysis for tree in searcher.snapshot.trees.values()} or {"{}"}
            analyzers = [self._analyzers.get(analysis) for analysis in sorted(settings)]
            return check_spelling(text, analyzers, searcher.snapshot)

        return self._answer(ask)

    def terms(
        self, pattern: str, order: "Order", limit: int, offset: int
    ) -> "TermPage":
        """Returns terms with their frequencies; see `Index.terms`."""
        from dowse.suggest import browse_terms

        return self._answer(
            lambda searcher: browse_terms(searcher.snapshot, pattern, order, limit, offset)
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
        from dowse.engine.similarity import Source, answer_similar
        from dowse.similar import SimilarSettings

        source = Source(None if doc_key is None else without_surrogates(doc_key), text, chunk, source_tree)
        mode = "semantic" if by == "meaning" else "bm25f"
        request = SearchRequest("", tree=tree, **{"mode": mode, **changes})
        if by == "meaning":
            if settings is not None:
                legal = "they choose words, and vectors are compared"
                raise InvalidParameterError(name="settings", value=settings, legal=legal)
            return self._answer(lambda searcher: self._answer_alike(searcher, source, request))
        return self._answer(
            lambda searcher: answer_similar(searcher, source, settings or SimilarSettings(), request)
        )

    def _answer_alike(
        self, searcher: Searcher, source: "Source", request: SearchRequest
    ) -> SearchResponse:
        from dowse.engine.alike import answer_alike

        vectors = self._get_vectors(searcher, "similar by meaning")

        def embed(text: str) -> "F32":
            found: F32 = self._fitting_embedder(vectors, "similar by meaning").embed_passages([text])[0]
            return found

        return answer_alike(searcher, source, vectors, embed, request)

    def explain(
        self, request: SearchRequest | str, doc_key: str, tree: str | None
    ) -> "DocumentExplanation":
        """Explains where a document stands; see `Index.explain`."""
        from dowse.engine.explaining import explain_standing

        asked = SearchRequest(request) if isinstance(request, str) else request

        def ask(searcher: Searcher) -> "DocumentExplanation":
            vectors = self._wanted_vectors(searcher, asked)
            build_leg = None if vectors is None else lambda: self._build_leg(vectors, asked)
            return explain_standing(
                searcher,
                asked,
                without_surrogates(doc_key),
                tree,
                build_leg,
                lambda: self._why_words(searcher),
            )

        return self._answer(ask)

    def _why_words(self, searcher: Searcher) -> Problem | None:
        """Returns why the default mode answers by words alone; None when that is what was chosen."""
        if not self._get_tier().is_enabled:
            return None
        remedy = self._get_tier().unavailable_reason() or "make them: dowse index FOLDER"
        return self._only_others(searcher) or no_meaning("the index has no vectors", remedy)

    def why_no_vectors(self) -> str:
        """Returns why there are none, or why those that are there cannot be used; empty when all is well."""
        searcher = self.current()
        vectors = self._vectors(searcher)
        if vectors is None:
            others = self._only_others(searcher)
            why = others.message if others else "none yet"
        elif vectors.model.fingerprint != self._get_tier().find_fingerprint():
            why = "which are by the model as it was before, and not used"
        else:
            return ""
        return f"{why}; make them: dowse index FOLDER"

    def _answer(self, ask: Callable[[Searcher], Answer]) -> Answer:
        """Asks the newest generation; when that fails because of damage, again after healing it."""
        searcher = self.current()
        try:
            return ask(searcher)
        except (IndexError, KeyError, ValueError):
            # What is read from damaged bytes can be anything. Sound bytes mean that it is our bug.
            if all(segment.reader.is_intact() for segment in searcher.snapshot.segments):
                raise
            self._snapshots.note_damage()
            return ask(self.current())

    def current(self) -> Searcher:
        """Returns a searcher on the newest generation; the same one until something is committed."""
        snapshot = self._snapshots.current()
        searcher = self._searcher
        if searcher is None or searcher.snapshot is not snapshot:
            # Two threads may build one each: either answers, and one is kept.
            searcher = self._searcher = self._build_searcher(snapshot)
        return searcher

    def _build_searcher(self, snapshot: Snapshot) -> Searcher:
        backing = Backing(
            lambda: self._stored_vectors.find(snapshot),
            lambda: self._get_tier().get_judge(),
            lambda text: self._get_tier().find_near_words(text),
        )
        return Searcher(snapshot, self._analyzers, time.perf_counter, time.time, backing)

    def close(self) -> None:
        """Lets go of the snapshot."""
        self._searcher = None


def _answer_by_words(searcher: Searcher, problem: Problem, request: SearchRequest) -> SearchResponse:
    """Answers by words alone, and says why not by meaning."""
    found = searcher.search(request)
    return replace(found, problems=(*found.problems, problem))
