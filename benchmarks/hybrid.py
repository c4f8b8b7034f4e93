"""How long does a question take by words and meaning together, and how much memory does serving it need?

Corpus: the 100,000 passages of the data folder, or any folder. Their vectors are the static ones: they are as
large, as many and scanned in the same way as the model's own, which would take two hours here. Each question
is asked once, in a process of its own that has the index and the model open, one at a time: embedding,
words, the scan of all vectors, fusion and the hits are in its time; snippets are not, as in `lexical.py`. A
question asked twice would find its vector remembered.

What would make it misleading:
- A busy machine: a question is embedded on one core, which is most of its time.
- Everything is in the page cache: the index was built a moment ago.
- The number of words: a question of twenty words takes longer to embed than one of two. Hence three sets:
  runs of 2 to 5 words of the corpus, queries of people from a web log, and SciFact's claims, whole sentences.

    .venv/bin/python benchmarks/hybrid.py [--passages N] [--folder FOLDER] [--queries N] [--home FOLDER]
        [--no-report]
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import dowse
from beir import COLLECTIONS
from dowse.embedding import EmbeddingSettings
from machine import describe_commit, describe_machine, describe_versions
from passages import corpus_queries, iter_passages, web_queries
from reports import keep_run, number, surroundings, table

WARM_UP = 20
BARS = {"p50": 12.0, "p95": 25.0, "memory": 500.0}
STATIC_BAR = 2_000


def open_index(home: str) -> dowse.Index:
    """Opens an index whose table of tokens is kept beside it."""
    settings = EmbeddingSettings(cache_folder=Path(home) / "cache", threads=os.cpu_count() or 1)
    return dowse.open(home, embedding=settings)


def build(home: str, folder: Path | None, count: int | None) -> dict[str, float]:
    """Builds the index; returns how long each part took."""
    with open_index(home) as index:
        started = time.perf_counter()
        for passage in iter_passages(folder, count):
            index.add(passage.doc_key, passage.text, title=passage.title)
        index.commit()
        words_done = time.perf_counter()
        coverage = index.embed(with_model=False)
        assert coverage is not None, "vectors are on by default"
        return {
            "words_s": words_done - started,
            "vectors_s": time.perf_counter() - words_done,
            "passages": coverage.static + coverage.model,
        }


def memory_mb() -> dict[str, float]:
    """Returns this process's memory: all of it, and what is its own."""
    lines = Path("/proc/self/status").read_text().splitlines()
    values = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if "kB" in line}
    return {"resident": values["VmRSS"], "private": values["RssAnon"], "peak": values["VmHWM"]}


def serve(home: str, sets: dict[str, list[str]]) -> dict[str, Any]:
    """Asks all questions, each once; returns their times in milliseconds and the memory afterwards."""
    index = open_index(home)
    found: dict[str, Any] = {}
    for label, queries in sets.items():
        for query in queries[:WARM_UP]:
            index.search(dowse.SearchRequest(query, mode="hybrid", snippets=False))
        rows, stages = [], []
        for query in queries[WARM_UP:] or queries:
            request = dowse.SearchRequest(query, mode="hybrid", snippets=False)
            cpu, started = time.process_time(), time.perf_counter()
            response = index.search(request)
            rows.append((time.perf_counter() - started, time.process_time() - cpu))
            stages.append({stage.name: stage.ms for stage in response.stages})
        clock, work = np.array(rows).T * 1e3
        found[label] = {
            "queries": len(rows),
            "words": float(np.mean([len(query.split()) for query in queries])),
            **{f"p{share}": float(np.percentile(clock, share)) for share in (50, 95, 99)},
            "cpu": float(np.median(work)),
            "stages": {name: float(np.median([one[name] for one in stages])) for name in stages[0]},
        }
    return {"sets": found, "memory": memory_mb()}


