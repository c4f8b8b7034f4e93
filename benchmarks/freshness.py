"""How soon is what changes on disk found, and how little is done when nothing changes?

Corpus: 10,000 files made with a fixed seed in a temporary folder: 9,000 Markdown notes of 20 to 200 words in
folders of 100, and 1,000 small Word files in one folder, which only a worker can read. A real process of
`dowse watch run` watches while files are saved; this one searches until it finds, every few milliseconds.

What would make it misleading:
- Everything is in the page cache: the files were written a moment ago.
- The files are small. Large ones add their own reading time.
- A busy machine: the wait for a changed file is a debounce of 0.4 s plus work, and the work gets slower.
- Searching all the time takes processor time from the watcher.

    python benchmarks/freshness.py [--files N] [--saves N] [--dowse PATH] [--no-report]
"""

import argparse
import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import dowse
from machine import describe_commit, describe_machine, describe_versions
from reports import keep_run, surroundings, table
from unchanged import write_files

MOVED = "reports"
POLL_S = 0.01
PATIENCE_S = 120.0
UNCHANGED_REPEATS = 10
_WORD_NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="'
    '/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.'
    'document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship'
    ' Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    ' Target="word/document.xml"/></Relationships>'
)


class Row(NamedTuple):
    """A line of the report.

    Attributes:
        values: What was measured, once or several times; the largest is held against the bar.
        unit: With a space before it.
        bar: What it may be at most; None for a number that nothing is asked of.
    """

    label: str
    values: Sequence[float]
    unit: str
    bar: float | None = None
    digits: int = 2

    @property
    def is_met(self) -> bool:
        """Whether the worst value keeps below the bar."""
        return self.bar is None or max(self.values) <= self.bar


