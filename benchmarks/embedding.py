"""How fast are texts embedded: by the transformer, by the static tier, and for one question?

Passages: the first of `passages-100k.jsonl.gz` from a seeded shuffle, title and text; questions: the web
log's. Padded: the same model, tokenizer, length limit and number of threads, in batches of 32 in the order
of arrival, padded to the longest of each batch, as fastembed does it. Rounds alternate between the two, the
median counts. A question is embedded as Dowse does it and by onnxruntime, in turns: the same session that
passages are run by, on one core.

What would mislead: a busy machine (the load is in the report; the padded side waits at barriers between its
threads and suffers more); passages of one length (padding would be free); a static tier whose words are all
known already (it starts cold here, as in a first run).

    .venv/bin/python benchmarks/embedding.py [--passages 200] [--static 20000] [--threads 2]
        [--cache FOLDER] [--no-report]
"""

import argparse
import gzip
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from beir import data_folder
from dowse.embedding import (
    DEFAULT_MODEL,
    OnnxEmbedder,
    StaticEmbedder,
    StaticTable,
    WordPieces,
    build_static_table,
    find_model,
    load_static_table,
)
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.session import load_onnxruntime
from machine import describe_commit, describe_machine, describe_versions
from reports import keep_run, number, surroundings, table

RATIO_BAR = 1.3
STATIC_BAR = 2_000
SEED = 2026
PADDED_BATCH = 32
ROUNDS = 3
COLD_START = """
import sys, time
started = time.perf_counter()
from pathlib import Path
from dowse.embedding import OnnxEmbedder, find_model
folder = Path(sys.argv[2]) if sys.argv[2] else None
embedder = OnnxEmbedder(find_model(sys.argv[1]), cache_folder=folder)
getattr(embedder, sys.argv[3])(["how to make bread rise"])
print(time.perf_counter() - started)
"""


def read_passages(count: int) -> list[str]:
    """Returns passages from all over the archive, the same every time."""
    with gzip.open(data_folder() / "passages-100k.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = list(lines)
    chosen = random.Random(SEED).sample(rows, min(count, len(rows)))
    return [f"{row['title']} {row['text']}" for row in map(json.loads, chosen)]


def read_questions(count: int) -> list[str]:
    """Returns questions of the web log."""
    with (data_folder() / "queries-web-log.txt").open(encoding="utf-8") as lines:
        return [json.loads(line)["query"] for line, _ in zip(lines, range(count), strict=False)]


def build_padded(files: ModelFiles, max_tokens: int, threads: int) -> Callable[[Sequence[str]], None]:
    """Returns the way of fastembed: batches as they come, padded to the longest."""
    from tokenizers import Tokenizer

    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(files.tokenizer))
    tokenizer.enable_truncation(max_tokens)
    tokenizer.enable_padding()
    wanted = {entry.name for entry in session.get_inputs()}

    def embed(texts: Sequence[str]) -> None:
        for start in range(0, len(texts), PADDED_BATCH):
            rows = tokenizer.encode_batch(list(texts[start : start + PADDED_BATCH]))
            feed = {
                "input_ids": np.array([row.ids for row in rows], dtype=np.int64),
                "attention_mask": np.array([row.attention_mask for row in rows], dtype=np.int64),
                "token_type_ids": np.array([row.type_ids for row in rows], dtype=np.int64),
            }
            session.run(None, {name: feed[name] for name in wanted})

    return embed


def seconds(work: Callable[[], object]) -> float:
    """Returns how long some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def cpu_seconds(work: Callable[[], object]) -> float:
    """Returns the processor time that some work takes, which says more on a busy machine."""
    started = time.process_time()
    work()
    return time.process_time() - started


def measure_passages(embedder: OnnxEmbedder, threads: int, passages: Sequence[str]) -> dict[str, float]:
    """Returns passages a second of both ways, and their ratio."""
    padded = build_padded(embedder.files, embedder.max_tokens, threads)
    padded(passages[:PADDED_BATCH])
    embedder.embed_passages(passages[:4])
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(len(passages) / seconds(lambda: padded(passages)))
        ours.append(len(passages) / seconds(lambda: embedder.embed_passages(passages)))
    ratio = statistics.median(one / other for one, other in zip(ours, theirs, strict=True))
    return {"ours": statistics.median(ours), "padded": statistics.median(theirs), "ratio": ratio}


def measure_questions(embedder: OnnxEmbedder, questions: Sequence[str]) -> dict[str, float]:
    """Returns milliseconds a question, Dowse's way and by onnxruntime, and the ratio of the two."""
    prefix = embedder.files.card.query_prefix
    embedder.embed_queries(questions[:10])
    embedder.embed_passages(questions[:10])
    times = np.array([
        (
            seconds(lambda text=text: embedder.embed_queries([text])) * 1e3,
            seconds(lambda text=text: embedder.embed_passages([prefix + text])) * 1e3,
        )
        for text in questions
    ])  # fmt: skip
    p50, p95 = np.percentile(times, [50, 95], axis=0).tolist()
    return {
        **{"p50_ms": p50[0], "onnxruntime_p50_ms": p50[1], "p95_ms": p95[0], "onnxruntime_p95_ms": p95[1]},
        "ratio": float(np.median(times[:, 0] / times[:, 1])),
    }


