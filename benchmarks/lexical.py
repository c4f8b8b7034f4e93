"""Is Dowse faster than other engines on the same passages and the same queries?

Corpus: the 100,000 passages of ../shared/data (documentation, RFCs, laws, news; many languages), or the text
files of `--folder`. Beyond their number (`--passages`) they repeat under new keys. Queries, with a fixed
seed: 300 runs of 2–5 consecutive words of the corpus, and the union, phrase and intersection queries of the
web log. Every engine indexes in one process and answers in another; rounds of queries go round the engines,
so that other work on the machine hits all alike. A query is timed from its text to the keys of its hits,
parsing included. Reported: the median over rounds of each percentile.

What would make it misleading:
- Absolute numbers of a busy machine. Only ratios within one run count; the spread is printed.
- Stop words. Dowse, bm25s and Whoosh drop them from queries of words, tantivy and FTS5 score them, which
  is much more work. Compare tantivy with the row that keeps them.
- What is kept. Dowse and FTS5 store the texts (for snippets, and to heal themselves), the others keys only.
- Repeated passages: a million from a hundred thousand has the terms of the latter, and equal scores.
- Whoosh is given fewer passages, because it takes minutes; its row says how many.
- Reading and decoding passages is not in the index time (before commit 3981317 it was): they are in
  memory when the clock starts. Peak memory is without them.

    python benchmarks/lexical.py [--passages N] [--folder FOLDER] [--engines NAME …]
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

from engines import ENGINES, Engine
from machine import describe_commit, describe_machine, describe_versions
from passages import corpus_queries, web_queries
from reports import STANDARD, keep_run, render

QUERY_COUNT = 300
LIMITS = (10, 100)
WHOOSH_PASSAGES = 10_000
POLL_S = 0.02
REPEATED = ("dowse", STANDARD)
"""Engines that index several times, because a bar compares them; the others do it once."""
SLOW_S = 5.0
"""An engine that needs longer for a query set while warming up runs it in one counted round only."""
PERCENTILES = (
    ("p50", "ms", 0.5),
    ("p95", "ms", 0.95),
    ("p99", "ms", 0.99),
    ("cpu_p50", "cpu_ms", 0.5),
    ("cpu_p95", "cpu_ms", 0.95),
)
WORKER = Path(__file__).with_name("worker.py")


@dataclass(slots=True)
class Measured:
    """What one engine's row is made of; times in seconds unless they say ms, memory in MB."""

    name: str
    note: str
    keeps_text: bool
    build: dict[str, Any] = field(default_factory=dict)
    disk_mb: float = 0.0
    open_s: float = 0.0
    serving: dict[str, float] = field(default_factory=dict)
    queries: dict[str, dict[str, Any]] = field(default_factory=dict)


