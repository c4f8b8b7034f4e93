"""What does BM25F lose when an engine that only knows inner products keeps the index?

BM25F adds up the fields before it saturates, so a query's score is no inner product of weights of its own
with weights that were stored when the document came: the average lengths in the norms are those of now. Three
ways are compared:

- exact: BM25F with the statistics of all documents, as the local engine does it;
- impacts: ``s / (s + k1)`` stored per term and document, made with the average lengths of an *epoch*, when
  the collection had only a part of its documents; the query brings ``idf * (k1 + 1)`` of now. With the
  averages of now this is exact BM25F. It was measured with the idf of the epoch, too;
- sums: BM25 per field, each saturated by itself, then added up: what engines with one weight per field do.

Corpus: SciFact, NFCorpus, CISI and CACM in BEIR layout (nDCG@10; the splits are those of decision 0002 and,
once, the test splits), and 100,000 passages for size, speed and overlap of the best ten with the exact ones.
Epochs are the first part of the documents in the order of the files, which is by topic in some collections
and so harder than a random part; the seed of the random part is fixed.

What would make it misleading: these collections have two fields, title and body; with six the sums differ
more. A title that repeats in the text of every document is where joint saturation matters, and CISI's and
CACM's do. Speed is that of NumPy over one list per term, for the ratio alone.

    python benchmarks/bm25f_remote.py [--passages 100000]
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beir import Collection, ndcg
from dowse.analysis import Analyzer
from dowse.schema import Field
from dowse.scoring import get_preset
from dowse.scoring.bm25f import BM25F
from passages import corpus_queries, iter_passages

FIELDS = (Field.TITLE, Field.BODY)
GROWTH = (0.1, 0.5, 1.0, 4.0)
SETS = (
    ("scifact", "test"),
    ("scifact", "train"),
    ("nfcorpus", "test"),
    ("nfcorpus", "dev"),
    ("cisi", "test"),
    ("cacm", "test"),
)
F32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """The documents of one term, and how often each field has it; shape (documents, fields)."""

    docs: npt.NDArray[np.int64]
    freqs: F32


class Inverted:
    """A collection in memory: postings per term, lengths per document and field."""

    def __init__(self, documents: Iterable[tuple[str, str, str]], analyzer: Analyzer) -> None:
        self.keys: list[str] = []
        lengths: list[list[int]] = []
        gathered: dict[str, list[tuple[int, int, int]]] = {}
        for number, (key, *texts) in enumerate(documents):
            self.keys.append(key)
            counts = [Counter(term for term, _ in analyzer.phrase_terms(text[:60_000])) for text in texts]
            lengths.append([count.total() for count in counts])
            for term in counts[0].keys() | counts[1].keys():
                gathered.setdefault(term, []).append((number, counts[0][term], counts[1][term]))
        self.lengths: F32 = np.array(lengths, np.float32)
        self.postings = {term: _pack(rows) for term, rows in gathered.items()}

    def averages(self, rows: npt.NDArray[np.int64] | slice) -> F32:
        """Returns the mean length of each field over some documents, those without the field left out."""
        lengths = self.lengths[rows]
        present = np.maximum((lengths > 0).sum(axis=0), 1)
        return np.maximum(lengths.sum(axis=0) / present, 1e-6).astype(np.float32)

    def doc_freq(self, term: str, rows: npt.NDArray[np.bool_] | None) -> int:
        """Returns how many documents have a term, of all or of a part."""
        docs = self.postings[term].docs
        return len(docs) if rows is None else int(rows[docs].sum())


def _pack(rows: list[tuple[int, int, int]]) -> Postings:
    table = np.array(rows)
    return Postings(table[:, 0].astype(np.int64), table[:, 1:].astype(np.float32))


@dataclass(frozen=True, slots=True)
class Weights:
    """BM25F's parameters of the default preset, for the two fields."""

    k1: float
    boosts: F32
    b: F32

    @classmethod
    def default(cls) -> "Weights":
        """Returns those of the default preset."""
        model = get_preset("default").model
        assert isinstance(model, BM25F), "the default is BM25F"
        boosts = np.array([model.fields.boosts[field] for field in FIELDS], np.float32)
        return cls(model.k1, boosts, np.array([model.fields.b[field] for field in FIELDS], np.float32))

    def norms(self, lengths: F32, averages: F32) -> F32:
        """Returns each field's length norm."""
        norms: F32 = 1 - self.b + self.b * lengths / averages
        return norms

    def impact(self, freqs: F32, lengths: F32, averages: F32) -> F32:
        """Returns ``s / (s + k1)``: what joint saturation makes of a term in documents."""
        total = (self.boosts * freqs / self.norms(lengths, averages)).sum(axis=1)
        impact: F32 = total / (total + self.k1)
        return impact

    def summed(self, freqs: F32, lengths: F32, averages: F32) -> F32:
        """Returns the same with each field saturated by itself."""
        shares = freqs / (freqs + self.k1 * self.norms(lengths, averages))
        summed: F32 = (self.boosts * shares).sum(axis=1)
        return summed


def idf(doc_freq: int, doc_count: int) -> float:
    """Returns Lucene's form, never below zero."""
    return float(np.log1p((doc_count - doc_freq + 0.5) / (doc_freq + 0.5)))


