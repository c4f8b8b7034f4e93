"""Is a scan of small codes fast and right enough, beside graphs and beside exact search?

Corpus: real vectors of passages and of queries, made when `--real FOLDER` has none yet (five minutes), and
for other numbers of vectors ones grown from them (`vector_sets.py` says how; seed 1). Every index is built
and asked in a process of its own, one query at a time on one thread; rounds of queries go round the indexes,
so that other work on the machine hits all alike. A query is timed from its vector to keys, preparation
included. Recall is the share of the ten nearest by single-precision inner products. Then 10 % of the
vectors, drawn at random, are deleted, and recall is measured again among what is left. Reported: the median
over rounds of each percentile.

What would make it misleading:
- Absolute numbers of a busy machine. CPU times are given beside; only ratios within one run count.
- Grown vectors: recall of a graph, and of codes, depends on how vectors lie. The first table has real ones.
- Parameters: graphs trade recall for time; theirs are the defaults, and both are in the table.
- Memory is what building and asking added to the process, without the vectors given to it. Mapped files count
  as far as their pages were touched.
- Deleting in Dowse is a byte a row here; in an index the catalogue's transaction comes to it.

    .venv/bin/pip install -e '.[benchmark-vectors]'
    .venv/bin/python benchmarks/vectors.py --real FOLDER [--counts 0 100000 1000000] [--indexes NAME …]

A million takes twenty minutes, most of it for building the graphs.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from engines.vector_indexes import VECTOR_INDEXES
from machine import describe_commit, describe_machine, describe_versions
from reports import keep_run, middle, number, surroundings, table
from vector_sets import grow, make_real, nearest, read_real

K = 10
DELETED_SHARE = 0.1
SEED = 1
P50_BARS = {100_000: 1.5, 1_000_000: 10.0}
RECALL_BAR = 0.98
SLOW_S = 10.0
"""An index that needs longer for a round while warming up is asked in one counted round only."""


def memory_mb() -> dict[str, float]:
    """Returns this process's memory: private, and pages of mapped files."""
    lines = Path("/proc/self/status").read_text().splitlines()
    values = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Rss")}
    mapped = int(values["RssFile"]) + int(values["RssShmem"])  # the latter: files in /dev/shm
    return {"private": int(values["RssAnon"]) / 1024, "mapped": mapped / 1024}


def work(name: str, vectors_path: str, queries_path: str, home: str, pipe: Connection) -> None:
    """Serves one index until the pipe is closed."""
    kind = next(kind for kind in VECTOR_INDEXES if kind.name == name)
    queries = np.load(queries_path)
    index = kind(Path(home))
    index_before = memory_mb()
    while True:
        command, arguments = pipe.recv()
        started, cpu = time.perf_counter(), time.process_time()
        if command == "build":
            vectors = np.load(vectors_path)
            given = vectors.nbytes / 2**20
            started, cpu = time.perf_counter(), time.process_time()
            index.build(vectors)
            answer: dict[str, Any] = {
                "s": time.perf_counter() - started, "cpu_s": time.process_time() - cpu, "given_mb": given,
            }  # fmt: skip
            del vectors
        elif command == "ask":
            answer = ask_all(index, queries)
        elif command == "delete":
            index.delete(np.asarray(arguments))
            answer = {"s": time.perf_counter() - started}
        elif command == "memory":
            now = memory_mb()
            answer = {part: now[part] - index_before[part] for part in now}
            files = [path for path in Path(home).rglob("*") if path.is_file()]
            answer["disk"] = sum(path.stat().st_size for path in files) / 2**20
        else:
            return
        pipe.send(answer)


def ask_all(index: Any, queries: Any) -> dict[str, Any]:
    """Asks every query once; returns times in milliseconds and the keys found."""
    times, cpu_times, found = [], [], []
    for query in queries:
        started, cpu = time.perf_counter(), time.process_time()
        found.append(index.ask(query, K))
        cpu_times.append((time.process_time() - cpu) * 1e3)
        times.append((time.perf_counter() - started) * 1e3)
    return {"ms": times, "cpu_ms": cpu_times, "found": found}


class Worker:
    """One index in a process of its own."""

    def __init__(self, name: str, files: tuple[Path, Path], home: Path) -> None:
        home.mkdir()
        self._pipe, other = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        arguments = (name, *map(str, files), str(home), other)
        self._process = context.Process(target=work, args=arguments, daemon=True)
        self._process.start()
        other.close()

    def call(self, command: str, arguments: object = None) -> dict[str, Any]:
        """Sends a command and waits for its answer."""
        self._pipe.send((command, arguments))
        return self._pipe.recv()

    def end(self) -> None:
        """Lets the process finish."""
        self._pipe.send(("end", None))
        self._process.join()


def recall(found: list[list[int]], truth: list[set[int]]) -> float:
    """Returns the share of the nearest that were found."""
    pairs = zip(found, truth, strict=True)
    return sum(len(set(keys) & best) for keys, best in pairs) / sum(map(len, truth))


