"""Brings one tree up to date with its folder.

Looking comes first and takes no lock: when nothing changed, nobody waits and nothing is written. Commits
come every few seconds, so that search works meanwhile and an interruption loses little.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.analysis import Analyzer
from dowse.indexing.catalog_writer import FileStat
from dowse.indexing.reconciling import KnownFile, WorkList, reconcile
from dowse.indexing.report import SyncListener, SyncReport
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.discovery import DiscoverySettings, FoundFile, Skipped, iter_files
from dowse.ingest.reading import read_file
from dowse.schema import Document, Problem
from dowse.storage.catalog import Catalog

if TYPE_CHECKING:
    from dowse.indexing.writer import IndexWriter

COMMIT_EVERY_S = 3.0


def known_files(catalog: Catalog, tree_id: int) -> dict[str, KnownFile]:
    """Returns the live documents of a tree by key."""
    sql = (
        "SELECT doc_key, doc_id, file_size, mtime_ns, content_hash FROM documents"
        " WHERE tree_id = ? AND is_live"
    )
    return {row[0]: KnownFile(*row[1:]) for row in catalog.fetch(sql, (tree_id,))}


def known_problems(catalog: Catalog, tree_id: int) -> list[Problem]:
    """Returns what was wrong with the files of a tree after the last run."""
    sql = "SELECT code, location, message, hint FROM problems WHERE tree_id = ?"
    return [Problem(*row) for row in catalog.fetch(sql, (tree_id,))]


@dataclass(slots=True)
class FolderSync:
    """One run over one tree.

    Attributes:
        reads_all: True when the tree's settings changed: even unchanged files are read again.
        touched: Files that were read and found to be as they were.
    """

    root: Path
    tree: str
    settings: DiscoverySettings
    chunking: ChunkingSettings
    analyzer: Analyzer
    clock: Callable[[], float]
    listener: SyncListener | None = None
    found: list[FoundFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: tuple[tuple[str, int], ...] = ()
    unseen: list[str] = field(default_factory=list)
    reads_all: bool = False
    touched: set[str] = field(default_factory=set)

    def look(self) -> None:
        """Walks the folder."""
        skipped = Skipped()
        for entry in iter_files(self.root, self.settings, skipped):
            if isinstance(entry, Problem):
                self.problems.append(entry)
                if entry.code == "unreadable-folder":
                    self.unseen.append(entry.location)
            else:
                self.found.append(entry)
        self.skipped = tuple(sorted(skipped.by_reason.items()))

    def compare(self, known: dict[str, KnownFile]) -> WorkList:
        """Decides what must be done."""
        return reconcile(self.found, known, self.unseen, reads_all=self.reads_all)

    def problems_after(self, before: list[Problem], work: WorkList) -> list[Problem]:
        """Returns what is wrong now: what this run found, and what is known of files it did not read."""
        read = {file.path for file in work.to_read} - self.touched
        unread = {file.path for file in self.found if file.path not in read}
        found = {(problem.location, problem.code) for problem in self.problems}
        kept = [
            problem
            for problem in before
            if problem.location in unread and (problem.location, problem.code) not in found
        ]
        return kept + self.problems

    def run(
        self, writer: "IndexWriter", tree_id: int, known: dict[str, KnownFile], work: WorkList
    ) -> SyncReport:
        """Does the work and commits; Ctrl-C keeps what was committed.

        A file that could not be read keeps the document it had: better an old answer, with a problem
        beside it, than none.
        """
        started = self.clock()
        nothing_yet = SyncReport(self.tree, str(self.root))
        progress = _Progress(self, writer, nothing_yet, started, nothing_yet)
        if self.listener:
            self.listener.discovered(len(self.found), len(work.to_read))
        gone_hashes = {known[key].content_hash for key in work.removed}
        for key in work.removed:
            writer.delete(tree_id, key)
        progress.count(removed=len(work.removed), unchanged=work.unchanged)
        try:
            for number, file in enumerate(work.to_read, 1):
                self._index_file(writer, tree_id, file, known.get(file.path), gone_hashes, progress)
                progress.step(number)
            self._store_problems(writer, tree_id, work)
            progress.commit()
        except KeyboardInterrupt:
            writer.rollback()
            progress.report = replace(progress.committed, interrupted=True)
        return replace(
            progress.report,
            seconds=self.clock() - started,
            skipped=self.skipped,
            problems=tuple(self.problems),
        )

    def _index_file(
        self,
        writer: "IndexWriter",
        tree_id: int,
        file: FoundFile,
        before: KnownFile | None,
        gone_hashes: set[str],
        progress: "_Progress",
    ) -> None:
        data = read_file(file, self.settings.max_file_bytes)
        if isinstance(data, Problem):
            self.problems.append(data)
            if data.code == "vanished" and before is not None:
                writer.delete(tree_id, file.path)
            return
        stat = FileStat(file.absolute, file.size, file.mtime_ns)
        if before is not None and not self.reads_all and _hash(data) == before.content_hash:
            writer.touch(before.doc_id, stat)
            self.touched.add(file.path)
            progress.count(unchanged=1)
            return
        document = self._build(file, data)
        if document is None:
            writer.delete(tree_id, file.path)
            return
        writer.add(tree_id, document, self.analyzer, stat)
        if before is not None:
            progress.count(changed=1)
        elif document.content_hash in gone_hashes:
            gone_hashes.discard(document.content_hash)
            progress.count(moved=1, removed=-1)
        else:
            progress.count(added=1)
        progress.count(chunks_added=len(document.chunks), bytes_read=len(data))

    def _build(self, file: FoundFile, data: bytes) -> Document | None:
        # Imported late: a run that finds nothing to read cuts nothing.
        from dowse.ingest.chunking import build_chunker
        from dowse.ingest.documents import build_document

        chunker = build_chunker(self.chunking)
        document, problems = build_document(file.path, file.path, data, None, chunker)
        self.problems += problems
        return document

    def _store_problems(self, writer: "IndexWriter", tree_id: int, work: WorkList) -> None:
        problems = self.problems_after(known_problems(writer.catalog, tree_id), work)
        writer.execute("DELETE FROM problems WHERE tree_id = ?", (tree_id,))
        for problem in problems:
            writer.execute(
                "INSERT INTO problems VALUES (?, ?, ?, ?, ?)",
                (tree_id, problem.location, problem.code, problem.message, problem.hint),
            )


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(slots=True)
class _Progress:
    """Counts, tells the listener, and commits when it is time."""

    sync: FolderSync
    writer: "IndexWriter"
    report: SyncReport
    last_commit: float
    committed: SyncReport
    uncommitted: int = 0

    def count(self, **changes: int) -> None:
        self.report = replace(
            self.report,
            **{name: getattr(self.report, name) + more for name, more in changes.items()},
        )

    def step(self, files_done: int) -> None:
        self.uncommitted += 1
        if self.sync.listener:
            self.sync.listener.advanced(files_done, self.report.bytes_read)
        if self.sync.clock() - self.last_commit >= COMMIT_EVERY_S:
            self.commit()

    def commit(self) -> None:
        generation = self.writer.commit()
        self.writer.start_merge()
        if self.sync.listener:
            self.sync.listener.committed(generation, self.uncommitted)
        self.count(commits=1)
        self.committed = self.report
        self.uncommitted = 0
        self.last_commit = self.sync.clock()
