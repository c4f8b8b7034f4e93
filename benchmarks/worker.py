"""One engine in a process of its own, driven by `lexical.py` through lines of JSON.

    python worker.py ENGINE HOME

Reads one request a line, answers with one line. ``build`` reads all passages before the clock starts: what is
timed is indexing, from texts in memory to a durable commit. Their memory is taken off the peak.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from engines import ENGINES, Query
from passages import iter_passages


def memory() -> dict[str, float]:
    """Returns this process's memory in MB: peak, resident, and of that its own and mapped files."""
    names = {"VmHWM": "peak", "VmRSS": "resident", "RssAnon": "private", "RssFile": "mapped"}
    found = {}
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name in names:
            found[names[name]] = int(value.split()[0]) / 1024
    return found


class Worker:
    """Answers requests; each method is one."""

    def __init__(self, engine_name: str, home: Path) -> None:
        kind = next(engine for engine in ENGINES if engine.name == engine_name)
        self._engine, self._home = kind(home), home
        self._texts: dict[str, list[str]] = {}

    def build(self, folder: str | None, passages: int | None) -> dict[str, Any]:
        """Builds the index."""
        self._home.mkdir(parents=True)
        before = memory()
        documents = list(iter_passages(Path(folder) if folder else None, passages))
        given = memory()["resident"] - before["resident"]
        cpu_started, started = time.process_time(), time.perf_counter()
        self._engine.build(documents)
        committed, cpu_seconds = time.perf_counter(), time.process_time() - cpu_started
        self._engine.settle()
        settled = time.perf_counter()
        return {
            "passages": len(documents),
            "commit_s": committed - started,
            "cpu_s": cpu_seconds,
            "settle_s": settled - committed,
            "given_mb": given,
            "memory": {name: value - given for name, value in memory().items()},
        }

    def open(self, queries: dict[str, list[Any]]) -> dict[str, Any]:
        """Opens the index and translates the query sets this engine can answer."""
        started = time.perf_counter()
        self._engine.open()
        opened = time.perf_counter() - started
        for name, entries in queries.items():
            kept = [Query(kind, tuple(words)) for kind, words in entries]
            if all(query.kind in self._engine.kinds for query in kept):
                self._texts[name] = [self._engine.translate(query) for query in kept]
        return {"open_s": opened, "sets": list(self._texts)}

    def ask(self, queries: str, limit: int, keys: bool) -> dict[str, Any]:
        """Answers a query set once; returns milliseconds of each query, and the keys when asked to.

        ``cpu_ms`` is the time this process was given: another view of the same, which other work on the
        machine disturbs less.
        """
        clock, cpu_clock, search = time.perf_counter, time.process_time, self._engine.search
        times, cpu_times, found = [], [], []
        for text in self._texts[queries]:
            cpu_started, started = cpu_clock(), clock()
            result = search(text, limit)
            ended, cpu_ended = clock(), cpu_clock()
            times.append((ended - started) * 1e3)
            cpu_times.append((cpu_ended - cpu_started) * 1e3)
            found.append(result if keys else len(result))
        return {"ms": times, "cpu_ms": cpu_times, "found": found}

    def memory(self) -> dict[str, Any]:
        """Returns what this process holds now."""
        return memory()


def main() -> None:
    """Serves until the input ends."""
    worker = Worker(sys.argv[1], Path(sys.argv[2]))
    # Engines may print; only answers go to the real output.
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        name, arguments = json.loads(line)
        answers.write(json.dumps(getattr(worker, name)(**arguments)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
