"""What does looking again cost when nothing changed, and how long does the command line take to start?

Corpus: 10,000 Markdown files of 20–200 words in 100 folders, made up from a fixed seed. The library's
`sync_folder` runs over them once, then again several times with nothing changed; then `dowse --help` and
`dowse search` run as new processes on an index of 100 of the files ("a small index") and on the large one.

What would make it misleading: a warm file cache (the files were just written; the first look after a boot
is bound by the disk, for everybody); a network file system, where one `stat` costs more than all of this;
a busy machine, which is why medians are shown with their spread. "Cold" means a new process, not a cold
cache.

    python benchmarks/unchanged.py [--files N] [--dowse PATH]
"""

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import dowse
from machine import describe_commit, describe_machine, describe_versions
from reports import table

SEED = 2026
FILES_PER_FOLDER = 100
REPEATS = 10
SMALL = 100
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def write_files(root: Path, count: int) -> None:
    """Writes small Markdown files."""
    source = random.Random(SEED)
    words = ["".join(source.choices(_SYLLABLES, k=source.randint(1, 4))) for _ in range(5_000)]
    for number in range(count):
        file = root / f"folder-{number // FILES_PER_FOLDER:04}" / f"note-{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        body = " ".join(source.choices(words, k=source.randint(20, 200)))
        file.write_text(f"# {' '.join(source.choices(words, k=3))}\n\n{body}\n", "utf-8")


def repeat(action: Callable[[], object]) -> list[float]:
    """Returns the milliseconds that each of several runs took, after one that is not counted."""
    times = []
    for _ in range(REPEATS + 1):
        started = time.perf_counter()
        action()
        times.append((time.perf_counter() - started) * 1e3)
    return times[1:]


def command(*words: str) -> Callable[[], object]:
    """Returns a run of the command line in a new process; 1 says that nothing was found, which is fine."""

    def run() -> None:
        ended = subprocess.run(words, capture_output=True, check=False)
        if ended.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(words)}: {ended.stderr.decode()}")

    return run


def row(label: str, times: Sequence[float], files: int = 0, bar: float | None = None) -> list[str]:
    """Returns a table row: median, smallest and largest, milliseconds a file, and the bar."""
    middle = statistics.median(times)
    judged = middle / files if files else middle
    verdict = "" if bar is None else f"{bar:g} {'met' if judged < bar else 'MISSED'}"
    per_file = f"{middle / files:.4f}" if files else "—"
    return [label, f"{middle:.1f}", f"{min(times):.1f}–{max(times):.1f}", per_file, verdict]


def main() -> None:
    """Runs everything and prints one table."""
    parser = argparse.ArgumentParser(description="Unchanged folders and start-up.")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--dowse", default=str(Path(sys.executable).with_name("dowse")))
    arguments = parser.parse_args()
    program, count, rows = arguments.dowse, arguments.files, []
    with tempfile.TemporaryDirectory(prefix="dowse-unchanged-") as place:
        notes, home, few, small = (Path(place) / name for name in ("notes", "home", "few", "small"))
        write_files(notes, count)
        write_files(few, SMALL)
        with dowse.open(home) as index:
            started = time.perf_counter()
            report = index.sync_folder(notes)
            rows.append(row("first index", [(time.perf_counter() - started) * 1e3], count))
            again_ms = repeat(lambda: index.sync_folder(notes))
            rows.append(row("second index, same process", again_ms, count, 0.1))
            if index.sync_folder(notes).unchanged != count:
                raise SystemExit(f"not every file was found unchanged: {report}")
        with dowse.open(small) as index:
            index.sync_folder(few)
        again = [program, "index", "--home", str(home), str(notes)]
        rows.append(row("`dowse index`, nothing changed", repeat(command(*again)), count, 0.1))
        rows.append(row("`dowse --help`", repeat(command(program, "--help")), bar=100))
        word = next(few.rglob("*.md")).read_text("utf-8").split()[1]
        for label, bar, words in (
            (f"{SMALL} files", 250, ("--home", str(small), word, str(few))),
            (f"{SMALL} files, --no-index", 250, ("--home", str(small), "--no-index", word, str(few))),
            (f"{count:,} files", None, ("--home", str(home), word, str(notes))),
            (f"{count:,} files, --no-index", None, ("--home", str(home), "--no-index", word, str(notes))),
        ):
            search = command(program, "search", *words)
            rows.append(row(f"`dowse search` over {label}", repeat(search), bar=bar))
        python = repeat(command(sys.executable, "-c", "pass"))
        rows.append(row("for scale: an empty Python program", python))
    print(f"{describe_commit()}\n{describe_machine()}\n{describe_versions(['dowse'])}\n")
    print(table(("", "median ms", "range", "ms a file", "must be below"), rows))


if __name__ == "__main__":
    main()
