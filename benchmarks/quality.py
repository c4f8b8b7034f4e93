"""How well does the default ranking answer?

Corpus: the judged collections in ../shared/data (or DOWSE_DATA): SciFact and NFCorpus (BEIR), CISI and CACM,
XQuAD's paragraphs in German and Chinese. Every title and text is pushed into an index in memory; a
document's score is its best chunk's. Nothing is random.

What would make it misleading: tuning on the split that is reported (`tune_bm25f.py` keeps to the others;
CISI and CACM have only one split and *are* tuned on, so theirs are fitted numbers); reading small
differences as progress (SciFact has 300 test queries: two standard errors are about 0.05; compare two
engines per query, never by their means alone); XQuAD has 240 paragraphs, which makes it a test of
analysis and not of ranking.

    python benchmarks/quality.py [--split test|train|dev] [--preset default] [NAME …]
"""

import argparse
import time

import dowse
from beir import (
    COLLECTIONS,
    Collection,
    Judgements,
    build_index,
    ndcg,
    rank_documents,
    recall,
    reciprocal_rank,
    verify_measures,
)

BARS = {("scifact", "test"): 0.680, ("nfcorpus", "test"): 0.322}


def measure(
    index: dowse.Index, queries: dict[str, str], judged: Judgements, preset: str
) -> tuple[float, ...]:
    """Returns the means of nDCG@10, MRR@10 and recall@100 over the judged queries."""
    rows = []
    for key, grades in judged.items():
        ranking = rank_documents(index, queries[key], preset=preset)
        rows.append([f(ranking, grades) for f in (ndcg, reciprocal_rank, recall)])
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def report(collection: Collection, split: str, preset: str) -> bool:
    """Prints one collection's row; returns whether it is below its bar."""
    started = time.perf_counter()
    index = build_index(collection)
    status = index.status()
    built = time.perf_counter()
    judged = collection.judgements(split)
    values = measure(index, collection.queries(), judged, preset)
    per_query_ms = (time.perf_counter() - built) * 1e3 / len(judged)
    index.close()
    bar = BARS.get((collection.name, split))
    verdict = "" if bar is None else f"{bar:.3f} {'met' if values[0] >= bar else 'MISSED'}"
    print(
        f"| {collection.name} | {status.documents:,} | {status.chunks:,} | {len(judged)} |"
        f" {values[0]:.4f} | {values[1]:.4f} | {values[2]:.4f} | {built - started:.1f} |"
        f" {per_query_ms:.2f} | {verdict} |",
        flush=True,
    )
    return "MISSED" in verdict


def main() -> None:
    """Measures the collections that have the split."""
    parser = argparse.ArgumentParser(description="Ranking quality on judged collections.")
    parser.add_argument("collections", nargs="*", metavar="NAME", help="all, when none is named")
    parser.add_argument("--split", choices=("train", "dev", "test"), default="test")
    parser.add_argument("--preset", default="default")
    arguments = parser.parse_args()
    verify_measures()
    print(f"dowse {dowse.__version__}, preset {arguments.preset}, split {arguments.split}\n")
    print(
        "| collection | documents | chunks | queries | nDCG@10 | MRR@10 | recall@100 | index s |"
        " ms a query, top 300 | bar |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|---|")
    chosen = [c for c in COLLECTIONS if c.name in (arguments.collections or [c.name])]
    measurable = [c for c in chosen if arguments.split in c.splits()]
    is_missed = [report(collection, arguments.split, arguments.preset) for collection in measurable]
    skipped = [c.name for c in chosen if c not in measurable]
    if skipped:
        print(f"\nNot here, or without this split: {', '.join(skipped)}.")
    if any(is_missed):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
