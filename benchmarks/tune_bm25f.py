"""Which k1, b and title boost should be the defaults, and do chunk window and stop words matter?

Corpus: CISI and CACM (their only split), SciFact train, NFCorpus dev; never a test split that `quality.py`
reports. Objective: nDCG@10, meant over the four collections, each counting the same however many queries
it has. A coordinate search: one number at a time over a fixed grid, until a whole round changes nothing.
Nothing is random.

What would make it misleading: a grid that ends at the best value (look at the printed lines); differences
below the paired standard error that is printed with them (such a difference is noise, and the search's
path through it means nothing); that these are English abstracts with titles: headings, path, tags and code
do not occur in them and cannot be tuned here.

    python benchmarks/tune_bm25f.py
"""

import math
import statistics
from dataclasses import dataclass, replace

import dowse
from beir import Collection, Judgements, build_index, ndcg, rank_documents
from dowse.schema import Field
from dowse.scoring import get_preset
from dowse.scoring.bm25f import BM25F

TUNING = (
    (Collection("cisi"), "test"),
    (Collection("cacm"), "test"),
    (Collection("scifact"), "train"),
    (Collection("nfcorpus"), "dev"),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The numbers that can be tuned here; defaults are where the search starts."""

    k1: float = 1.2
    b: float = 0.75
    short_b: float = 0.5
    title: float = 2.0

    def parameters(self) -> tuple[tuple[str, float], ...]:
        """Returns what a request says to be scored with these numbers: other fields as the body."""
        boosts = dict.fromkeys(Field, 1.0) | {Field.TITLE: self.title}
        bs = dict.fromkeys(Field, self.b) | {Field.TITLE: self.short_b}
        return (
            ("k1", self.k1),
            *((f"boost.{field.label}", boost) for field, boost in boosts.items()),
            *((f"b.{field.label}", b) for field, b in bs.items()),
        )


def registered(preset: str) -> Candidate:
    """Returns the tunable numbers of a BM25F preset."""
    model = get_preset(preset).model
    assert isinstance(model, BM25F), "only BM25F is tuned here"
    weights = model.fields
    return Candidate(
        model.k1, weights.b[Field.BODY], weights.b[Field.TITLE], weights.boosts[Field.TITLE]
    )


GRID = {
    "k1": (0.6, 0.8, 1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 4.0),
    "b": (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9),
    "short_b": (0.0, 0.15, 0.3, 0.5, 0.75),
    "title": (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0),
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A collection, indexed once."""

    index: dowse.Index
    queries: dict[str, str]
    judged: Judgements

    def scores(self, candidate: Candidate) -> list[float]:
        """Returns nDCG@10 of each judged query under a candidate."""
        parameters = candidate.parameters()
        return [
            ndcg(rank_documents(self.index, self.queries[key], 10, parameters=parameters), grades)
            for key, grades in self.judged.items()
        ]


def prepare(*, stop_words: str = "default", max_words: int | None = None) -> list[Prepared]:
    """Indexes the tuning collections."""
    return [
        Prepared(
            build_index(collection, stop_words=stop_words, max_words=max_words),
            collection.queries(),
            collection.judgements(split),
        )
        for collection, split in TUNING
    ]


class Trials:
    """Scores of every candidate tried on one set of indexes."""

    def __init__(self, prepared: list[Prepared]) -> None:
        self._prepared = prepared
        self._known: dict[Candidate, list[list[float]]] = {}

    def scores(self, candidate: Candidate) -> list[list[float]]:
        """Returns the scores of each collection's queries."""
        if candidate not in self._known:
            self._known[candidate] = [entry.scores(candidate) for entry in self._prepared]
        return self._known[candidate]

    def mean(self, candidate: Candidate) -> float:
        """Returns the objective."""
        return statistics.fmean(map(statistics.fmean, self.scores(candidate)))


def paired_error(left: list[list[float]], right: list[list[float]]) -> float:
    """Returns the standard error of the difference of two objectives over the same queries."""
    variances = []
    for scores, others in zip(left, right, strict=True):
        differences = [x - y for x, y in zip(scores, others, strict=True)]
        variances.append(statistics.variance(differences) / len(differences))
    return math.sqrt(sum(variances)) / len(variances)


def search(trials: Trials) -> Candidate:
    """Returns the best candidate that a coordinate search finds."""
    best, previous = Candidate(), None
    while best != previous:
        previous = best
        for name, values in GRID.items():
            line = [replace(best, **{name: value}) for value in values]
            best = max(line, key=trials.mean)
            means = [f"{v:g} {trials.mean(c):.4f}" for v, c in zip(values, line, strict=True)]
            print(f"  {name}: {'  '.join(means)}")
    return best


def show(label: str, scores: list[list[float]], baseline: list[list[float]]) -> None:
    """Prints one row: each collection, their mean, and the difference from a baseline with its error."""
    means = [statistics.fmean(values) for values in scores]
    difference = statistics.fmean(means) - statistics.fmean(map(statistics.fmean, baseline))
    columns = " | ".join(f"{mean:.4f}" for mean in means)
    print(
        f"| {label} | {columns} | {statistics.fmean(means):.4f} |"
        f" {difference:+.4f} ± {paired_error(scores, baseline):.4f} |",
        flush=True,
    )


def main() -> None:
    """Searches, then shows what leads away from the best."""
    names = " | ".join(f"{collection.name} {split}" for collection, split in TUNING)
    header = f"\n| | {names} | mean | difference ± error |\n|---|{'--:|' * (len(TUNING) + 2)}"
    trials = Trials(prepare())
    print("Coordinate search, mean nDCG@10:")
    best = search(trials)
    print(f"\nBest: {best}\n{header}")
    baseline = trials.scores(best)
    show("best", baseline, baseline)
    show("the default preset", trials.scores(registered("default")), baseline)
    show("textbook BM25F: 1.2, 0.75, 0.75, 1", trials.scores(Candidate(1.2, 0.75, 0.75, 1.0)), baseline)
    for name, values in GRID.items():
        for value in values:
            show(f"{name} {value:g}", trials.scores(replace(best, **{name: value})), baseline)
    print(f"\nOther ways to index, with the best numbers:\n{header}")
    for max_words in (120, 200, 320, 500, 1000, 5000):
        other = Trials(prepare(max_words=max_words))
        show(f"chunks of {max_words} words", other.scores(best), baseline)
    for mode in ("none", "auto", "default"):
        show(f"stop words: {mode}", Trials(prepare(stop_words=mode)).scores(best), baseline)


if __name__ == "__main__":
    main()