def measure_cold(work: str, cache: Path | None) -> float:
    """Returns milliseconds from a fresh process, Python's own start left out, to the first vector."""
    command = [sys.executable, "-c", COLD_START, DEFAULT_MODEL, str(cache or ""), work]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(6)]
    return statistics.median(float(run.stdout) for run in runs[1:]) * 1e3


def get_table(embedder: OnnxEmbedder, cache: Path) -> tuple[StaticTable, float]:
    """Returns the table of tokens, and how long it took to make; 0 when it was there."""
    path = cache / "static-table.bin"
    table = load_static_table(path, embedder.files.fingerprint)
    if table is not None:
        return table, 0.0
    started = time.perf_counter()
    table = build_static_table(embedder)
    table.save(path)
    return table, time.perf_counter() - started


def measure_static(embedder: OnnxEmbedder, table: StaticTable, passages: Sequence[str]) -> dict[str, float]:
    """Returns passages a second on one core, words unknown at first, and again when they are known."""
    weights = np.ones(len(table.vectors), np.float32)
    static = StaticEmbedder(embedder.name, table, WordPieces(embedder.tokenizer), weights)
    cold, warm = (len(passages) / seconds(lambda: static.embed_passages(passages)) for _ in range(2))
    cpu = len(passages) / cpu_seconds(lambda: static.embed_passages(passages))
    return {"cold": cold, "warm": warm, "warm_of_a_cpu_second": cpu}


def render(result: dict[str, Any]) -> str:
    """Returns the report of a run."""
    about, question, cold = result["about"], result["question"], result["cold_ms"]
    passages, static = result["passages_a_second"], result["static_passages_a_second"]
    verdicts = [
        ("passages a second, against padding in order of arrival", number(passages["ratio"], 2, " ×"),
         f"≥ {RATIO_BAR} ×", "met" if passages["ratio"] >= RATIO_BAR else "MISSED"),
        ("static vectors a second, from a cold start", number(static["cold"]), f"≥ {number(STATIC_BAR)}",
         "met" if static["cold"] >= STATIC_BAR else "MISSED"),
    ]  # fmt: skip
    rows = [
        ("passages a second by the model", number(passages["ours"], 1)),
        ("the same, padded in order of arrival", number(passages["padded"], 1)),
        ("static vectors a second, words unknown", number(static["cold"])),
        ("static vectors a second, words known", number(static["warm"])),
        ("a question, p50 ms", number(question["p50_ms"], 2)),
        ("a question by onnxruntime, p50 ms", number(question["onnxruntime_p50_ms"], 2)),
        ("a question, p95 ms", number(question["p95_ms"], 2)),
        *((f"first vector of a process, {what}, ms", number(ms)) for what, ms in cold.items()),
        ("the table of tokens, s (0: it was there)", number(result["table_s"], 1)),
        ("peak memory, the padded side left out, MB", number(result["peak_mb_without_padded"])),
    ]
    parts = [
        f"# Embedding, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/embedding.py"),
        f"{result['model']}, {result['threads']} threads, {result['words_a_passage']:.0f} words a passage.",
        "## What issue 5 asks for",
        table(("", "measured", "bar", ""), verdicts),
        "## All of it",
        table(("", "measured"), rows),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main() -> None:
    """Runs everything, prints the report and keeps it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=200)
    parser.add_argument("--static", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cache", type=Path, help="keeps the graph and the table from run to run")
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    given = parser.parse_args()
    about: dict[str, Any] = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions(["dowse", "onnxruntime", "tokenizers", "numpy"]),
        "rounds": ROUNDS,
        "arguments": " ".join(sys.argv[1:]),
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as temporary:
        cache = given.cache or Path(temporary)
        embedder = OnnxEmbedder(find_model(DEFAULT_MODEL), threads=given.threads, cache_folder=cache)
        table, table_s = get_table(embedder, cache)
        passages = read_passages(given.static)
        result: dict[str, Any] = {
            "about": about,
            "model": embedder.name,
            "threads": given.threads,
            "words_a_passage": statistics.mean(len(text.split()) for text in passages),
            "cold_ms": {
                "question": measure_cold("embed_queries", cache),
                "passage": measure_cold("embed_passages", cache),
                "passage, graph not kept": measure_cold("embed_passages", None),
            },
            "question": measure_questions(embedder, read_questions(given.questions)),
            "static_passages_a_second": measure_static(embedder, table, passages),
            "table_s": table_s,
            "peak_mb_without_padded": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "passages_a_second": measure_passages(embedder, given.threads, passages[: given.passages]),
        }
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    report = render(result)
    print(report)
    if not given.no_report:
        keep_run("-embedding", report, result)


if __name__ == "__main__":
    main()