def read_sets(folder: Path | None, count: int) -> dict[str, list[str]]:
    """Returns the questions, none of them twice."""
    scifact = next(one for one in COLLECTIONS if one.name == "scifact")
    sets = {
        "words of the corpus": [" ".join(query.words) for query in corpus_queries(folder, count)],
        "web log": [" ".join(query.words) for query in web_queries()["union"]],
        "sentences (SciFact)": list(scifact.queries().values()),
    }
    return {label: list(dict.fromkeys(queries))[:count] for label, queries in sets.items()}


def check(home: str) -> None:
    """Refuses an index that an interrupted run left without some of its vectors."""
    with open_index(home) as index:
        coverage = index.coverage()
    if coverage is None or coverage.static + coverage.model < coverage.chunks:
        raise SystemExit(f"{home} is not complete ({coverage}): delete it, or name another --home")


def in_process(work: Any, *arguments: object) -> Any:
    """Returns what a function returns in a fresh process: memory is then its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def render(result: dict[str, Any]) -> str:
    """Returns the report of a run."""
    about, sets, memory = result["about"], result["sets"], result["memory"]
    names = list(next(iter(sets.values()))["stages"])
    rows = [
        (
            label,
            *(number(one[name], 1) for name in ("words", "p50", "p95", "p99", "cpu")),
            *(number(one["stages"][name], 2) for name in names),
        )
        for label, one in sets.items()
    ]
    worst = {share: max(one[share] for one in sets.values()) for share in ("p50", "p95")}
    verdicts = [
        (f"hybrid, {share}, the slowest set", number(worst[share], 1, " ms"),
         "≤ " + number(BARS[share], 0, " ms"), "met" if worst[share] <= BARS[share] else "MISSED")
        for share in worst
    ]  # fmt: skip
    verdicts.append(
        ("memory with the model loaded, mapped files included", number(memory["resident"], 0, " MB"),
         "≤ " + number(BARS["memory"], 0, " MB"), "met" if memory["resident"] <= BARS["memory"] else "MISSED")
    )  # fmt: skip
    built = result["build"]
    if built and built["passages"] >= 100_000:  # the table of tokens, made once, is in the time
        speed = built["passages"] / (built["words_s"] + built["vectors_s"])
        verdicts.append(
            ("indexed with static vectors, passages a second", number(speed), f"≥ {number(STATIC_BAR)}",
             "met" if speed >= STATIC_BAR else "MISSED")
        )  # fmt: skip
    parts = [
        f"# Questions by words and meaning, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/hybrid.py"),
        f"{result['chunks']:,} chunks with vectors. Milliseconds; stages are medians.",
        table(("questions", "words", "p50", "p95", "p99", "cpu p50", *names), rows),
        table(("", "measured", "bar", ""), verdicts),
        f"Private memory {memory['private']:.0f} MB, peak {memory['peak']:.0f} MB.",
    ]
    if built:
        parts.append(
            f"Built in {built['words_s']:.1f} s by words; {built['passages']:,.0f} static vectors in"
            f" {built['vectors_s']:.1f} s, the table of tokens and the first fit included."
        )
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Runs everything, prints the report and keeps it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passages", type=int)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--home", type=Path, help="keep the index here; what is there is used")
    parser.add_argument("--no-report", action="store_true")
    given = parser.parse_args(arguments)
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions(["dowse", "numpy", "onnxruntime", "tokenizers"]),
        "arguments": " ".join(arguments),
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        home = str(given.home or Path(temporary) / "index")
        is_there = (Path(home) / "home.db").is_file()
        built = None if is_there else in_process(build, home, given.folder, given.passages)
        check(home)
        served = in_process(serve, home, read_sets(given.folder, given.queries))
        with open_index(home) as index:
            coverage = index.coverage()
            assert coverage is not None, "it was just asked"
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    result = {
        "about": about,
        "build": built,
        "chunks": coverage.static + coverage.model,
        **served,
    }
    report = render(result)
    print(report)
    if not given.no_report:
        keep_run("-hybrid", report, result)


if __name__ == "__main__":
    main(sys.argv[1:])
