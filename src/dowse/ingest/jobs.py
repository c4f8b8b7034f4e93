"""One document's way in: read its file, see whether it is as it was, and make a document of it.

The same functions run in this process for a small text and in a worker for everything else.
"""

import hashlib
from typing import NamedTuple

from dowse.ingest.chunking import Chunker
from dowse.ingest.detection import detect_format
from dowse.ingest.documents import build_document
from dowse.ingest.limits import ExtractionLimits
from dowse.ingest.reading import read_file
from dowse.ingest.source import SourceItem
from dowse.schema import Document, Problem


class FileJob(NamedTuple):
    """A file that is to be read.

    Attributes:
        known_hash: SHA-256 of what was indexed before, in hexadecimal; empty when nothing was, or when it is
            to be read again whatever it holds.
        max_bytes: A file that is larger by now is a problem.
    """

    item: SourceItem
    known_hash: str
    max_bytes: int

    @property
    def name(self) -> str:
        """What problems call it."""
        return self.item.key

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        return self.item.size


class PushedJob(NamedTuple):
    """A document that a program gives us as bytes; `build_document` says what is what."""

    doc_key: str
    path: str
    data: bytes
    format: str
    title: str | None
    tags: tuple[str, ...]

    @property
    def name(self) -> str:
        """What problems call it."""
        return self.path or self.doc_key

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        return len(self.data)


Job = FileJob | PushedJob


class FileReading(NamedTuple):
    """What came of it.

    Attributes:
        document: None when the file is as it was, or holds none.
        is_same: Whether the content is as it was.
        problems: What was wrong.
        read_bytes: How much was read.
        skipped: Why the item was passed over, in one word; empty for one that should have given a document.
    """

    document: Document | None
    is_same: bool
    problems: tuple[Problem, ...]
    read_bytes: int
    skipped: str = ""


def read_job(job: Job, chunker: Chunker, limits: ExtractionLimits) -> FileReading:
    """Reads a document of any format."""
    if isinstance(job, PushedJob):
        names = job.doc_key, job.path, job.data, job.format
        built = build_document(*names, chunker, title=job.title, tags=job.tags, limits=limits)
        return FileReading(built[0], False, tuple(built[1]), len(job.data))
    data = read_file(job.item, job.max_bytes)
    return _unread(data) if isinstance(data, Problem) else _read_data(job, data, chunker, limits)


def read_text_job(job: FileJob, chunker: Chunker, limits: ExtractionLimits) -> FileReading | None:
    """Reads a file that is named like a simple text; None when it is something else, for a worker to read."""
    data = read_file(job.item, job.max_bytes)
    if isinstance(data, Problem):
        return _unread(data)
    detected = detect_format(data)
    if detected is not None:
        return None
    return _read_data(job, data, chunker, limits)


def _unread(problem: Problem) -> FileReading:
    return FileReading(None, False, (problem,), 0)


def _read_data(job: FileJob, data: bytes, chunker: Chunker, limits: ExtractionLimits) -> FileReading:
    if job.known_hash and hashlib.sha256(data).hexdigest() == job.known_hash:
        return FileReading(None, True, (), len(data))
    path = job.item.key
    document, problems = build_document(path, path, data, None, chunker, limits=limits)
    return FileReading(document, False, tuple(problems), len(data))
