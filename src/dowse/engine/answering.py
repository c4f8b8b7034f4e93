"""The half of an index that answers: from the newest generation, healed when it is found damaged."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from msgspec.structs import replace

from dowse.engine.documents import get_document, storable
from dowse.engine.file_checks import answer_with_checked_files
from dowse.engine.health import heal_segments
from dowse.engine.home import default_cache
from dowse.engine.no_meaning import (
    MEANING_MODES,
    NO_MEANING_ERRORS,
    list_damaged,
    needs_vectors,
    no_meaning,
)
from dowse.errors import ConfigError, InvalidParameterError, ModeUnavailableError
from dowse.planning import Analyzers
from dowse.schema import Problem
from dowse.search import Searcher, SearchRequest, SearchResponse
from dowse.search.backing import Backing
from dowse.search.request import SAYS_SOMETHING
from dowse.storage.failures import storage_failures
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot, open_snapshot
from dowse.storage.store import Store

# What most searches do without is imported when it is asked for.
if TYPE_CHECKING:
    from dowse.embedding import Embedder, EmbeddingSettings
    from dowse.engine.listing import ListedChunk, ListedDocument
    from dowse.engine.meaning import Meaning
    from dowse.engine.similarity import Source
    from dowse.engine.status import StoredDocument
    from dowse.kernels.layout import F32
    from dowse.search.explain.explain_miss import Standing
    from dowse.search.legs.hybrid_ranking import SemanticLeg
    from dowse.similar import SimilarSettings
    from dowse.storage.live_vectors import Coverage, LiveVectors
    from dowse.suggest import Completion, Kind, Order, SpellingReport, TermPage, Titles

    EmbeddingChoice = EmbeddingSettings | Callable[[], EmbeddingSettings] | None

Answer = TypeVar("Answer")

CHECK_ON_OPEN_BYTES = 32 << 20


class Answering:
    """An index that can be asked, from several threads at once."""

    def __init__(self, store: Store, embedding: "EmbeddingChoice" = None) -> None:
        self._embedding = embedding
        self.home = store.home
        self._store = store
        self._analyzers = Analyzers()
        self._searcher: Searcher | None = None
        self._vectors_of: tuple[Searcher, LiveVectors | None] | None = None
        self._titles: Titles | None = None
        self._refreshing = threading.Lock()
        self._watch = store.open_reader()
        self._seen_version = -1
        self._known_version: tuple[bytes | None, int] = (None, -1)
        self._has_damage = False

    def search(self, request: SearchRequest | str) -> SearchResponse:
        """Answers a request, or a query with all defaults, from the newest generation.

        The files of the hits are looked at: what is gone is left out, what has changed is marked.
        """
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
        return vectors if vectors is not None and self.meaning.is_wanted else None

    def _only_others(self, searcher: Searcher) -> Problem | None:
        """Returns what to say when there are vectors, though none by the chosen model; None without any."""
        if not self.meaning.is_wanted or not self._has_vectors(searcher):
            return None
        try:
            self.meaning.check_configuration()
        except ConfigError as error:  # nobody can say which model is meant
            return no_meaning(error.message, error.hint)
        sql = "SELECT DISTINCT m.name FROM models m JOIN vector_segments v ON v.model_id = m.model_id"
        names = ", ".join(row[0] for row in searcher.snapshot.catalog.fetch(sql))
        message = f"the vectors are by {names}, and the chosen model is {self.meaning.model_name}"
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

        def note_unread(keys: "Sequence[int]") -> None:
            unread = vectors.find_unread(keys)
            if unread:
                self._store.shown.add(unread)

        return SemanticLeg(vectors, lambda text: embed([text])[0], note_unread)

    def _fitting_embedder(self, vectors: "LiveVectors", asked: str) -> "Embedder":
        """Returns the embedder that made the vectors; raises ModeUnavailableError when it has changed."""
        embedder = self.meaning.get_embedder()
        if embedder.fingerprint != vectors.model.fingerprint:
            needs, remedy = "vectors of the model as it is now", "make them: dowse index FOLDER"
            raise ModeUnavailableError(name=asked, needs=needs, remedy=remedy)
        return embedder

    def _get_vectors(self, searcher: Searcher, asked: str) -> "LiveVectors":
        vectors = self._vectors(searcher)
        if vectors is None or not self.meaning.is_wanted:
            self.meaning.check_configuration()
            remedy = self.meaning.why_not() or "make them: dowse index FOLDER"
            raise ModeUnavailableError(name=asked, needs="vectors", remedy=remedy)
        return vectors

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
        if not hypothesis:
            raise InvalidParameterError(name="the hypothesis", value="empty", legal=SAYS_SOMETHING)
        return self.search(replace(asked, hypothesis=hypothesis))

    @cached_property
    def meaning(self) -> "Meaning":
        """What makes vectors for this index."""
        from dowse.embedding import EmbeddingSettings, Surroundings
        from dowse.engine.meaning import Meaning

        cache = default_cache()
        given = self._embedding() if callable(self._embedding) else self._embedding
        settings = given or EmbeddingSettings(cache_folder=cache)
        return Meaning(settings, Surroundings(time.monotonic, time.sleep), cache)

    def forget_questions(self) -> None:
        """Forgets the vectors of questions asked so far, for whoever measures how long answers take."""
        if "meaning" in self.__dict__:  # else nobody has asked
            self.meaning.forget_questions()

    def has_vectors(self) -> bool:
        """Says whether any model has made vectors for this index; loads nothing."""
        return self._has_vectors(self._current())

    def _has_vectors(self, searcher: Searcher) -> bool:
        sql = "SELECT 1 FROM vector_segments LIMIT 1"
        return searcher.snapshot.catalog.fetch_one(sql) is not None

    def coverage(self) -> "Coverage | None":
        """Returns how many chunks have vectors by the model that is chosen; None when it made none yet."""
        vectors = self._vectors(self._current())
        return None if vectors is None else vectors.coverage

    def _vectors(self, searcher: Searcher) -> "LiveVectors | None":
        """Returns the vectors of a generation; opened once, and only when asked for."""
        known = self._vectors_of
        if known is not None and known[0] is searcher:
            return known[1]
        found = None
        if self._has_vectors(searcher):
            from dowse.storage.live_vectors import open_live_vectors

            model = self.meaning.find_known_model(searcher.snapshot)
            if model is not None:
                before = None if known is None else known[1]
                found = open_live_vectors(self._store, searcher.snapshot, model, before)
        # Another thread may answer from another generation: what is returned belongs to this one.
        self._vectors_of = searcher, found
        return found

    def suggest(
        self, text: str, limit: int = 10, *, kinds: "Sequence[Kind]" = ("word", "title")
    ) -> "tuple[Completion, ...]":
        """Returns how a text may go on: its last word completed, and titles; what fits as typed first.

        Args:
            text: As typed so far.
            limit: Most completions, 1 to 1,000.
            kinds: ``word``, ``title`` or both.
        """
        from dowse.suggest import build_titles, complete

        def ask(searcher: Searcher) -> "tuple[Completion, ...]":
            titles = self._titles = build_titles(searcher.snapshot, self._titles)
            return complete(searcher.snapshot, titles, text, limit, kinds)

        return self._answer(ask)

    def check_spelling(self, text: str) -> "SpellingReport":
        """Finds the words of a plain text that no chunk has, and what was likely meant."""
        from dowse.suggest import check_spelling

        def ask(searcher: Searcher) -> "SpellingReport":
            settings = {tree.analysis for tree in searcher.snapshot.trees.values()} or {"{}"}
            analyzers = [self._analyzers.get(analysis) for analysis in sorted(settings)]
            return check_spelling(text, analyzers, searcher.snapshot)

        return self._answer(ask)

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
        from dowse.engine.similarity import Source, answer_similar
        from dowse.similar import SimilarSettings

        source = Source(None if doc_key is None else storable(doc_key), text, chunk, source_tree)
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
        self, request: SearchRequest | str, doc_key: str, *, tree: str | None = None
    ) -> "Standing":
        """Explains where a document stands in an answer: its score, or what keeps it from being a hit.

        The answer is that of `search` without stages, and without a look at the files.

        Args:
            request: What is asked, as for `search`.
            doc_key: The document; it need not be in the index.
            tree: Where it is; the request's tree or else any when not given.

        Raises:
            ModeUnavailableError: The mode or a hypothesis needs vectors, and there are none.
        """
        from dowse.engine.explaining import explain_standing

        asked = SearchRequest(request) if isinstance(request, str) else request

        def ask(searcher: Searcher) -> "Standing":
            vectors = self._wanted_vectors(searcher, asked)
            build_leg = None if vectors is None else lambda: self._build_leg(vectors, asked)
            return explain_standing(
                searcher, asked, storable(doc_key), tree, build_leg, lambda: self._why_words(searcher)
            )

        return self._answer(ask)

    def _why_words(self, searcher: Searcher) -> Problem | None:
        """Returns why the default mode answers by words alone; None when that is what was chosen."""
        if not self.meaning.is_wanted:
            return None
        remedy = self.meaning.why_not() or "make them: dowse index FOLDER"
        return self._only_others(searcher) or no_meaning("the index has no vectors", remedy)

    def _answer(self, ask: Callable[[Searcher], Answer]) -> Answer:
        """Asks the newest generation; when that fails because of damage, again after healing it."""
        searcher = self._current()
        try:
            return ask(searcher)
        except (IndexError, KeyError, ValueError):
            # What is read from damaged bytes can be anything. Sound bytes mean that it is our bug.
            if all(segment.reader.is_intact() for segment in searcher.snapshot.segments):
                raise
            self._has_damage, self._seen_version = True, -1
            return ask(self._current())

    def _current(self) -> Searcher:
        """Returns a searcher on the newest generation; opens it only when something was committed."""
        version = self._version()
        searcher = self._searcher
        if searcher is not None and version == self._seen_version:
            return searcher
        with self._refreshing, storage_failures(self.home):
            if self._searcher is None or version != self._seen_version:
                self._open_snapshot(version)
            assert self._searcher is not None
            return self._searcher

    def _version(self) -> int:
        """Returns a number that changes with every commit, by whichever process."""
        if self._store.is_memory:
            return self._watch.counter("generation")
        # Asked before every search: first what costs least.
        mark = self._store.commit_mark.read()
        known = self._known_version
        if mark is not None and mark == known[0]:
            return known[1]
        with self._watch.lock:
            version: int = self._watch.connection.execute("PRAGMA data_version").fetchone()[0]
        self._known_version = mark, version
        return version

    def _open_snapshot(self, version: int) -> None:
        snapshot = self._fresh_snapshot()
        if self._needs_healing(snapshot):
            snapshot.close()
            heal_segments(self._store, self._analyzers)
            version = self._version()
            snapshot = self._fresh_snapshot()
        # The snapshot before is not closed here: another thread may still be answering from it.
        self._searcher = self._build_searcher(snapshot)
        self._seen_version = version
        self._store.open_snapshots = 1

    def _build_searcher(self, snapshot: Snapshot) -> Searcher:
        backing = Backing(
            lambda: self._vectors(searcher),
            lambda: self.meaning.get_judge(),
            lambda text: self.meaning.find_near_words(text),
        )
        searcher = Searcher(snapshot, self._analyzers, time.perf_counter, time.time, backing)
        return searcher

    def _fresh_snapshot(self) -> Snapshot:
        known = self._searcher.snapshot.segments if self._searcher else ()
        return open_snapshot(
            self._store.open_reader(),
            self._store.directory,
            known,
            owns_catalog=not self._store.is_memory,
        )

    def _needs_healing(self, snapshot: Snapshot) -> bool:
        """Compares new segments with their checksums: few bytes at once, many in the background."""
        if snapshot.problems or self._has_damage:
            self._has_damage = False
            return True
        known = {id(s.reader) for s in self._searcher.snapshot.segments} if self._searcher else set()
        new = [s.reader for s in snapshot.segments if id(s.reader) not in known]
        if sum(reader.disk_bytes for reader in new) <= CHECK_ON_OPEN_BYTES:
            return not all(reader.is_intact() for reader in new)
        threading.Thread(target=self._check_later, args=(new,), daemon=True).start()
        return False

    def _check_later(self, readers: Sequence[SegmentReader]) -> None:
        if not all(reader.is_intact() for reader in readers):
            self._has_damage = True
            self._seen_version = -1  # the next search opens a new snapshot, and heals first

    def list_documents(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedDocument, ...]":
        """Returns the documents of a tree or of all, whose keys start with `under`, by tree and key."""
        from dowse.engine.listing import list_documents

        return list_documents(self._current().snapshot, tree, storable(under))

    def list_chunks(self, *, tree: str | None = None, under: str = "") -> "tuple[ListedChunk, ...]":
        """Returns the chunks of the same documents, in the order of their texts."""
        from dowse.engine.listing import list_chunks

        return list_chunks(self._current().snapshot, tree, storable(under))

    def get(self, doc_key: str, *, tree: str | None = None) -> "StoredDocument":
        """Returns a document as it is stored.

        Raises:
            DocumentNotFoundError: No document has this key.
        """
        return get_document(self._current().snapshot, storable(doc_key), tree)


def _answer_by_words(searcher: Searcher, problem: Problem, request: SearchRequest) -> SearchResponse:
    """Answers by words alone, and says why not by meaning."""
    found = searcher.search(request)
    return replace(found, problems=(*found.problems, problem))
