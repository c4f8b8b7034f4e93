"""How long does every mode take, and is it faster than tantivy where tantivy has it?

Corpus: the 100,000 passages of ../shared/data (documentation, RFCs, laws, news; many languages). Queries:
100 for each query set, made from the corpus with a fixed seed (`mode_queries.py`): words, runs of words,
pieces of text, beginnings, endings and misspellings of words, each from another passage. Both engines answer
in this process; each query set goes round the engines in every round, so that other work on the machine hits
both alike. A query is timed from its text to the keys of its ten best hits, parsing included. Reported: the
median over rounds of each percentile; and of how it compares, for which the two of one round are divided, a
few milliseconds apart. (Medians of all rounds come from moments at which the machine may be half as fast.)

What would make it misleading:
- Absolute numbers of a busy machine. Only ratios within one run count; the spread is printed.
- tantivy's prefix, wildcard, regex and fuzzy queries give every hit the same score; Dowse adds up the
  frequencies of all forms and ranks by them. Dowse searches for at most 1,024 forms and says so.
- tantivy matches these patterns with stemmed words, of which there are fewer; Dowse with words as written.
- What has no text form in tantivy (quorum, patterns, fuzzy, more like this) is built from query objects,
  without parsing; Dowse parses always.
- Stop words: Dowse drops them from bare words (union, more like this), tantivy scores them.
- Dowse is told not to look for similar words when nothing matches, which tantivy cannot do; the set
  “typing errors” is what it takes when it does.
- Dowse counts the chunks that match, tantivy is told not to.
- Autocomplete is over the whole vocabulary and all titles, each beginning alone; no engine beside it.
- Filters: what a filter lets through is kept from query to query, as it would be in a session. The table
  of names is, too: the first `named` query of a generation takes about a second here, in the warm-up round.

    python benchmarks/modes.py [--rounds N] [--sets NAME …] [--home FOLDER] [--no-report]
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from engines.modes_on_dowse import ModesOnDowse
from engines.modes_on_tantivy import ModesOnTantivy
from machine import describe_commit, describe_machine, describe_versions
from mode_queries import ModeQuery, mode_queries
from passages import iter_passages
from reports import STANDARD, keep_run, middle, number, surroundings, table

LIMIT = 10
SLOWEST_P95_MS = 20.0
SLOWEST_COMPLETION_P95_MS = 2.0
Asked = ModesOnDowse | ModesOnTantivy


def open_engines(place: Path) -> dict[str, Asked]:
    """Builds what is not there yet, and opens both."""
    engines: dict[str, Asked] = {}
    for kind in (ModesOnDowse, ModesOnTantivy):
        home = place / kind.name
        if not home.exists():
            print(f"indexing: {kind.name} …", file=sys.stderr, flush=True)
            home.mkdir(parents=True)
            engine = kind(home)
            engine.build(iter_passages(None, None))
            engine.settle()
        engines[kind.name] = kind(home)
        engines[kind.name].open()
    return engines


def run_set(engine: Asked, queries: Sequence[ModeQuery]) -> tuple[list[float], float]:
    """Answers a query set once; returns milliseconds of each query and the mean number of hits."""
    clock, ask = time.perf_counter, engine.ask
    times, hits = [], 0
    for query in queries:
        started = clock()
        found = ask(query, LIMIT)
        times.append((clock() - started) * 1e3)
        hits += len(found)
    return times, hits / len(queries)


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def measure(
    engines: dict[str, Asked], sets: dict[str, list[ModeQuery]], rounds: int
) -> dict[str, dict[str, dict[str, Any]]]:
    """Returns by query set and engine the percentiles of every round."""
    results: dict[str, dict[str, dict[str, Any]]] = {label: {} for label in sets}
    for turn in range(rounds + 1):  # the first one warms up
        print(f"round {turn} of {rounds}", file=sys.stderr, flush=True)
        for label, queries in sets.items():
            for name, engine in engines.items():
                if isinstance(engine, ModesOnTantivy) and label not in engine.can_ask:
                    continue
                times, hits = run_set(engine, queries)
                entry = results[label].setdefault(name, {"p50": [], "p95": [], "max": [], "hits": hits})
                if turn:
                    entry["p50"].append(percentile(times, 0.5))
                    entry["p95"].append(percentile(times, 0.95))
                    entry["max"].append(max(times))
    return results


def render(about: dict[str, Any], results: dict[str, dict[str, dict[str, Any]]]) -> str:
    """Returns the report of a run."""
    parts = [
        f"# Modes benchmark, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/modes.py"),
        "## Every mode, milliseconds, top 10\n\nMedian over rounds; in brackets the smallest and largest p50"
        f" of a round. “As fast” is {STANDARD}'s p50 divided by Dowse's in the same round, the"
        " median over rounds.",
        _times(results),
        "## What issue 3 asks for",
        _verdicts(results),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _times(results: dict[str, dict[str, dict[str, Any]]]) -> str:
    rows = []
    for label, engines in results.items():
        ours, theirs = engines["dowse"], engines.get(STANDARD)
        spread = f"{middle(ours['p50']):.3f} ({min(ours['p50']):.3f}–{max(ours['p50']):.3f})"
        row = [label, spread, number(middle(ours["p95"]), 3), number(middle(ours["max"]), 3)]
        if theirs is None:
            rows.append([*row, *["—"] * 4, number(ours["hits"], 1), "—"])
            continue
        ratios = [_as_fast(engines, name) for name in ("p50", "p95")]
        row += [number(middle(theirs[name]), 3) for name in ("p50", "p95")]
        row += [number(ratio, 2, " ×") for ratio in ratios]
        rows.append([*row, number(ours["hits"], 1), number(theirs["hits"], 1)])
    header = ("query set", "p50", "p95", "slowest", f"{STANDARD} p50", "p95", "as fast, p50", "p95")
    return table((*header, "hits", f"{STANDARD}'s"), rows)


def _verdicts(results: dict[str, dict[str, dict[str, Any]]]) -> str:
    slow = {label: middle(engines["dowse"]["p95"]) for label, engines in results.items()}
    completing = {label: value for label, value in slow.items() if label.startswith("autocomplete")}
    too_slow = {label: value for label, value in completing.items() if value > SLOWEST_COMPLETION_P95_MS}
    slow = {label: value for label, value in slow.items() if value > SLOWEST_P95_MS}
    ratios = {
        label: _as_fast(engines, "p50")
        for label, engines in results.items()
        if STANDARD in engines
    }
    behind = {label: value for label, value in ratios.items() if value < 1}
    thrice = [label for label, value in ratios.items() if value >= 3]
    rows = [
        ("no mode over 20 ms p95", _met(not slow), _listed(slow.items(), " ms")),
        ("autocomplete at most 2 ms p95", _met(not too_slow), _listed(completing.items(), " ms")),
        ("p50 at least as fast as tantivy", _met(not behind), _listed(behind.items(), " ×")),
        (
            "three times as fast on most",
            _met(2 * len(thrice) > len(ratios)),
            f"{len(thrice)} of {len(ratios)}: {', '.join(thrice)}",
        ),
    ]
    return table(("", "", "which"), rows)


def _as_fast(engines: dict[str, dict[str, Any]], name: str) -> float:
    """Returns how many times as long the other one takes, round by round."""
    pairs = zip(engines[STANDARD][name], engines["dowse"][name], strict=True)
    return middle([theirs / ours for theirs, ours in pairs])


def _met(is_met: bool) -> str:
    return "met" if is_met else "MISSED"


def _listed(items: Iterable[tuple[str, float]], unit: str) -> str:
    return ", ".join(f"{label} {value:.2f}{unit}" for label, value in items) or "—"


def main() -> None:
    """Runs everything and keeps the report."""
    parser = argparse.ArgumentParser(description="Every mode, beside tantivy.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="all when none is named")
    parser.add_argument("--home", help="folder in which indexes are kept for another run")
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    arguments = parser.parse_args()
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions(["dowse", "tantivy", "numpy"]),
        "rounds": arguments.rounds,
        "arguments": " ".join(sys.argv[1:]),
    }
    started = time.perf_counter()
    sets = mode_queries()
    if arguments.sets:
        sets = {label: queries for label, queries in sets.items() if label in arguments.sets}
    with tempfile.TemporaryDirectory(prefix="dowse-modes-") as passing:
        engines = open_engines(Path(arguments.home or passing))
        results = measure(engines, sets, arguments.rounds)
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    text = render(about, results)
    print(text)
    if not arguments.no_report:
        keep_run("-modes", text, {"about": about, "sets": results})


if __name__ == "__main__":
    main()
