"""The readers of files that `ingest.py` compares: from paths to texts, with two worker processes each."""

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, NamedTuple, Protocol, Self

WORKERS = 2


class Read(NamedTuple):
    """What came of one file: its text, or why there is none."""

    path: Path
    text: str
    problem: str


class ExtractionEngine(Protocol):
    """Reads files with workers that are started on entering and ended on leaving."""

    name: ClassVar[str]
    package: ClassVar[str]
    note: ClassVar[str]

    def __enter__(self) -> Self: ...

    def __exit__(self, *details: Any) -> None: ...

    def iter_texts(self, paths: Sequence[Path]) -> Iterator[Read]:
        """Yields what is in each file, in any order."""
        ...


class WithDowse:
    """Dowse's own workers."""

    name = "dowse"
    package = "dowse"
    note = "confined workers; structure, chunks and a hash of every file are made too"

    def __enter__(self) -> Self:
        from dowse.ingest import ChunkingSettings
        from dowse.ingest.isolation import ExtractionPool
        from dowse.ingest.limits import DEFAULT_LIMITS

        self._pool = ExtractionPool(DEFAULT_LIMITS, ChunkingSettings(), time.monotonic, WORKERS)
        return self

    def __exit__(self, *details: Any) -> None:
        self._pool.close()

    def iter_texts(self, paths: Sequence[Path]) -> Iterator[Read]:
        """Yields texts, each with its title before it, which is searched too."""
        from dowse.ingest import SourceItem
        from dowse.ingest.jobs import FileJob

        jobs = [
            FileJob(SourceItem(path.name, str(path), path.stat().st_size, 0), "", 1 << 30) for path in paths
        ]
        for job, reading in self._pool.iter_readings(jobs):
            document, problems = reading.document, reading.problems
            has_text = document is not None and bool(document.text.strip())
            text = f"{document.title}\n{document.text.decode()}" if has_text else ""
            why = "" if document is not None or not problems else f"{problems[0].code}: {problems[0].message}"
            yield Read(Path(job.item.file), text, why)


class _InProcesses:
    """A library that reads one file at a time, in worker processes of its own."""

    name: ClassVar[str]

    def __enter__(self) -> Self:
        spawning = multiprocessing.get_context("spawn")
        self._workers = spawning.Pool(WORKERS, _start, (self.name,))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.terminate()
        self._workers.join()

    def iter_texts(self, paths: Sequence[Path]) -> Iterator[Read]:
        """Yields texts."""
        return self._workers.imap_unordered(_read, paths, chunksize=1)


class WithMarkItDown(_InProcesses):
    """Microsoft's converter to Markdown."""

    name = "markitdown"
    package = "markitdown"
    note = "reads what it does not know as plain text, RTF and mail among them"


class WithKreuzberg(_InProcesses):
    """A reader written in Rust."""

    name = "kreuzberg"
    package = "kreuzberg"
    note = "its cache is off, and so is character recognition, as with the others"


EXTRACTION_ENGINES: tuple[type[ExtractionEngine], ...] = (WithDowse, WithMarkItDown, WithKreuzberg)


class _Reading:
    """What a worker process reads with."""

    text_of: Any = None


def _start(name: str) -> None:
    if name == "markitdown":
        from markitdown import MarkItDown

        converter = MarkItDown(enable_plugins=False)
        _Reading.text_of = lambda path: converter.convert_local(path).text_content
    else:
        from kreuzberg import ExtractionConfig, extract_file_sync

        config = ExtractionConfig(use_cache=False, disable_ocr=True)
        _Reading.text_of = lambda path: extract_file_sync(path, config=config).content


def _read(path: Path) -> Read:
    try:
        return Read(path, _Reading.text_of(str(path)), "")
    except Exception as error:  # whatever a library raises: the file counts as not read
        return Read(
            path, "", f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"
        )