def measure(names: list[str], vectors: Any, queries: Any, rounds: int, place: Path) -> list[dict[str, Any]]:
    """Runs all indexes on one set of vectors; returns a row for each."""
    place.mkdir()
    files = place / "vectors.npy", place / "queries.npy"
    np.save(files[0], vectors)
    np.save(files[1], queries)
    kept = np.random.default_rng(SEED).random(len(vectors)) >= DELETED_SHARE
    truth, truth_left = nearest(vectors, queries, K), nearest(vectors, queries, K, kept)
    workers = {name: Worker(name, files, place / str(turn)) for turn, name in enumerate(names)}
    rows: dict[str, dict[str, Any]] = {
        name: {"name": name, "vectors": len(vectors), "p50": [], "p95": [], "cpu_p50": []} for name in names
    }
    for name, worker in workers.items():
        print(f"{len(vectors)} vectors: building {name}", file=sys.stderr, flush=True)
        rows[name]["build"] = worker.call("build")
    slow = set()
    for turn in range(rounds + 1):  # the first one warms up
        for name in [name for name in names if turn <= 1 or name not in slow]:
            answer = workers[name].call("ask")
            if turn == 0:
                rows[name]["recall"] = recall(answer["found"], truth)
                slow |= {name} if sum(answer["ms"]) > SLOW_S * 1e3 else set()
            else:
                for label, values, share in (("p50", "ms", 50), ("p95", "ms", 95), ("cpu_p50", "cpu_ms", 50)):
                    rows[name][label].append(float(np.percentile(answer[values], share)))
    for name, worker in workers.items():
        rows[name]["memory"] = worker.call("memory")
        rows[name]["delete_s"] = worker.call("delete", np.flatnonzero(~kept))["s"]
        answer = worker.call("ask")
        rows[name]["recall_left"] = recall(answer["found"], truth_left)
        rows[name]["gone_found"] = sum(key >= 0 and not kept[key] for keys in answer["found"] for key in keys)
        worker.end()
    return list(rows.values())


def render(result: dict[str, Any]) -> str:
    """Returns the report of a run."""
    about = result["about"]
    changed = " with uncommitted changes" if about["has_changes"] else ""
    parts = [
        f"# Vector benchmark, {about['date']}, commit {about['commit']}{changed}",
        surroundings(about, "benchmarks/vectors.py"),
        f"- {about['real']} real vectors of {about['dimensions']} dimensions, {about['queries']} real"
        " queries; sets beyond that are grown from them (`vector_sets.py`).",
    ]
    header = (
        "index", "p50 ms", "p95 ms", "CPU p50 ms", "recall@10", "build s", "private MB", "mapped MB",
        "disk MB", "delete 10 % ms", "recall@10 after", "deleted ones found",
    )  # fmt: skip
    verdicts = [verdict for rows in result["sets"] for verdict in _judge(rows)]
    if verdicts:
        parts += ["## What issue 5 asks for", table(("", "measured", "bar", ""), verdicts)]
    for rows in result["sets"]:
        parts.append(f"## {rows[0]['vectors']:,} vectors")
        parts.append(table(header, [_row(row) for row in rows]))
    parts += ["## Notes", "\n".join(f"- {kind.name}: {kind.note}." for kind in VECTOR_INDEXES)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _judge(rows: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Returns the bars of a set of vectors, met or not; none for other counts and without Dowse."""
    found = [row for row in rows if row["name"] == "dowse" and row["vectors"] in P50_BARS]
    verdicts = []
    for row in found:
        label, p50, bar = f"{row['vectors']:,} vectors", middle(row["p50"]), P50_BARS[row["vectors"]]
        is_fast, is_right = p50 <= bar, row["recall"] >= RECALL_BAR
        verdicts += [
            (f"{label}: p50", number(p50, 2, " ms"), f"≤ {bar} ms", "met" if is_fast else "MISSED"),
            (f"{label}: recall@10", number(row["recall"], 4), f"≥ {RECALL_BAR}",
             "met" if is_right else "MISSED"),
        ]  # fmt: skip
    return verdicts


def _row(row: dict[str, Any]) -> list[str]:
    spread = f"{middle(row['p50']):.3f} ({min(row['p50']):.3f}–{max(row['p50']):.3f})"
    memory = [number(row["memory"][part], 0) for part in ("private", "mapped", "disk")]
    return [
        row["name"], spread, number(middle(row["p95"]), 3), number(middle(row["cpu_p50"]), 3),
        number(row["recall"], 4), number(row["build"]["s"], 1), *memory, number(row["delete_s"] * 1e3, 1),
        number(row["recall_left"], 4), number(row["gone_found"]),
    ]  # fmt: skip


def main() -> None:
    """Runs everything and keeps the report."""
    parser = argparse.ArgumentParser(description="Vector indexes beside each other.")
    real_help = "folder of NAME.npy and NAME-queries.npy; made when there are none"
    parser.add_argument("--real", type=Path, required=True, help=real_help)
    parser.add_argument("--counts", type=int, nargs="+", default=[0, 100_000], help="0 for the real ones")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--indexes", nargs="+", metavar="NAME", help="all when none is named")
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    arguments = parser.parse_args()
    kinds = [kind for kind in VECTOR_INDEXES if kind.name in (arguments.indexes or [kind.name])]
    if not any(arguments.real.glob("*.npy")):
        make_real(arguments.real)
    real, queries = read_real(arguments.real)
    chosen = np.random.default_rng(SEED).permutation(len(queries))[: arguments.queries]
    about: dict[str, Any] = {
        "date": date.today().isoformat(), **describe_commit(), "machine": describe_machine(),
        "versions": describe_versions([*dict.fromkeys(kind.package for kind in kinds), "numpy"]),
        "rounds": arguments.rounds, "arguments": " ".join(sys.argv[1:]), "real": len(real),
        "dimensions": real.shape[1], "queries": len(chosen),
    }  # fmt: skip
    started = time.perf_counter()
    sets = []
    with tempfile.TemporaryDirectory(prefix="dowse-vectors-") as place:
        for count in arguments.counts:
            vectors = grow(real, count, SEED) if count else real
            names = [kind.name for kind in kinds]
            sets.append(measure(names, vectors, queries[chosen], arguments.rounds, Path(place) / str(count)))
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    result = {"about": about, "sets": sets}
    text = render(result)
    print(text)
    if not arguments.no_report:
        keep_run("-vectors", text, result)


if __name__ == "__main__":
    main()
