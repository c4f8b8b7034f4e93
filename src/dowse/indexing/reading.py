"""Where each file is read: taken from the document cache, here, or by a worker.

A handful of small texts is read here, at once: starting a worker takes longer than reading them. Everything
else is read by workers, several at a time, each alone with what a file may do to it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dowse.ingest.allowance import ExtractionLimits
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.discovery import DiscoverySettings, FoundFile
from dowse.ingest.formats import Nature, find_format

if TYPE_CHECKING:
    from dowse.indexing.document_cache import DocumentCache
    from dowse.ingest.intake import FileJob, FileReading
    from dowse.ingest.isolation import ExtractionPool

SMALL_FILE_BYTES = 64 << 10
FEW_FILES = 100


def read_single(
    file: FoundFile,
    settings: DiscoverySettings,
    chunking: ChunkingSettings,
    limits: ExtractionLimits,
    clock: Callable[[], float],
) -> "FileReading":
    """Reads one file as a run over its folder would: a small text here, everything else in a worker."""
    from dowse.ingest.intake import FileJob
    from dowse.ingest.isolation import ExtractionPool

    job = FileJob(file, "", settings.cap_bytes(file.path))
    reading = read_here(job, chunking, limits)
    if reading is not None:
        return reading
    pool = ExtractionPool(limits, chunking, clock, workers=1)
    try:
        ((_, reading),) = pool.iter_readings((job,))
    finally:
        pool.close()
    return reading


def read_here(
    job: "FileJob", chunking: ChunkingSettings, limits: ExtractionLimits
) -> "FileReading | None":
    """Reads a small, simple text in this process; None for everything else."""
    from dowse.ingest.chunking import build_chunker
    from dowse.ingest.intake import read_text_job

    named = find_format(job.file.path)
    is_simple = named is not None and named.nature is Nature.SIMPLE_TEXT
    if not is_simple or job.file.size > SMALL_FILE_BYTES:
        return None
    return read_text_job(job, build_chunker(chunking), limits)


class FolderReading:
    """Reads the files of one run; `close` ends the workers it started."""

    def __init__(
        self,
        settings: DiscoverySettings,
        chunking: ChunkingSettings,
        limits: ExtractionLimits,
        workers: int,
        clock: Callable[[], float],
        cache: "DocumentCache",
    ) -> None:
        self._settings, self._chunking, self._limits = settings, chunking, limits
        self._workers, self._clock, self._cache = workers, clock, cache
        self._pool: ExtractionPool | None = None

    def iter_readings(
        self, files: Sequence[FoundFile], known_hashes: Mapping[str, str]
    ) -> Iterator[tuple[FoundFile, "FileReading"]]:
        """Yields each file with what came of it: first what is known or read here, then the rest in order."""
        from dowse.ingest.intake import FileJob

        reads_here = len(files) <= FEW_FILES
        rest: list[FileJob] = []
        for file in files:
            job = FileJob(file, known_hashes.get(file.path, ""), self._settings.cap_bytes(file.path))
            reading = self._from_cache(job) or (
                read_here(job, self._chunking, self._limits) if reads_here else None
            )
            if reading is None:
                rest.append(job)
            else:
                yield file, reading
        if rest:
            yield from ((job.file, reading) for job, reading in self._workers_for(rest))

    def close(self) -> None:
        """Ends the workers."""
        if self._pool is not None:
            self._pool.close()

    def _from_cache(self, job: "FileJob") -> "FileReading | None":
        from dowse.ingest.intake import FileReading

        kept = None if job.known_hash else self._cache.take(job.file, job.max_bytes)
        return None if kept is None else FileReading(kept[0], False, kept[1], job.file.size)

    def _workers_for(self, jobs: list["FileJob"]) -> Iterator[tuple["FileJob", "FileReading"]]:
        from dowse.ingest.isolation import ExtractionPool

        self._pool = ExtractionPool(self._limits, self._chunking, self._clock, self._workers)
        return self._pool.iter_readings(jobs)
