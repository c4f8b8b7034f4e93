"""How fast are files read, format by format, beside markitdown and kreuzberg, and are all words found?

Corpus: the real files of ../shared/data/office/normal (or DOWSE_DATA, or a folder given), grouped by ending.
Every reader has two worker processes, started and warmed up before the clock runs; the text of each file
comes back to this process. In each round the formats come one after another and the readers take turns, so
that other work on the machine hits all alike. A format's files are read again and again until a round takes
a second or so; a reader that takes longer than `SLOW_S` for a format is not asked again. Reported: files and
megabytes a second from the median round, and processor time a file, which a busy machine disturbs less.

Quality (`--quality`): the share of the words in another reader's text that are in ours, as often as there.

What would make it misleading:
- Absolute numbers of a busy machine. Only ratios within one run count.
- Few files a format, and one large file in some: a format's speed is that file's. MB/s says more then.
- A reader that fails fast is fast. The number of files from which it got text is printed with its speed.
- markitdown passes on what it does not know as it is (RTF, mail): "unread" in the table, and not judged.
- Dowse does more than the others: it tells sections, cuts chunks, hashes, and confines its workers.
- kreuzberg keeps its defaults but for its cache and character recognition, which the others have not.
- A reference has words of its own (labels, file names, marks of Markdown), so that no share is exactly 1;
  "agreed" counts only words that both others have, and is the fairer number.

    python benchmarks/ingest.py [FOLDER] [--rounds N] [--formats .pdf …] [--quality] [--no-report]
"""

import argparse
import contextlib
import math
import os
import re
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from beir import data_folder
from engines.extraction import EXTRACTION_ENGINES, ExtractionEngine, Read
from machine import describe_commit, describe_machine, describe_versions
from reports import keep_run, middle, number, surroundings, table

ROUND_S = 1.5
SLOW_S = 20.0
# One large file keeps one of two workers busy alone; read a few times over, both always have something to do.
MIN_REPEATS, MAX_REPEATS = 4, 200
OURS, OTHERS = "dowse", ("markitdown", "kreuzberg")
# Formats whose text is the file itself; reading any other as it is is not reading it.
PLAIN = (".txt", ".md", ".csv", ".tsv", ".json", ".html")
_WORD = re.compile(r"\w+")
# What others put around the words: comments, targets of links, embedded pictures, names for empty columns.
_DECORATION = re.compile(r"<!--.*?-->|\]\([^()\s]*\)|data:[\w/;,+-]+|\bUnnamed: \d+\b|\bNaN\b", re.DOTALL)
Measured = dict[str, dict[str, dict[str, Any]]]