def write_word_files(folder: Path, count: int, mark: str) -> None:
    """Writes small Word files, each with a word of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        paragraphs = (f"Report {number}", f"It says {mark}{number} and {mark}everywhere.", "The end.")
        body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
        with zipfile.ZipFile(folder / f"report-{number:04}.docx", "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("[Content_Types].xml", _TYPES)
            package.writestr("_rels/.rels", _RELATIONS)
            package.writestr(
                "word/document.xml", f"<w:document {_WORD_NAMES}><w:body>{body}</w:body></w:document>"
            )


def wait_until(is_so: Callable[[], bool]) -> float:
    """Returns the seconds until something is so.

    Raises:
        SystemExit: It never was.
    """
    started = time.perf_counter()
    while not is_so():
        if time.perf_counter() - started > PATIENCE_S:
            raise SystemExit(f"not found after {PATIENCE_S:.0f} s")
        time.sleep(POLL_S)
    return time.perf_counter() - started


def count_hits(index: dowse.Index, query: str, limit: int = 10_000) -> int:
    """Returns how many documents have exactly this word."""
    request = dowse.SearchRequest(query, limit=limit, fuzzy="never", snippets=False)
    return len(index.search(request).hits)


@contextlib.contextmanager
def watching(program: str, home: Path, folder: Path) -> Iterator[None]:
    """A `dowse watch run` process, from when it hears changes until it is asked to end."""
    command = [program, "watch", "run", "--json", "--home", str(home), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None, "it is a pipe"
            said = ""
            while "watching" not in said:
                said = process.stderr.readline()
                if not said:
                    raise SystemExit("the watch ended before it began")
            time.sleep(3)  # it looks at everything once before it hears anything
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def save_like_an_editor(path: Path, text: str) -> None:
    """Writes another file and puts it in the place of this one, as most editors do."""
    beside = path.with_name(f".{path.name}.saving")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def measure_saves(index: dowse.Index, notes: Sequence[Path], saves: int) -> list[Row]:
    """Saves one file after another, in both ways; returns the seconds until each is found."""
    plain, replaced = [], []
    for number in range(saves):
        for waits, save in ((plain, _write), (replaced, save_like_an_editor)):
            word = f"fresh{'ab'[save is _write]}{number}"
            path = notes[(number * 37) % len(notes)]
            time.sleep(0.7)  # so that no save falls into the debounce of the one before
            save(path, f"# Saved\n\nIt says {word} now.\n")
            waits.append(wait_until(lambda word=word: count_hits(index, word, 1) == 1))
    return [
        Row("one file saved, until it is found", plain, " s", 1.0),
        Row("one file replaced as editors do, until it is found", replaced, " s", 1.0),
    ]


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


def measure_mass_change(index: dowse.Index, notes: Sequence[Path]) -> Row:
    """Replaces many files at once; returns the seconds until every one of them is right."""
    started = time.perf_counter()
    for number, path in enumerate(notes):
        path.write_text(f"# Branch\n\nIt says branchword and branch{number}x now.\n", "utf-8")
    wait_until(lambda: count_hits(index, "branchword") == len(notes))
    seconds = time.perf_counter() - started
    wrong = [number for number in range(len(notes)) if count_hits(index, f"branch{number}x", 5) != 1]
    if wrong:
        raise SystemExit(f"{len(wrong)} of the replaced files are not found by their own word")
    return Row(f"{len(notes):,} files replaced at once, until all are right", [seconds], " s", 30.0)


class Counted(NamedTuple):
    """How many files were read while something ran."""

    files: list[str]


@contextlib.contextmanager
def counting_reads() -> Iterator[Counted]:
    """Counts the files that are read in this process and by its workers, not those known already."""
    from dowse.ingest import intake
    from dowse.ingest.isolation import ExtractionPool

    counted = Counted([])
    by_workers, here = ExtractionPool.iter_readings, intake.read_text_job

    def iter_readings(pool: Any, jobs: Any) -> Any:
        for job, reading in by_workers(pool, jobs):
            counted.files.append(job.item.path)
            yield job, reading

    def read_text_job(job: Any, *rest: Any) -> Any:
        counted.files.append(job.item.path)
        return here(job, *rest)

    ExtractionPool.iter_readings, intake.read_text_job = iter_readings, read_text_job  # type: ignore
    try:
        yield counted
    finally:
        ExtractionPool.iter_readings, intake.read_text_job = by_workers, here  # type: ignore


def measure_move(index: dowse.Index, folder: Path, elsewhere: Path, count: int) -> list[Row]:
    """Moves a folder away and back, and to another name; returns how many files were read again."""
    rows = []
    with counting_reads() as counted:
        os.rename(folder / MOVED, elsewhere)  # noqa: PTH104 - a move, and nothing but
        away = index.sync_folder(folder)
        gone = count_hits(index, "reportseverywhere")
        os.rename(elsewhere, folder / MOVED)  # noqa: PTH104
        back = index.sync_folder(folder)
        if (gone, count_hits(index, "reportseverywhere"), away.removed) != (0, count, count):
            raise SystemExit(f"a folder that was moved away and back is not as it was: {away} {back}")
        rows.append(Row("a folder moved away: indexing", [away.seconds], " s"))
        rows.append(Row("and back: indexing", [back.seconds], " s"))
        rows.append(Row("files read again after that", [len(counted.files)], "", 0, 0))
        counted.files.clear()
        os.rename(folder / MOVED, folder / "renamed")  # noqa: PTH104
        renamed = index.sync_folder(folder)
        if renamed.moved != count:
            raise SystemExit(f"not every file of a renamed folder was seen to have moved: {renamed}")
        rows.append(Row("the folder under another name: indexing", [renamed.seconds], " s"))
        rows.append(Row("files read again after that", [len(counted.files)], "", 0, 0))
    return rows


def measure_unchanged(index: dowse.Index, folder: Path, count: int) -> list[Row]:
    """Indexes twice and more; returns both times."""
    started = time.perf_counter()
    first = index.sync_folder(folder)
    first_s = time.perf_counter() - started
    if first.added != count:
        raise SystemExit(f"not every file was added: {first}")
    times = []
    for _ in range(UNCHANGED_REPEATS):
        started = time.perf_counter()
        again = index.sync_folder(folder)
        times.append((time.perf_counter() - started) * 1e3 / count)
    if again.unchanged != count:
        raise SystemExit(f"not every file was found unchanged: {again}")
    return [
        Row(f"first index of {count:,} files", [first_s], " s"),
        Row("second index, nothing changed", times, " ms a file", 0.1, 4),
    ]


def render(about: dict[str, Any], rows: Sequence[Row]) -> str:
    """Returns the report of a run."""
    lines = []
    for row in rows:
        median, digits = statistics.median(row.values), row.digits
        spread = f"{min(row.values):.{digits}f}–{max(row.values):.{digits}f}" if len(row.values) > 1 else "—"
        bar = ("—", "") if row.bar is None else (f"{row.bar:g}{row.unit}", "met" if row.is_met else "MISSED")
        lines.append((row.label, f"{median:,.{digits}f}{row.unit}", spread, str(len(row.values)), *bar))
    return "\n\n".join(
        (
            f"# Freshness, {about['date']}, commit {about['commit']}"
            + (" with uncommitted changes" if about["has_changes"] else ""),
            surroundings(about, "benchmarks/freshness.py"),
            "Medians; the worst value is held against the bar.",
            table(("", "measured", "range", "times", "at most", ""), lines),
        )
    )


def run(place: Path, count: int, saves: int, program: str) -> list[Row]:
    """Runs everything; returns the lines of the report."""
    folder, home, elsewhere = (place / name for name in ("files", "home", "elsewhere"))
    moved = min(1_000, count // 10)
    write_files(folder, count - moved)
    write_word_files(folder / MOVED, moved, "reports")
    notes = sorted(folder.rglob("*.md"))
    with dowse.open(home) as index:
        rows = measure_unchanged(index, folder, count)
    with watching(program, home, folder), dowse.open(home) as index:
        rows += measure_saves(index, notes, saves)
        rows.append(measure_mass_change(index, notes[: min(1_000, count // 10)]))
    with dowse.open(home) as index:
        rows += measure_move(index, folder, elsewhere, moved)
    return rows


def main() -> None:
    """Runs everything and keeps the report."""
    parser = argparse.ArgumentParser(description="How soon changes are found.")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--saves", type=int, default=10, help="of each kind")
    parser.add_argument("--dowse", default=str(Path(sys.executable).with_name("dowse")))
    parser.add_argument("--no-report", action="store_true", help="print only, keep nothing")
    arguments = parser.parse_args()
    about = {
        "date": date.today().isoformat(),
        **describe_commit(),
        "machine": describe_machine(),
        "versions": describe_versions(["dowse", "watchfiles", "numpy"]),
        "rounds": 1,
        "arguments": " ".join(sys.argv[1:]),
    }
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="dowse-freshness-") as place:
        rows = run(Path(place), arguments.files, arguments.saves, arguments.dowse)
    about |= {"took_s": time.perf_counter() - started, "load_after": describe_machine()["load"]}
    text = render(about, rows)
    print(text)
    if not arguments.no_report:
        keep_run("-freshness", text, {"about": about, "rows": [row._asdict() for row in rows]})


if __name__ == "__main__":
    main()