@dataclass(frozen=True, slots=True)
class Stored:
    """What an engine of inner products keeps: one weight per term and document, and the idf to go with it."""

    label: str
    weights: dict[str, F32]
    idfs: dict[str, float]

    def rank(self, collection: Inverted, terms: Sequence[str], depth: int) -> list[int]:
        """Returns the best documents."""
        scores = np.zeros(len(collection.keys), np.float32)
        for term in terms:
            if term in self.weights:
                scores[collection.postings[term].docs] += self.idfs[term] * self.weights[term]
        best = np.lexsort((np.arange(len(scores)), -scores))[:depth]
        return [int(doc) for doc in best if scores[doc] > 0]


def store(
    label: str,
    collection: Inverted,
    weights: Weights,
    *,
    part: npt.NDArray[np.bool_] | None = None,
    is_summed: bool = False,
    has_old_idf: bool = False,
) -> Stored:
    """Makes the weights of all documents with the average lengths of a part of them."""
    averages = collection.averages(slice(None) if part is None else np.flatnonzero(part))
    make = weights.summed if is_summed else weights.impact
    old = part if has_old_idf else None
    count = len(collection.keys) if old is None else int(old.sum())
    return Stored(
        label,
        {
            term: make(own.freqs, collection.lengths[own.docs], averages)
            for term, own in collection.postings.items()
        },
        {term: idf(collection.doc_freq(term, old), count) for term in collection.postings},
    )


def iter_variants(collection: Inverted, weights: Weights) -> Iterator[Stored]:
    """Yields all that are compared, one by one, for each is as large as the index; the exact one is first."""
    count = len(collection.keys)
    yield store("exact BM25F", collection, weights)
    for growth in GROWTH:
        first = np.arange(count) < count / (1 + growth)
        random = np.random.default_rng(2026).permutation(count) < count / (1 + growth)
        label = f"impacts, epoch before +{growth:.0%}"
        yield store(label, collection, weights, part=first)
        yield store(f"{label}, random part", collection, weights, part=random)
        yield store(f"{label}, old idf", collection, weights, part=first, has_old_idf=True)
    yield store("sums of per-field BM25", collection, weights, is_summed=True)


def query_terms(analyzer: Analyzer, text: str) -> list[str]:
    """Returns a query's terms; stop words only when there is nothing else."""
    terms = analyzer.bag_terms(text)
    return [term for term, is_stop in terms if not is_stop] or [term for term, _ in terms]


def measure_quality(analyzer: Analyzer, weights: Weights) -> None:
    """Prints nDCG@10 of every way on every collection, with the paired error of the difference."""
    known: dict[str, tuple[Inverted, list[Stored]]] = {}
    for name, split in SETS:
        if name not in known:
            collection = Inverted(Collection(name).documents(), analyzer)
            known = {name: (collection, list(iter_variants(collection, weights)))}
        collection, ways = known[name]
        queries, judged = Collection(name).queries(), Collection(name).judgements(split)
        print(f"\n{name} {split}: {len(collection.keys):,} documents, {len(judged)} queries")
        base: list[float] = []
        for way in ways:
            scores = []
            for key, grades in judged.items():
                found = way.rank(collection, query_terms(analyzer, queries[key]), 10)
                scores.append(ndcg([collection.keys[doc] for doc in found], grades))
            base = base or scores
            differences = [x - y for x, y in zip(scores, base, strict=True)]
            error = statistics.stdev(differences) / len(differences) ** 0.5
            mean, difference = statistics.fmean(scores), statistics.fmean(differences)
            print(f"  {way.label:44} {mean:.4f}  {difference:+.4f} ± {error:.4f}", flush=True)


def measure_passages(analyzer: Analyzer, weights: Weights, count: int) -> None:
    """Prints size, speed and the overlap of the best ten with the exact ones."""
    started = time.perf_counter()
    documents = ((entry.doc_key, entry.title, entry.text) for entry in iter_passages(None, count))
    collection = Inverted(documents, analyzer)
    pairs = sum(len(own.docs) for own in collection.postings.values())
    seconds = time.perf_counter() - started
    print(f"\n{count:,} passages: {pairs:,} pairs of term and document, read in {seconds:.0f} s")
    queries = [query_terms(analyzer, " ".join(query.words)) for query in corpus_queries(None, 300)]
    exact: list[list[int]] = []
    for way in iter_variants(collection, weights):
        started = time.perf_counter()
        found = [way.rank(collection, terms, 10) for terms in queries]
        per_query_ms = (time.perf_counter() - started) * 1e3 / len(queries)
        exact = exact or found
        same = statistics.fmean(one == two for one, two in zip(found, exact, strict=True))
        shares = [len({*one} & {*two}) / max(len(two), 1) for one, two in zip(found, exact, strict=True)]
        overlap = f"same ten {same:.1%}, overlap@10 {statistics.fmean(shares):.3f}"
        print(f"  {way.label:44} {overlap}, {per_query_ms:.2f} ms", flush=True)
    started = time.process_time()
    store("again", collection, weights)
    seconds = time.process_time() - started
    print(f"  making all impacts anew takes {seconds:.1f} s of CPU time; {pairs * 4 / 1e6:.0f} MB")


def main() -> None:
    """Measures quality, then passages."""
    parser = argparse.ArgumentParser(description="What BM25F loses as an inner product.")
    parser.add_argument("--passages", type=int, default=100_000)
    given = parser.parse_args()
    analyzer, weights = Analyzer(), Weights.default()
    measure_quality(analyzer, weights)
    if given.passages:
        measure_passages(analyzer, weights, given.passages)


if __name__ == "__main__":
    main()