class Process:
    """A worker process."""

    def __init__(self, engine: type[Engine], home: Path) -> None:
        command = [sys.executable, str(WORKER), engine.name, str(home)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        """Sends a request and waits for its answer."""
        process = self._process
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        process.stdin.write(json.dumps([name, arguments]) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise SystemExit(f"{process.args} died with status {process.wait()}")
        return json.loads(line)

    def watch_private(self, peak: list[float], done: threading.Event) -> None:
        """Keeps the largest private memory in `peak[0]`, read from outside so as not to disturb."""
        status = Path(f"/proc/{self._process.pid}/status")
        while not done.wait(POLL_S):
            for line in status.read_text().splitlines():
                if line.startswith("RssAnon"):
                    peak[0] = max(peak[0], int(line.split()[1]) / 1024)

    def end(self) -> None:
        """Closes its input and waits."""
        assert self._process.stdin is not None, "it is a pipe"
        self._process.stdin.close()
        self._process.wait()


def home_of(engine: type[Engine], place: Path) -> Path:
    """Returns the folder of the index an engine answers from."""
    return place / (engine.index_of or engine.name).replace(" ", "-")


def build_all(
    engines: Sequence[type[Engine]], place: Path, arguments: argparse.Namespace
) -> dict[str, Measured]:
    """Builds every engine's index, some several times in turn; the last one is kept for queries."""
    rows = {engine.name: Measured(engine.name, engine.note, engine.keeps_text) for engine in engines}
    builds: dict[str, list[dict[str, Any]]] = {}
    for number, engine in product(range(arguments.index_rounds), engines):
        if not engine.index_of and (number == 0 or engine.name in REPEATED):
            built = build(engine, home_of(engine, place), arguments)
            builds.setdefault(engine.name, []).append(built)
    for name, rounds in builds.items():
        # The round in the middle stands for all, with everything that was measured in it.
        rounds.sort(key=lambda built: built["commit_s"])
        rounds_s = [built["commit_s"] for built in rounds]
        rows[name].build = {**rounds[(len(rounds) - 1) // 2], "rounds_s": rounds_s}
    for engine in engines:
        files = [file for file in home_of(engine, place).rglob("*") if file.is_file()]
        rows[engine.name].disk_mb = sum(file.stat().st_size for file in files) / 2**20
    return rows


def build(engine: type[Engine], home: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Builds an engine's index in a process of its own; returns times and memory."""
    passages = arguments.passages
    if engine.name == "whoosh":
        passages = min(passages or WHOOSH_PASSAGES, arguments.whoosh_passages)
    print(f"indexing: {engine.name} …", end=" ", file=sys.stderr, flush=True)
    shutil.rmtree(home, ignore_errors=True)
    process, peak, done = Process(engine, home), [0.0], threading.Event()
    watcher = threading.Thread(target=process.watch_private, args=(peak, done))
    watcher.start()
    built = process.call("build", folder=arguments.folder, passages=passages)
    done.set()
    watcher.join()
    built["memory"]["peak_private"] = peak[0] - built["given_mb"]
    process.end()
    print(f"{built['commit_s']:.1f} s", file=sys.stderr)
    return built


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def serve(
    engines: Sequence[type[Engine]], rows: dict[str, Measured], place: Path, rounds: int, folder: str | None
) -> dict[str, int]:
    """Runs the rounds of queries, all engines in turn; fills the rows and returns the sets' sizes."""
    sets = {"words of the corpus": corpus_queries(Path(folder) if folder else None, QUERY_COUNT)}
    sets |= {f"web log, {kind}": queries for kind, queries in web_queries().items()}
    processes = {engine.name: Process(engine, home_of(engine, place)) for engine in engines}
    answerable, slow = {}, set()
    for name, process in processes.items():
        opened = process.call("open", queries=sets)
        rows[name].open_s, answerable[name] = opened["open_s"], opened["sets"]
    for number in range(rounds + 1):  # the first one warms up
        print(f"queries: round {number} of {rounds}", file=sys.stderr, flush=True)
        for label, limit, name in product(sets, LIMITS, processes):
            is_slow = (name, label) in slow and number > 1
            if label in answerable[name] and not is_slow:
                answer = processes[name].call("ask", queries=label, limit=limit, keys=number == 0)
                _note(rows[name], f"{label}, top {limit}", number, answer)
                if sum(answer["ms"]) > SLOW_S * 1e3:
                    slow.add((name, label))
    for name, process in processes.items():
        rows[name].serving = process.call("memory")
        process.end()
    return {label: len(queries) for label, queries in sets.items()}


def _note(row: Measured, label: str, number: int, answer: dict[str, Any]) -> None:
    entry = row.queries.setdefault(label, {name: [] for name, _, _ in PERCENTILES})
    if number == 0:
        entry["found"] = answer["found"]
        return
    for name, times, share in PERCENTILES:
        entry[name].append(percentile(answer[times], share))


def compare_hits(rows: dict[str, Measured]) -> None:
    """Replaces the keys found by their mean number, and by the share of tantivy's that are among them."""
    queries = rows[STANDARD].queries if STANDARD in rows else {}
    standard = {label: entry["found"] for label, entry in queries.items()}
    for row in rows.values():
        for label, entry in row.queries.items():
            found = entry.pop("found")
            entry["hits"] = statistics.fmean(map(len, found))
            pairs = zip(found, standard.get(label, []), strict=False)
            shares = [len({*keys} & {*others}) / len(others) for keys, others in pairs if others]
            is_whole = row.name != "whoosh"  # which has not all the passages
            entry["shared"] = statistics.fmean(shares) if shares and is_whole else None


def main() -> None:
    """Runs everything and keeps the report."""
    parser = argparse.ArgumentParser(description="Speed and memory beside other engines.")
    parser.add_argument("--passages", type=int, help="how many; all 100,000 (or the folder's) once")
    parser.add_argument("--folder", help="index the text files of this folder instead")
    parser.add_argument("--rounds", type=int, default=5, help="of queries")
    parser.add_argument("--index-rounds", type=int, default=3)
    parser.add_argument("--engines", nargs="+", metavar="NAME", help="all when none is named")
    parser.add_argument("--whoosh-passages", type=int, default=WHOOSH_PASSAGES)
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    arguments = parser.parse_args()
    engines = [engine for engine in ENGINES if engine.name in (arguments.engines or [engine.name])]
    packages = [engine.package for engine in engines if engine.package and not engine.index_of]
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions([*packages, "numpy"]),
        "rounds": arguments.rounds,
        "arguments": " ".join(sys.argv[1:]),
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="dowse-lexical-") as place:
        rows = build_all(engines, Path(place), arguments)
        sizes = serve(engines, rows, Path(place), arguments.rounds, arguments.folder)
    compare_hits(rows)
    about |= {"sets": sizes, "took_s": time.perf_counter() - started}
    about["load_after"] = describe_machine()["load"]
    result = {"about": about, "engines": [asdict(row) for row in rows.values()]}
    text = render(result)
    print(text)
    if not arguments.no_report:
        keep_run("", text, result)


if __name__ == "__main__":
    main()
