"""Damaged files of every format: each is answered, and nothing but the file is lost."""

import os
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from dowse.ingest import FORMATS, ChunkingSettings, SourceItem
from dowse.ingest.extraction import choose_extractor, extract
from dowse.ingest.isolation import ExtractionPool
from dowse.ingest.jobs import FileJob, FileReading
from dowse.ingest.limits import Allowance, ExtractionLimits, UnextractableError
from support.mutations import Sample, built_samples, collected_samples, iter_mutants
from support.processes import adopting_orphans, descendants, resident_bytes

FEW, MANY, FEW_OLD = 150, 5_000, 12
SEED = 2026
MAX_SAMPLE_BYTES = 200_000
MAX_GROWTH_BYTES = 200 << 20
LIMITS = ExtractionLimits(seconds=5)
CONVERSION_LIMITS = ExtractionLimits(seconds=30)
OFFICE = (
    Path(os.environ.get("DOWSE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "office"
)
EXTENSIONS = {row.name: tuple(row.extensions.split()) for row in FORMATS}
# Problems that cost a worker; every file of these is worth a look.
COSTLY = ("crashes-reader", "takes-too-long", "needs-too-much-memory")
# What only a slip of ours raises; parsers of other people have their own errors for what is wrong in a file.
SLIPS = (LookupError, AttributeError, TypeError, NameError, AssertionError, ArithmeticError)


class Run(NamedTuple):
    """What came of many files.

    Attributes:
        answers: How often each name was answered.
        problems: Names by the code of a problem.
        slips: Tracebacks of errors that no extractor should raise.
    """

    answers: Counter[str]
    problems: dict[str, list[str]]
    slips: list[str]
    growth_bytes: int
    left_over: list[int]


def read_all(mutants: Iterable[Sample], folder: Path, limits: ExtractionLimits) -> Run:
    """Has files read by workers, one pool for all; each is on disk only while it is needed."""
    before = resident_bytes(os.getpid())
    known = set(descendants(os.getpid()))
    run = Run(Counter(), {}, [], 0, [])
    with adopting_orphans():
        pool = ExtractionPool(limits, ChunkingSettings(), time.monotonic)
        try:
            for job, reading in pool.iter_readings(_iter_jobs(mutants, folder)):
                _note(run, job, reading)
        finally:
            pool.close()
        left_over = [process for process in descendants(os.getpid()) if process not in known]
    growth = resident_bytes(os.getpid()) - before
    return run._replace(growth_bytes=growth, left_over=left_over)


def _iter_jobs(mutants: Iterable[Sample], folder: Path) -> Iterator[FileJob]:
    for name, data in mutants:
        path = folder / name
        path.write_bytes(data)
        yield FileJob(SourceItem(name, str(path), len(data), 0), "", 64 << 20)


def _note(run: Run, job: FileJob, reading: FileReading) -> None:
    path = Path(job.item.file)
    run.answers[job.item.key] += 1
    for problem in reading.problems:
        run.problems.setdefault(problem.code, []).append(job.item.key)
        if "cannot be read as" in problem.message:
            run.slips.extend(_find_slips(path))
    path.unlink(missing_ok=True)


def _find_slips(path: Path) -> list[str]:
    """Reads again, here, a file that no worker died of; returns the traceback of an error that is ours."""
    data = path.read_bytes()
    try:
        extract(data, path.name, choose_extractor(data, path.name), Allowance())
    except UnextractableError as error:
        cause = error.__cause__
        if isinstance(cause, SLIPS) and not isinstance(cause, UnicodeError):
            return [f"{path.name}\n" + "".join(traceback.format_exception(cause))]
    return []


def check(run: Run, names: list[str]) -> None:
    """Holds what one pool did against what it promises."""
    assert Counter(names) == run.answers
    assert [] == run.left_over
    assert run.growth_bytes < MAX_GROWTH_BYTES
    # PDFium is written in C++ and not ours; everything else must end in words.
    assert [] == [name for name in run.problems.get("crashes-reader", []) if not name.endswith(".pdf")]
    assert not run.slips, "\n".join(run.slips)


def read_mutants(samples: list[Sample], count: int, folder: Path, limits: ExtractionLimits) -> None:
    """Damages, reads and checks."""
    names = []

    def iter_named() -> Iterator[Sample]:
        for mutant in iter_mutants(samples, count, SEED):
            names.append(mutant.name)
            yield mutant

    run = read_all(iter_named(), folder, limits)
    for code, affected in run.problems.items():
        shown = affected if code in COSTLY else affected[:3]
        print(f"{code}: {len(affected)} files, such as {', '.join(shown)}")
    check(run, names)


def test_a_few_mutants_of_every_built_sample(tmp_path: Path) -> None:
    """Small files of every format, damaged: all are answered once and nothing is left over."""
    read_mutants(built_samples(EXTENSIONS), FEW, tmp_path, LIMITS)


@pytest.mark.slow
def test_five_thousand_mutants(tmp_path: Path) -> None:
    """Real files of every format, damaged: all are answered once, without a leak, a hang or a slip."""
    samples = built_samples(EXTENSIONS) + collected_samples(OFFICE, MAX_SAMPLE_BYTES)
    read_mutants(samples, MANY, tmp_path, LIMITS)


@pytest.mark.slow
def test_mutants_of_files_that_another_program_converts(tmp_path: Path) -> None:
    """Old office files, damaged: the program that converts them does not outlive its worker."""
    everything = collected_samples(OFFICE, MAX_SAMPLE_BYTES, with_old_office=True)
    samples = [sample for sample in everything if sample.name.endswith((".doc", ".ppt"))]
    if not samples:
        pytest.skip("no data folder with office files")
    read_mutants(samples, FEW_OLD, tmp_path, CONVERSION_LIMITS)