def find_files(folder: Path, endings: Sequence[str] | None) -> dict[str, list[Path]]:
    """Returns the files below a folder by ending."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        ending = path.suffix.lower()
        if path.is_file() and (not endings or ending in endings):
            found.setdefault(ending, []).append(path)
    return found


def processor_s() -> float:
    """Returns the processor time of this process and of all it started, so far."""
    ticks, parents = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)], ticks[int(entry.name)] = (
                    int(fields[1]),
                    sum(map(int, fields[11:15])),
                )
    family, todo = {os.getpid()}, {os.getpid()}
    while todo:
        todo = {child for child, parent in parents.items() if parent in todo} - family
        family |= todo
    return sum(ticks[process] for process in family) / os.sysconf("SC_CLK_TCK")


def measure(
    engines: dict[str, ExtractionEngine], files: dict[str, list[Path]], rounds: int
) -> tuple[Measured, dict[str, dict[str, dict[Path, Read]]]]:
    """Returns, by ending and reader, the times of every round; and the texts."""
    results: Measured = {ending: {} for ending in files}
    texts: dict[str, dict[str, dict[Path, Read]]] = {ending: {} for ending in files}
    for ending, paths in files.items():
        for name, engine in engines.items():
            _say(f"{ending}: {name} …")
            reads, seconds, cpu_s = _read(engine, paths)
            texts[ending][name] = {read.path: read for read in reads}
            least = MIN_REPEATS if seconds * MIN_REPEATS < SLOW_S else 1
            repeats = max(least, min(MAX_REPEATS, math.ceil(ROUND_S / seconds)))
            entry = {"repeats": repeats, "s": [], "cpu_s": [], **_judge(ending, reads)}
            if seconds > SLOW_S:  # once is enough, and there is nothing to warm up that would matter
                entry |= {"repeats": 1, "s": [seconds], "cpu_s": [cpu_s]}
            results[ending][name] = entry
    for turn in range(rounds):
        _say(f"round {turn + 1} of {rounds}")
        for ending, paths in files.items():
            for name, engine in engines.items():
                entry = results[ending][name]
                if max(entry["s"], default=0) <= SLOW_S:
                    _, seconds, cpu_s = _read(engine, paths * entry["repeats"])
                    entry["s"].append(seconds)
                    entry["cpu_s"].append(cpu_s)
    return results, texts


def _read(engine: ExtractionEngine, paths: Sequence[Path]) -> tuple[list[Read], float, float]:
    cpu_started, started = processor_s(), time.perf_counter()
    reads = list(engine.iter_texts(paths))
    return reads, time.perf_counter() - started, processor_s() - cpu_started


def _judge(ending: str, reads: Sequence[Read]) -> dict[str, Any]:
    """Returns from how many files a reader got text, and what it said of the others."""
    unread = {read.path.name: "as it is" for read in reads if ending not in PLAIN and _is_as_it_is(read)}
    unread |= {read.path.name: read.problem or "no text" for read in reads if not read.text.strip()}
    return {"read": len(reads) - len(unread), "unread": unread}


def _is_as_it_is(read: Read) -> bool:
    """Says whether the text is the file, unread: what it begins and ends with is in both."""
    raw = " ".join(read.path.read_bytes().decode("utf-8", "replace").split())
    text = " ".join(read.text.split())
    return len(text) > 0.8 * len(raw) and text[:40] == raw[:40] and text[-20:] == raw[-20:]


def words_of(text: str) -> Counter[str]:
    """Returns how often each word is in a text, in any case and form."""
    plain = unicodedata.normalize("NFKC", _DECORATION.sub(" ", text)).replace("\xad", "").casefold()
    return Counter(_WORD.findall(plain.replace("_", " ")))


def recall(ours: Counter[str], reference: Counter[str]) -> float | None:
    """Returns the share of a reference's words that are in ours; None when it has none."""
    return (ours & reference).total() / reference.total() if reference else None


