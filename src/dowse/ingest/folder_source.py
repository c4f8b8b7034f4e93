"""The files of a folder as a source of documents.

A handful of small texts is read in this process: starting a worker takes longer than reading them. Everything
else is read by worker processes, several at a time, each confined in what a file may do to it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.decoding import BINARY_FILE
from dowse.ingest.discovery import DiscoverySettings, Skipped, iter_files
from dowse.ingest.formats import Kind, find_format
from dowse.ingest.limits import DEFAULT_LIMITS, ExtractionLimits
from dowse.ingest.reconciling import reconcile
from dowse.ingest.source import KnownItem, SourceItem, Survey
from dowse.schema import Problem

if TYPE_CHECKING:
    from dowse.ingest.isolation import ExtractionPool
    from dowse.ingest.jobs import FileJob, FileReading

SMALL_FILE_BYTES = 64 << 10
FEW_FILES = 100
DEFAULT_WORKERS = 2
OTHER_KIND = "other-kind"
"""Why a file is passed over that is no text and has no extension that would make one expect a text."""


class FolderSource:
    """One folder.

    Args:
        root: The folder.
        settings: Which of its files are wanted.
        chunking: How their texts are cut.
        clock: Tells how long a worker has been reading a file.
        limits: What reading a file may cost.
        workers: How many processes read.
        leaves_out: Folders below the root that other trees have.
    """

    kind = "folder"

    def __init__(
        self,
        root: Path,
        settings: DiscoverySettings,
        chunking: ChunkingSettings,
        clock: Callable[[], float],
        *,
        limits: ExtractionLimits = DEFAULT_LIMITS,
        workers: int = DEFAULT_WORKERS,
        leaves_out: Iterable[str] = (),
    ) -> None:
        self.root, self._settings, self._chunking = root, settings, chunking
        self._clock, self._limits, self._workers = clock, limits, workers
        self._leaves_out = frozenset(leaves_out)
        self._pool: ExtractionPool | None = None

    def survey(self, known: Mapping[str, KnownItem], *, reads_all: bool) -> Survey:
        """Walks the folder, at one `stat` per file, and compares."""
        skipped, problems, found = Skipped(), list[Problem](), list[SourceItem]()
        for entry in iter_files(self.root, self._settings, skipped, self._leaves_out):
            if isinstance(entry, Problem):
                problems.append(entry)
            else:
                found.append(entry)
        unseen = [problem.location for problem in problems if problem.code == "unreadable-folder"]
        difference = reconcile(found, known, unseen, reads_all=reads_all)
        counts = Counter(skipped.by_reason)
        counts[OTHER_KIND] += sum(find_format(key) is None for key in difference.refused)
        return Survey(
            difference.to_read,
            difference.removed,
            difference.unchanged,
            len(found),
            tuple(sorted((+counts).items())),
            tuple(problems),
        )

    def read(
        self, items: Sequence[SourceItem], known_hashes: Mapping[str, str]
    ) -> Iterator[tuple[SourceItem, "FileReading"]]:
        """Yields first what is read in this process, then the rest in order."""
        from dowse.ingest.jobs import FileJob

        reads_here = len(items) <= FEW_FILES
        rest: list[FileJob] = []
        for item in items:
            job = FileJob(item, known_hashes.get(item.key, ""), self._settings.cap_bytes(item.key))
            reading = self._read_here(job) if reads_here else None
            if reading is None:
                rest.append(job)
            else:
                yield item, _as_skipped(item, reading)
        if rest:
            yield from ((job.item, _as_skipped(job.item, one)) for job, one in self._read_in_workers(rest))

    def digest(self, item: SourceItem) -> str:
        """Returns the hash of a file's content; empty when it cannot be read."""
        import hashlib  # loads OpenSSL, 3 ms, which a sync without changes does not need

        from dowse.ingest.reading import read_file

        data = read_file(item, self._settings.cap_bytes(item.key))
        return "" if isinstance(data, Problem) else hashlib.sha256(data).hexdigest()

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def _read_here(self, job: "FileJob") -> "FileReading | None":
        """Reads a small, simple text; None for everything else."""
        from dowse.ingest.chunking import build_chunker
        from dowse.ingest.jobs import read_text_job

        named = find_format(job.item.key)
        is_simple = named is not None and named.kind is Kind.SIMPLE_TEXT
        if not is_simple or job.item.size > SMALL_FILE_BYTES:
            return None
        return read_text_job(job, build_chunker(self._chunking), self._limits)

    def _read_in_workers(self, jobs: list["FileJob"]) -> Iterator[tuple["FileJob", "FileReading"]]:
        from dowse.ingest.isolation import ExtractionPool

        self._pool = ExtractionPool(self._limits, self._chunking, self._clock, self._workers)
        return self._pool.iter_readings(jobs)


def _as_skipped(item: SourceItem, reading: "FileReading") -> "FileReading":
    """Marks a file in which nobody expected a text as passed over."""
    codes = {problem.code for problem in reading.problems}
    is_other = codes == {BINARY_FILE} and find_format(item.key) is None
    return reading._replace(skipped=OTHER_KIND) if is_other else reading
