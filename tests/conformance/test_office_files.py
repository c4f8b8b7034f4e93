"""Real files of every format give text; hostile ones end in words, within the limits."""

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from dowse.ingest import ChunkingSettings, SourceItem
from dowse.ingest.isolation import ExtractionPool
from dowse.ingest.jobs import FileJob, FileReading
from dowse.ingest.limits import DEFAULT_LIMITS
from dowse.ingest.office.conversion import find_libreoffice
from support.processes import HAS_PROC, descendants, resident_bytes

DATA = Path(os.environ.get("DOWSE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
OFFICE = DATA / "office"
MAX_TOTAL_BYTES = 1_500_000_000
SAMPLE_EVERY_S = 0.1
CONVERTED = (".doc", ".ppt")
# Files without text, each with the problems that say so; what merely is empty has none.
WITHOUT_TEXT: dict[str, list[str]] = {
    "mail__test.pdf": ["no-text-layer"],
    "pdf.js__issue11124.pdf": ["no-text-layer"],
    "nbformat__test3_no_worksheets.ipynb": [],  # a notebook without cells
    "pandoc__variable.odt": [],  # one field, which shows nothing
    "tika__testBinControlWord.rtf": [],  # one picture
    "tika__pictures.ppt": ["damaged-file"],  # LibreOffice cannot open it either
}

pytestmark = pytest.mark.skipif(
    not OFFICE.is_dir(), reason=f"no {OFFICE}; set DOWSE_DATA to the folder that holds office/"
)


class Readings(NamedTuple):
    """What came of many files, by path, and the most memory that was held at a time."""

    by_path: dict[str, list[FileReading]]
    peak_bytes: int
    seconds: float


def files_of(folder: str, *, converted: bool = False) -> list[Path]:
    """Returns the files below a folder of the data; those for LibreOffice apart from the others."""
    found = sorted(path for path in (OFFICE / folder).rglob("*") if path.is_file())
    return [path for path in found if (path.suffix.lower() in CONVERTED) == converted]


def read(paths: Sequence[Path]) -> Readings:
    """Reads files with workers and the limits that everybody has."""
    jobs = [FileJob(SourceItem(path.name, str(path), path.stat().st_size, 0), "", 64 << 20) for path in paths]
    by_path: dict[str, list[FileReading]] = {}
    memory = _MemoryWatch()
    started = time.monotonic()
    pool = ExtractionPool(DEFAULT_LIMITS, ChunkingSettings(), time.monotonic)
    try:
        for job, reading in pool.iter_readings(jobs):
            by_path.setdefault(job.item.key, []).append(reading)
    finally:
        peak = memory.end()
        pool.close()
    return Readings(by_path, peak, time.monotonic() - started)


class _MemoryWatch:
    """Looks again and again at what this process and its workers hold together."""

    def __init__(self) -> None:
        self._peak, self._is_over = 0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self) -> int:
        self._is_over.set()
        self._thread.join()
        return self._peak

    def _watch(self) -> None:
        own = os.getpid()
        while HAS_PROC and not self._is_over.wait(SAMPLE_EVERY_S):
            held = sum(map(resident_bytes, (own, *descendants(own))))
            self._peak = max(self._peak, held)


@pytest.fixture(scope="module")
def normal() -> Readings:
    """The normal files, without those that LibreOffice must convert."""
    return read(files_of("normal"))


def texts_missing(readings: Readings) -> dict[str, list[str]]:
    """Returns the files without text, each with what was said of it."""
    missing = {}
    for name, answers in readings.by_path.items():
        document = answers[0].document
        if document is None or not document.text.strip():
            missing[name] = [problem.code for problem in answers[0].problems]
    return missing


def expected_missing(readings: Readings) -> dict[str, list[str]]:
    """Returns what is known of those of the files that hold no text."""
    return {name: codes for name, codes in WITHOUT_TEXT.items() if name in readings.by_path}


def test_every_normal_file_gives_text(normal: Readings) -> None:
    """Whatever people keep in their folders is read; what holds no text says so."""
    assert expected_missing(normal) == texts_missing(normal)


def test_every_normal_file_is_answered_once(normal: Readings) -> None:
    """No file is lost and none comes twice."""
    assert {1} == {len(answers) for answers in normal.by_path.values()}
    assert len(files_of("normal")) == len(normal.by_path)


def test_texts_of_normal_files_are_sound(normal: Readings) -> None:
    """Text is UTF-8 without replacement characters in bulk, and chunks lie in it."""
    for name, answers in normal.by_path.items():
        document = answers[0].document
        if document is None:
            continue
        text = document.text.decode("utf-8")
        assert text.count("\ufffd") <= len(text) / 50, name
        assert all(
            0 <= chunk.byte_start <= chunk.byte_end <= len(document.text) for chunk in document.chunks
        ), name


def iter_hostile() -> Iterator[Path]:
    """Yields the hostile files."""
    yield from files_of("hostile")
    yield from files_of("hostile", converted=True)


@pytest.mark.slow
def test_hostile_files_end_as_text_or_problem_within_the_limits() -> None:
    """Bombs, lies and loops cost their own file only, in time and memory that are bounded."""
    paths = list(iter_hostile())
    # A fresh process reads them: what earlier tests left in this one is not the indexer's memory.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
        readings = fresh.submit(read, paths).result()
    assert {path.name: 1 for path in paths} == {
        name: len(answers) for name, answers in readings.by_path.items()
    }
    unanswered = [
        name
        for name, answers in readings.by_path.items()
        if answers[0].document is None and not answers[0].problems
    ]
    assert [] == unanswered
    assert readings.peak_bytes < MAX_TOTAL_BYTES
    assert readings.seconds < (DEFAULT_LIMITS.seconds + 5) * len(paths) / 2
    crashed = [
        name
        for name, answers in readings.by_path.items()
        for problem in answers[0].problems
        if problem.code == "crashes-reader"
    ]
    assert [] == crashed


@pytest.mark.slow
def test_old_office_files_give_text_by_libreoffice() -> None:
    """`.doc` and `.ppt` files give text, or say that LibreOffice is missing."""
    readings = read(files_of("normal", converted=True))
    missing = texts_missing(readings)
    if find_libreoffice() is None:
        assert {"needs-libreoffice"} >= {code for codes in missing.values() for code in codes}
    else:
        assert expected_missing(readings) == missing