def compare_words(
    results: Measured, texts: dict[str, dict[str, dict[Path, Read]]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Returns, by ending and reference, the share of words found in each file."""
    shares: dict[str, dict[str, dict[str, Any]]] = {}
    for ending, by_name in texts.items():
        for path, read in by_name[OURS].items():
            found = words_of(read.text)
            references = {
                name: words_of(by_name[name][path].text)
                for name in OTHERS
                if name in by_name and path.name not in results[ending][name]["unread"]
            }
            if len(references) == len(OTHERS):
                references["agreed"] = references[OTHERS[0]] & references[OTHERS[1]]
            for name, reference in references.items():
                if (share := recall(found, reference)) is not None:
                    shares.setdefault(ending, {}).setdefault(name, {})[path.name] = share
    return shares


def render(about: dict[str, Any], files: dict[str, list[Path]], results: Measured, shares: Any) -> str:
    """Returns the report of a run."""
    parts = [
        f"# Reading files, {about['date']}, commit {about['commit']}"
        + (" with uncommitted changes" if about["has_changes"] else ""),
        surroundings(about, "benchmarks/ingest.py"),
        "## Two workers each\n\nFrom the median round. “Read” is from how many files there was text. “As"
        " fast” is another reader's time divided by ours, by the clock and by processor time.",
        _speeds(files, results),
        "## What issue 4 asks for",
        _verdicts(results),
    ]
    if shares:
        parts += ["## Share of another reader's words that are in our text", _qualities(shares)]
    parts += ["## What is not read", _unread(results)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def per_pass(entry: dict[str, Any], clock: str = "s") -> float:
    """Returns the seconds in which a format's files are read once."""
    return middle(entry[clock]) / entry["repeats"]


def ratios(entries: dict[str, dict[str, Any]], name: str) -> tuple[float | None, float | None]:
    """Returns how much faster ours is than another, by both clocks; None when that one reads nothing."""
    if name not in entries or not entries[name]["read"]:
        return None, None
    by_clock, by_cpu = (
        per_pass(entries[name], clock) / per_pass(entries[OURS], clock) for clock in ("s", "cpu_s")
    )
    return by_clock, by_cpu


def _speeds(files: dict[str, list[Path]], results: Measured) -> str:
    rows = []
    for ending, entries in results.items():
        paths, ours = files[ending], entries[OURS]
        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        row = [ending, f"{ours['read']} of {len(paths)}", number(len(paths) / per_pass(ours), 1)]
        row += [number(megabytes / per_pass(ours), 2), number(per_pass(ours, "cpu_s") / len(paths) * 1e3, 1)]
        for name in OTHERS:
            entry = entries.get(name)
            if entry is None or not entry["read"]:
                row += ["0" if entry else "—", "—", "—", "—"]
                continue
            by_clock, by_cpu = ratios(entries, name)
            row += [str(entry["read"]), number(len(paths) / per_pass(entry), 1)]
            row += [number(by_clock, 2, " ×"), number(by_cpu, 2, " ×")]
        rows.append(row)
    header = ["format", "read", "files/s", "MB/s", "CPU ms a file"]
    for name in OTHERS:
        header += [f"{name} read", "files/s", "as fast", "by CPU"]
    return table(header, rows)


def _verdicts(results: Measured) -> str:
    rows = []
    for name, endings in ((OTHERS[0], list(results)), (OTHERS[1], [".pdf"])):
        found = {ending: ratios(results[ending], name)[0] for ending in endings if ending in results}
        judged = {ending: ratio for ending, ratio in found.items() if ratio is not None}
        behind = ", ".join(f"{ending} {ratio:.2f} ×" for ending, ratio in judged.items() if ratio < 1)
        where = "on every format it reads" if name == OTHERS[0] else "on PDF"
        least = f"least: {min(judged.values()):.2f} ×" if judged else "nothing to compare"
        verdict = "MISSED" if behind else "met" if judged else "not run"
        rows.append((f"at least as fast as {name} {where}", verdict, behind or least))
    return table(("", "", "which"), rows)


def _qualities(shares: dict[str, dict[str, dict[str, float]]]) -> str:
    rows = []
    for ending, by_name in shares.items():
        row = [ending]
        for name in (*OTHERS, "agreed"):
            values = by_name.get(name, {})
            if not values:
                row += ["—", "—"]
                continue
            worst = min(values, key=values.__getitem__)
            row += [f"{middle(list(values.values())):.1%} ({len(values)})", f"{values[worst]:.1%} {worst}"]
        rows.append(row)
    header = ["format"]
    for name in (*OTHERS, "agreed"):
        header += [f"{name}, median (files)", "worst"]
    return table(header, rows)


def _unread(results: Measured) -> str:
    lines = [
        f"- {name}: `{file}` {why}"
        for entries in results.values()
        for name, entry in entries.items()
        for file, why in entry["unread"].items()
    ]
    return "\n".join(lines) or "Everything is read."


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Runs everything and keeps the report."""
    parser = argparse.ArgumentParser(description="Reading files, beside markitdown and kreuzberg.")
    parser.add_argument("folder", nargs="?", help="with files of any formats")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--formats", nargs="+", metavar="ENDING", help="all when none is named")
    parser.add_argument("--engines", nargs="+", metavar="NAME", default=[OURS, *OTHERS])
    parser.add_argument("--quality", action="store_true", help="compare words too")
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    arguments = parser.parse_args()
    kinds = [kind for kind in EXTRACTION_ENGINES if kind.name in {OURS, *arguments.engines}]
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions([*(kind.package for kind in kinds), "pypdfium2", "lxml"]),
        "rounds": arguments.rounds,
        "arguments": " ".join(sys.argv[1:]),
    }
    started = time.perf_counter()
    folder = Path(arguments.folder) if arguments.folder else data_folder() / "office" / "normal"
    files = find_files(folder, arguments.formats)
    with contextlib.ExitStack() as stack:
        engines = {kind.name: stack.enter_context(kind()) for kind in kinds}
        results, texts = measure(engines, files, arguments.rounds)
    shares = compare_words(results, texts) if arguments.quality else {}
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    text = render(about, files, results, shares)
    print(text)
    if not arguments.no_report:
        keep_run("-ingest", text, {"about": about, "formats": results, "shares": shares})


if __name__ == "__main__":
    main()
