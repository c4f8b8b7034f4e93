"""Reads collections in BEIR layout and measures rankings on them.

Shared by `quality.py` and `tune_bm25f.py`. Measures are trec_eval's: linear gain, and an ideal ranking of
all judged documents, whether or not they were found.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import dowse
from dowse.analysis import AnalysisSettings
from dowse.engine.trees import PUSHED_TREE, TreeSettings, find_or_add_tree
from dowse.ingest.chunking import ChunkingSettings, build_chunker

DEPTH = 100
CHUNKS_PER_DOCUMENT = 3
"""How many more chunks than documents are asked for, so that 100 documents are left."""

Judgements = dict[str, dict[str, int]]


def data_folder() -> Path:
    """Returns the folder of the collections: DOWSE_DATA, or ../shared/data beside the repository."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("DOWSE_DATA", beside))


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection in BEIR layout, and the language it is in."""

    name: str
    language: str = "english"

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return data_folder() / self.name

    def splits(self) -> list[str]:
        """The names of the splits it has."""
        return sorted(file.stem for file in (self.folder / "qrels").glob("*.tsv"))

    def documents(self) -> Iterator[tuple[str, str, str]]:
        """Yields key, title and text."""
        with (self.folder / "corpus.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                yield row["_id"], row.get("title", ""), row["text"]

    def queries(self) -> dict[str, str]:
        """Returns every query by its key."""
        with (self.folder / "queries.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return {row["_id"]: row["text"] for row in rows}

    def judgements(self, split: str) -> Judgements:
        """Returns the grade of each judged document by query; queries without a relevant one are left out."""
        judged: Judgements = {}
        with (self.folder / "qrels" / f"{split}.tsv").open(encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                query, document, grade = line.split("\t")
                if int(grade) > 0:
                    judged.setdefault(query, {})[document] = int(grade)
        return judged


COLLECTIONS = (
    Collection("scifact"),
    Collection("nfcorpus"),
    Collection("cisi"),
    Collection("cacm"),
    Collection("xquad-de", "german"),
    Collection("xquad-zh", "chinese"),
)


def build_index(
    collection: Collection, *, stop_words: str = "default", max_words: int | None = None
) -> dowse.Index:
    """Returns an index in memory of a whole collection; `max_words` is the chunk window."""
    index = dowse.open(":memory:")
    chunking = ChunkingSettings()
    if max_words is not None:
        chunking = ChunkingSettings(max_words=max_words)
        texts = index._trees.get_or_make(PUSHED_TREE).texts
        texts._chunking, texts._chunker = chunking, build_chunker(chunking)
    # There is no public way yet to say how a tree of pushed texts is analysed; `add` takes it as it finds it.
    analysis = AnalysisSettings(language=collection.language, stop_words=stop_words)
    tree = index._trees.get_or_make(PUSHED_TREE)
    with tree.writing.step() as writer:
        find_or_add_tree(writer, tree.entry, TreeSettings(analysis, chunking))
    for key, title, text in collection.documents():
        # A document of nothing but a title (a third of CACM) has no chunk and would never be found.
        # A full stop is a chunk without words, which is how such a document should be indexed.
        index.add(key, text, title=title)
    index.commit()
    return index


def rank_documents(index: dowse.Index, query: str, depth: int = DEPTH, **options: object) -> list[str]:
    """Returns the keys of the best documents; a document scores what its best chunk scores.

    Args:
        options: What else the request says.
    """
    request = dowse.SearchRequest(query, limit=depth * CHUNKS_PER_DOCUMENT, snippets=False, **options)
    hits = index.search(request).hits
    return list(dict.fromkeys(hit.doc_key for hit in hits))[:depth]


def ndcg(ranking: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Returns the discounted gain of a ranking as a share of the best possible."""
    gain = sum(
        grades.get(key, 0) / math.log2(rank + 1) for rank, key in enumerate(ranking[:depth], 1)
    )
    best = sorted(grades.values(), reverse=True)[:depth]
    return gain / sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, 1))


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, int], depth: int = 10) -> float:
    """Returns 1 / rank of the first relevant document, 0 when there is none up to `depth`."""
    ranks = (rank for rank, key in enumerate(ranking[:depth], 1) if grades.get(key, 0) > 0)
    return 1.0 / next(ranks, math.inf)


def recall(ranking: Sequence[str], grades: Mapping[str, int], depth: int = 100) -> float:
    """Returns the share of the relevant documents that are found up to `depth`."""
    return len(set(ranking[:depth]) & grades.keys()) / len(grades)


def verify_measures() -> None:
    """Compares the measures with an example worked by hand.

    Ranking a b c d; a has grade 0, b 2, d 1, and e, which is not found, 1:
    gain = 2 / log2(3) + 1 / log2(5) = 1.26186 + 0.43068 = 1.69254;
    best = 2 / log2(2) + 1 / log2(3) + 1 / log2(4) = 2 + 0.63093 + 0.5 = 3.13093.
    """
    ranking, grades = ["a", "b", "c", "d"], {"b": 2, "d": 1, "e": 1}
    expected = {ndcg: 1.69254 / 3.13093, reciprocal_rank: 1 / 2, recall: 2 / 3}
    for measure, value in expected.items():
        if abs(measure(ranking, grades) - value) > 1e-5:
            raise SystemExit(f"{measure.__name__} is wrong: {measure(ranking, grades)}, not {value}")
    if ndcg(["x"] * 10 + ["b"], grades) != 0 or ndcg(["b", "d", "e"], grades) != 1:
        raise SystemExit("ndcg is wrong at its ends")
