"""Indexes a collection through the library, and runs its questions."""

import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from dowse.engine import open_index
from dowse.engine.engine import Engine
from dowse.errors import InvalidParameterError
from dowse.evaluation.configurations import Configuration
from dowse.evaluation.judged import Collection
from dowse.evaluation.metrics import DEEPEST, Metric
from dowse.schema import Problem, SearchResponse

if TYPE_CHECKING:
    from dowse.engine.index import EmbeddingChoice

# Documents are ranked, chunks are found: more are asked for, so that enough documents are left.
CHUNKS_PER_DOCUMENT = 3
_EMPTY = "it has no documents"
Progress = Callable[[int, int], None]
"""Hears how many of how many are done; 0 of them when that is not known."""


def _silent(done: int, total: int) -> None:
    """Hears nothing."""


class Run(Struct, frozen=True):
    """What one configuration answered.

    Attributes:
        rankings: Documents, best first, by question.
        ms: How long each answer took, by question.
        problems: What could not be done, each once, with how many answers had it.
    """

    configuration: Configuration
    collection: Collection
    rankings: Mapping[str, tuple[str, ...]]
    ms: Mapping[str, float]
    problems: Mapping[Problem, int] = MappingProxyType({})

    def values(self, metric: Metric, category: str | None = None) -> dict[str, float]:
        """Returns a measure for each question, or for those of one category."""
        return {
            query.key: metric.value(self.rankings[query.key], query.grades)
            for query in self.collection.queries
            if category in (None, query.category)
        }

    def mean(self, metric: Metric, category: str | None = None) -> float:
        """Returns the mean of a measure over the questions."""
        values = self.values(metric, category)
        return sum(values.values()) / len(values)

    @property
    def median_ms(self) -> float:
        """Half of the answers were faster."""
        return sorted(self.ms.values())[len(self.ms) // 2]


@contextlib.contextmanager
def open_collection(
    collection: Collection,
    home: Path | None = None,
    *,
    language: str | None = None,
    embedding: "EmbeddingChoice" = None,
    on_progress: Progress = _silent,
) -> Iterator[Engine]:
    """Opens an index that has the collection, made when needed.

    Args:
        home: Where the index lives, to be kept; a temporary folder when not given.
        language: Of the texts; English when not given.
        embedding: What makes vectors, when `embed_collection` is going to be called.
        on_progress: Hears of documents that are indexed.
    """
    with contextlib.ExitStack() as stack:
        if home is None:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dowse-eval-")))
        index = stack.enter_context(open_index(home, embedding=embedding))
        index_collection(index, collection, language=language, on_progress=on_progress)
        yield index


def index_collection(
    index: Engine, collection: Collection, *, language: str | None = None, on_progress: Progress = _silent
) -> None:
    """Indexes a collection into the tree of its name.

    Files are brought up to date. Texts that are in the index already are not added again: collections of
    texts do not change. What a run that was stopped left out is added.

    Raises:
        InvalidParameterError: It has no documents, or the tree has documents of something else.
    """
    if collection.folder is not None:
        index.sync_folder(collection.folder, name=collection.name, language=language)
        return
    assert collection.iter_texts is not None, "a collection has files or texts"
    wanted = {text.doc_key for text in collection.iter_texts()}
    held = list_keys(index, collection)
    if not wanted or held - wanted:
        legal = "the index has other documents under this name: name another home" if held else _EMPTY
        raise InvalidParameterError(name="the collection", value=collection.name, legal=legal)
    if held == wanted:
        return
    if language is not None and not held:
        index.add_tree(collection.name, language=language)
    for done, (doc_key, title, text) in enumerate(collection.iter_texts(), 1):
        if doc_key not in held:
            index.add(doc_key, text, title=title, tree=collection.name)
        on_progress(done, len(wanted))
    index.commit()


def list_keys(index: Engine, collection: Collection) -> frozenset[str]:
    """Returns the documents of a collection that are in the index."""
    return frozenset(entry.doc_key for entry in index.list_documents(tree=find_tree(index, collection)))


def find_unindexed(index: Engine, collection: Collection) -> tuple[str, ...]:
    """Returns the documents that are judged relevant and not in the index: every search misses them."""
    held = list_keys(index, collection)
    relevant = (key for query in collection.queries for key, grade in query.grades.items() if grade > 0)
    return tuple(dict.fromkeys(key for key in relevant if key not in held))


def embed_collection(index: Engine, *, with_model: bool = True, on_progress: Progress = _silent) -> None:
    """Gives the chunks of an index their vectors, for modes that need them.

    Args:
        with_model: Whether the model reads every chunk; rough vectors alone come at thousands a second.

    Raises:
        ModelMissingError: The model is not on this machine.
    """
    from dowse.engine.embeddings import EmbeddingListener

    index.embed(EmbeddingListener(on_progress, on_progress, on_progress), with_model=with_model)


def run_configuration(
    index: Engine,
    collection: Collection,
    configuration: Configuration,
    on_progress: Progress = _silent,
    *,
    remembers: bool = False,
    depth: int = DEEPEST,
) -> Run:
    """Asks every question of a collection in one way.

    Args:
        depth: How many documents are wanted, 1 to `DEEPEST`; a measure that looks at fewer costs less.
        remembers: Whether questions of a run before need not be embedded again; times then say little.

    Raises:
        UsageError: The configuration asks for what there is not.
    """
    if not remembers:
        index.forget_questions()
    rankings, ms = {}, {}
    problems: Counter[Problem] = Counter()
    for done, query in enumerate(collection.queries, 1):
        request = configuration.build_request(
            query.text, tree=find_tree(index, collection), limit=depth * CHUNKS_PER_DOCUMENT
        )
        started = time.perf_counter()
        response = index.search(request)
        ms[query.key] = (time.perf_counter() - started) * 1e3
        rankings[query.key] = rank_documents(response)
        problems.update(response.problems)
        on_progress(done, len(collection.queries))
    return Run(configuration, collection, rankings, ms, problems)


def find_tree(index: Engine, collection: Collection) -> str:
    """Returns the tree a collection is in: that of its folder, whatever it is called, or that of its name."""
    if collection.folder is None:
        return collection.name
    found = index.find_tree(collection.folder)
    return collection.name if found is None else found[0]


def rank_documents(response: SearchResponse) -> tuple[str, ...]:
    """Returns the documents of an answer in the order of their best chunks."""
    return tuple(dict.fromkeys(hit.doc_key for hit in response.hits))[:DEEPEST]
