"""Keeps runs, and renders one of `lexical.py` as Markdown: one table to read first, then the details."""

import json
import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from machine import ROOT

RUNS = ROOT / "benchmarks" / "runs"
STANDARD = "tantivy"
MAIN_SET = "words of the corpus, top 10"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table; the first column is text, the others are numbers."""
    lines = [header, ["---"] + ["--:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def middle(values: Sequence[float]) -> float:
    """Returns the median over rounds."""
    return statistics.median(values)


def number(value: float | None, digits: int = 0, suffix: str = "") -> str:
    """Returns a number, or a dash when there is none."""
    return "—" if value is None else f"{value:,.{digits}f}{suffix}"


def keep_run(ending: str, report: str, result: dict[str, Any]) -> None:
    """Keeps a run among the others: its report, for people, and all of its numbers.

    Args:
        ending: Of the files' names, which begin with date and commit.
        result: With what is said of every run under ``about``.
    """
    about = result["about"]
    stem = RUNS / f"{about['date']}-{about['commit']}{ending}"
    RUNS.mkdir(exist_ok=True)
    stem.with_suffix(".md").write_text(report, "utf-8")
    stem.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")


def render(result: dict[str, Any]) -> str:
    """Returns the report of a run."""
    engines, about = result["engines"], result["about"]
    by_name = {engine["name"]: engine for engine in engines}
    parts = [
        f"# Lexical benchmark, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/lexical.py"),
        "## All in one table\n\nQueries: words of the corpus, top 10, milliseconds. The rows that answer from"
        " the index of another row show dashes for indexing.",
        _summary(engines),
        "## What issue 2 asks for",
        _verdicts(by_name),
        "## Indexing\n\nThe median round; in brackets the fastest and the slowest.",
        _indexing(engines, by_name.get(STANDARD)),
        "## Memory of a serving process, MB\n\nAfter all rounds. Mapped files are shared cache that the"
        " system takes back when it needs it; private memory is not.",
        _serving(engines),
        "## Queries, milliseconds\n\nMedian over rounds; in brackets the smallest and largest p50 of a round."
        f" “Shared” is the share of {STANDARD}'s hits that are among an engine's."
        " Slow engines run in fewer rounds.",
    ]
    labels = {label: None for engine in engines for label in engine["queries"]}
    for label in labels:
        count = about["sets"][label.rpartition(",")[0]]
        parts += [f"### {label} ({count} queries)", _queries(engines, label, by_name.get(STANDARD))]
    parts += ["## Notes", "\n".join(f"- {engine['name']}: {engine['note']}." for engine in engines)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def surroundings(about: dict[str, Any], program: str) -> str:
    """Returns where and with what a run was made, as a list."""
    machine, versions = about["machine"], about["versions"]
    rounds = f" · {about['rounds']} rounds after one to warm up" if "rounds" in about else ""
    return "\n".join(
        (
            f"- Machine: {machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB,"
            f" {machine['system']}",
            "- Versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()),
            f"- Load average before and after: {machine['load']:.1f}, {about['load_after']:.1f}"
            f"{rounds} · {about['took_s']:.0f} s"
            f" · arguments: `{about['arguments'] or 'none'}`",
            f"- Of times only ratios within this run count; the header of `{program}` says what misleads.",
        )
    )


def _summary(engines: Sequence[dict[str, Any]]) -> str:
    header = ("engine", "passages", "index s", "size MB", "text kept", "peak MB", "serving MB")
    rows = []
    for engine in engines:
        build, entry = engine["build"], engine["queries"][MAIN_SET]
        row = [engine["name"], *["—"] * 5]
        if build:
            row[1:] = [
                number(build["passages"]),
                number(build["commit_s"], 1),
                number(engine["disk_mb"]),
                "yes" if engine["keeps_text"] else "no",
                number(build["memory"]["peak"]),
            ]
        row.append(number(engine["serving"]["resident"]))
        rows.append(row + [number(middle(entry[name]), 3) for name in ("p50", "p95", "p99")])
    return table((*header, "p50", "p95", "p99"), rows)


def _verdicts(by_name: dict[str, dict[str, Any]]) -> str:
    if "dowse" not in by_name or STANDARD not in by_name:
        return "Not both of dowse and tantivy were run."
    ours, theirs = by_name["dowse"], by_name[STANDARD]
    rows = []

    def judge(label: str, value: float, bar: float, unit: str) -> None:
        rows.append((label, f"{value:.2f}{unit}", f"{bar:.4g}{unit}", "met" if value <= bar else "MISSED"))

    for name in ("dowse", "dowse, stop words kept"):
        for share in ("p50", "p95"):
            if name in by_name:
                entries = by_name[name]["queries"][MAIN_SET], theirs["queries"][MAIN_SET]
                ratio = middle(entries[0][share]) / middle(entries[1][share])
                judge(f"{name}: {share} of words of the corpus, top 10, against tantivy", ratio, 1 / 3, " ×")
    ratio = ours["build"]["commit_s"] / theirs["build"]["commit_s"]
    judge("indexing to durable commit against tantivy", ratio, 1.5, " ×")
    judge("peak memory while indexing", ours["build"]["memory"]["peak"], 700, " MB")
    judge("memory of a serving process, mapped files included", ours["serving"]["resident"], 250, " MB")
    return table(("", "measured", "at most", ""), rows)


def _indexing(engines: Sequence[dict[str, Any]], standard: dict[str, Any] | None) -> str:
    rows = []
    for engine in engines:
        build = engine["build"]
        if not build:
            continue
        memory = build["memory"]
        is_alike = standard and standard["build"]["passages"] == build["passages"]
        ratio = build["commit_s"] / standard["build"]["commit_s"] if standard and is_alike else None
        rows.append(
            (
                engine["name"],
                number(build["passages"]),
                f"{build['commit_s']:.1f} ({min(build['rounds_s']):.1f}–{max(build['rounds_s']):.1f})",
                number(build["cpu_s"], 1),
                number(build["settle_s"], 1),
                number(ratio, 2, " ×"),
                number(build["passages"] / build["commit_s"]),
                number(memory["peak"]),
                number(memory["peak_private"]),
                number(engine["disk_mb"]),
            )
        )
    header = ("engine", "passages", "s to commit", "CPU s", "s more to settle")
    return table((*header, f"to {STANDARD}", "passages a s", "peak MB", "peak private MB", "size MB"), rows)


def _serving(engines: Sequence[dict[str, Any]]) -> str:
    rows = [
        [engine["name"], number(engine["open_s"] * 1e3, 1)]
        + [number(engine["serving"][name]) for name in ("resident", "private", "mapped")]
        for engine in engines
    ]
    return table(("engine", "ms to open", "resident", "private", "mapped files"), rows)


def _queries(engines: Sequence[dict[str, Any]], label: str, standard: dict[str, Any] | None) -> str:
    rows = []
    for engine in engines:
        entry = engine["queries"].get(label)
        if entry is None:
            rows.append([engine["name"], "cannot", *["—"] * 9])
            continue
        p50, p95, p99 = (middle(entry[name]) for name in ("p50", "p95", "p99"))
        theirs = standard["queries"][label] if standard else None
        ratios = [
            number(value / middle(theirs[name]) if theirs else None, 2, " ×")
            for name, value in (("p50", p50), ("p95", p95))
        ]
        spread = f"{p50:.3f} ({min(entry['p50']):.3f}–{max(entry['p50']):.3f})"
        share = entry["shared"]
        shared = "—" if share is None else f"{share:.0%}"
        times = [spread, number(p95, 3), number(p99, 3)]
        cpu = [number(middle(entry[name]), 3) for name in ("cpu_p50", "cpu_p95")]
        counts = [number(entry["hits"], 1), shared, str(len(entry["p50"]))]
        rows.append([engine["name"], *times, *ratios, *cpu, *counts])
    header = ("engine", "p50", "p95", "p99", f"p50 to {STANDARD}", f"p95 to {STANDARD}")
    return table((*header, "CPU p50", "CPU p95", "hits", "shared", "rounds"), rows)
