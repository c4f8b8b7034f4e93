"""Brings one tree up to date with its folder.

Looking comes first and takes no lock: when nothing changed, nobody waits and nothing is written. Commits
come every few seconds, so that search works meanwhile and an interruption loses little.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from dowse.analysis import Analyzer
from dowse.indexing.reading import FolderReading
from dowse.indexing.reconciling import KnownFile, WorkList, reconcile
from dowse.indexing.report import SyncListener
from dowse.ingest.allowance import DEFAULT_LIMITS, ExtractionLimits
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.decoding import BINARY_FILE
from dowse.ingest.discovery import DiscoverySettings, FoundFile, Skipped, iter_files
from dowse.ingest.formats import find_format
from dowse.schema import Problem, SyncReport
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.catalog_writer import FileStat
from dowse.storage.document_cache import trim_document_cache
from dowse.storage.stored_files import forget_refused_file, list_files, put_refused_file
from dowse.storage.stored_problems import list_problems, replace_problems

if TYPE_CHECKING:
    from dowse.indexing.document_cache import DocumentCache
    from dowse.indexing.writer import IndexWriter
    from dowse.ingest.intake import FileReading

COMMIT_EVERY_S = 3.0
OTHER_KIND = "other-kind"
# A file that was there a moment ago may be readable the next time.
_PASSING = frozenset({"vanished", "unreadable-file", "special-file"})


def known_files(view: CatalogView, tree_id: int) -> dict[str, KnownFile]:
    """Returns what the files of a tree were like when they were read last, by key."""
    return {
        file.doc_key: KnownFile(file.doc_id, file.size, file.mtime_ns, file.content_hash)
        for file in list_files(view, tree_id)
    }


class FolderSync(Struct):
    """One run over one tree.

    Attributes:
        fingerprint: Of the settings that documents depend on.
        reads_all: True when the tree's settings changed: even unchanged files are read again.
        touched: Files that were read and found to be as they were.
    """

    root: Path
    tree: str
    settings: DiscoverySettings
    chunking: ChunkingSettings
    analyzer: Analyzer
    clock: Callable[[], float]
    fingerprint: str
    limits: ExtractionLimits = DEFAULT_LIMITS
    workers: int = 2
    listener: SyncListener | None = None
    found: list[FoundFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
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
        self.skipped = Counter(skipped.by_reason)

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
        from dowse.indexing.document_cache import DocumentCache

        started = self.clock()
        nothing_yet = SyncReport(self.tree, str(self.root))
        progress = _Progress(self, writer, nothing_yet, started, nothing_yet)
        if self.listener:
            self.listener.discovered(len(self.found), len(work.to_read))
        cache = DocumentCache(writer.catalog, self.fingerprint)
        reading = FolderReading(self.settings, self.chunking, self.limits, self.workers, self.clock, cache)
        try:
            gone = self._remove_gone(writer, tree_id, known, work, cache)
            progress.count(removed=sum(gone.values()), unchanged=work.unchanged)
            hashes = {} if self.reads_all else {key: before.content_hash for key, before in known.items()}
            for number, (file, outcome) in enumerate(reading.iter_readings(work.to_read, hashes), 1):
                self._take_in(writer, tree_id, file, outcome, known.get(file.path), gone, progress)
                progress.step(number)
            self._store_problems(writer, tree_id, work)
            progress.commit()
        except KeyboardInterrupt:
            writer.rollback()
            progress.report = replace(progress.committed, interrupted=True)
        finally:
            reading.close()
        return replace(
            progress.report,
            seconds=self.clock() - started,
            skipped=self.skipped_files(work),
            problems=tuple(self.problems),
        )

    def skipped_files(self, work: WorkList) -> tuple[tuple[str, int], ...]:
        """Returns how many files were passed over, by reason; those refused in an earlier run included."""
        counts = Counter(self.skipped)
        counts[OTHER_KIND] += sum(find_format(path) is None for path in work.refused)
        return tuple(sorted((+counts).items()))

    def _remove_gone(
        self,
        writer: "IndexWriter",
        tree_id: int,
        known: dict[str, KnownFile],
        work: WorkList,
        cache: "DocumentCache",
    ) -> Counter[str]:
        """Removes the documents of files that are gone; returns their hashes."""
        gone: Counter[str] = Counter()
        for key in work.removed:
            before = known[key]
            if not before.doc_id:
                with writer.change() as catalog:
                    forget_refused_file(catalog, tree_id, key)
                continue
            gone[before.content_hash] += 1
            with writer.change() as catalog:
                cache.put(catalog, before.doc_id)
            writer.delete(tree_id, key)
        if work.removed:
            with writer.change() as catalog:
                trim_document_cache(catalog)
        return gone

    def _take_in(
        self,
        writer: "IndexWriter",
        tree_id: int,
        file: FoundFile,
        outcome: "FileReading",
        before: KnownFile | None,
        gone: Counter[str],
        progress: "_Progress",
    ) -> None:
        """Stores what came of one file."""
        stat = FileStat(file.absolute, file.size, file.mtime_ns)
        had_document = before is not None and bool(before.doc_id)
        if before is not None and outcome.is_same:
            writer.touch(before.doc_id, stat)
            self.touched.add(file.path)
            progress.count(unchanged=1)
            return
        if before is not None and not had_document:
            with writer.change() as catalog:
                forget_refused_file(catalog, tree_id, file.path)
        document = outcome.document
        if document is None:
            self._refuse(writer, tree_id, file, outcome, had_document)
            return
        self.problems += outcome.problems
        writer.add(tree_id, document, self.analyzer, stat)
        if had_document:
            progress.count(changed=1)
        elif gone[document.content_hash] > 0:
            gone[document.content_hash] -= 1
            progress.count(moved=1, removed=-1)
        else:
            progress.count(added=1)
        progress.count(chunks_added=len(document.chunks), bytes_read=outcome.read_bytes)

    def _refuse(
        self,
        writer: "IndexWriter",
        tree_id: int,
        file: FoundFile,
        outcome: "FileReading",
        had_document: bool,
    ) -> None:
        """Notes a file without a document, so that it is not read again until it changes."""
        codes = {problem.code for problem in outcome.problems}
        if codes == {BINARY_FILE} and find_format(file.path) is None:
            self.skipped[OTHER_KIND] += 1  # nobody expected a text in it
        else:
            self.problems += outcome.problems
        if codes <= _PASSING and "vanished" not in codes:
            return
        if had_document:
            writer.delete(tree_id, file.path)
        if not codes <= _PASSING:
            with writer.change() as catalog:
                put_refused_file(catalog, tree_id, file.path, file.size, file.mtime_ns)

    def _store_problems(self, writer: "IndexWriter", tree_id: int, work: WorkList) -> None:
        with writer.change() as catalog:
            before = list_problems(catalog, tree_id)
            replace_problems(catalog, tree_id, self.problems_after(before, work))


class _Progress(Struct):
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
