"""Brings one tree up to date with its source.

The survey comes first and takes no lock: when nothing has changed, nobody waits and nothing is written.
Commits come every few seconds, so that new documents are found meanwhile and an interruption loses little.
The last of them also records that the tree is up to date, so that a short sync is one generation.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from dowse.analysis import Analyzer
from dowse.indexing.report import SyncListener
from dowse.ingest.source import PASSING, KnownItem, Source, SourceItem, Survey
from dowse.logs import Log
from dowse.schema import Committed, Problem, SyncReport
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.catalog_writer import FileStat
from dowse.storage.document_cache import trim_document_cache
from dowse.storage.stored_files import forget_refused_file, list_files, put_refused_file
from dowse.storage.stored_problems import list_problems, replace_problems
from dowse.storage.stored_trees import set_tree_synced

if TYPE_CHECKING:
    from dowse.indexing.writer import IndexWriter
    from dowse.ingest.jobs import FileReading
    from dowse.storage.catalog import Catalog

LOG = Log(__name__)
COMMIT_EVERY_S = 3.0
COMMIT_KEYS = 20_000
"""After this many changed documents a commit comes earlier: the keys of one commit are kept in memory."""


def known_items(view: CatalogView, tree_id: int) -> dict[str, KnownItem]:
    """Returns what the items of a tree were like when they were read last, by key."""
    return {
        file.doc_key: KnownItem(file.doc_id, file.size, file.mtime_ns, file.content_hash)
        for file in list_files(view, tree_id)
    }


class Comparison(Struct, frozen=True):
    """A tree beside its source, at one moment.

    Attributes:
        generation: Of the index that was compared.
        known: What the index knows of the tree's items, by key.
        survey: What the source has, compared with that.
        problems: What was wrong with the tree's items after the last sync.
        reads_all: Whether unchanged items are read again, too.
    """

    generation: int
    known: Mapping[str, KnownItem]
    survey: Survey
    problems: tuple[Problem, ...]
    reads_all: bool

    @property
    def has_changes(self) -> bool:
        """Whether anything must be written."""
        return self.survey.has_work or set(self.problems) != set(self.problems_after((), ()))

    def problems_after(self, read: Iterable[str], found: Iterable[Problem]) -> list[Problem]:
        """Returns what is wrong now: what this sync found, and what is known of items that it did not read.

        Args:
            read: Keys of the items that were read.
            found: What was wrong with them.
        """
        new = [*self.survey.problems, *found]
        named = {(problem.location, problem.code) for problem in new}
        gone = {*read, *self.survey.removed}
        kept = [
            problem
            for problem in self.problems
            if problem.location in self.known
            and problem.location not in gone
            and (problem.location, problem.code) not in named
        ]
        return kept + new

    def unchanged_report(self, tree: str, root: str) -> SyncReport:
        """Returns the report of a sync that had nothing to do."""
        survey = self.survey
        return SyncReport(
            tree, root, unchanged=survey.unchanged, skipped=survey.skipped, problems=survey.problems
        )

    def renewed(self, source: Source, catalog: "Catalog", tree_id: int) -> "Comparison":
        """Returns this, or a new comparison when another process has changed the tree meanwhile.

        Args:
            source: As it was compared.
            catalog: The writer's: no other process can change it now.
            tree_id: The tree, which may be new.
        """
        generation = catalog.counter("generation")
        if generation == self.generation:
            return self
        known, problems = known_items(catalog, tree_id), tuple(list_problems(catalog, tree_id))
        if known == self.known:
            return replace(self, generation=generation, problems=problems)
        survey = source.survey(known, reads_all=self.reads_all)
        return Comparison(generation, known, survey, problems, self.reads_all)


def compare(
    source: Source, view: CatalogView, tree_id: int, generation: int, *, reads_all: bool
) -> Comparison:
    """Compares a tree with its source; takes no lock and changes nothing.

    Args:
        source: Where the tree's documents come from.
        view: The index; only this tree is read.
        tree_id: The tree; 0 for one that is not there yet.
        generation: Of the view.
        reads_all: Whether unchanged items are to be read again: the tree's settings have changed.
    """
    known = known_items(view, tree_id) if tree_id else {}
    problems = tuple(list_problems(view, tree_id)) if tree_id else ()
    survey = source.survey(known, reads_all=reads_all)
    return Comparison(generation, known, survey, problems, reads_all)


class SourceSync(Struct, frozen=True):
    """How a tree follows its source.

    Attributes:
        tree: Its name, and `root`, its folder or whatever else the source is called: for the report.
        analyzer: Analyses its texts.
        fingerprint: Of the settings that its documents depend on.
        clock: Seconds, for durations.
        wall_clock: Seconds since 1970.
        listener: Is told about progress.
    """

    source: Source
    tree: str
    root: str
    analyzer: Analyzer
    fingerprint: str
    clock: Callable[[], float]
    wall_clock: Callable[[], float]
    listener: SyncListener | None = None

    def run(self, writer: "IndexWriter", tree_id: int, comparison: Comparison) -> SyncReport:
        """Reads and removes what a comparison says, and commits; Ctrl-C keeps what was committed.

        An item that could not be read keeps the document it had: better an old answer, with a problem beside
        it, than none.
        """
        run = _Run(self, writer, tree_id, comparison)
        survey = comparison.survey
        LOG.info("sync of %s: %d to read, %d to remove", self.tree, len(survey.to_read), len(survey.removed))
        if self.listener:
            self.listener.discovered(survey.total, len(survey.to_read))
        try:
            run.remove_gone(survey.removed)
            for number, (item, reading) in enumerate(run.iter_readings(), 1):
                run.take_in(item, reading)
                run.advance(number)
            run.finish()
        except KeyboardInterrupt:
            writer.rollback()
            return run.interrupted_report()
        finally:
            self.source.close()
        return run.report()


class _Run:
    """One run: what it has counted, found wrong and not yet committed."""

    def __init__(
        self, sync: SourceSync, writer: "IndexWriter", tree_id: int, comparison: Comparison
    ) -> None:
        from dowse.indexing.document_cache import DocumentCache

        self._sync, self._writer, self._tree_id, self._comparison = sync, writer, tree_id, comparison
        self._cache: DocumentCache = DocumentCache(writer.catalog, sync.fingerprint)
        self._started = self._last_commit = sync.clock()
        self._counted = self._committed = SyncReport(
            sync.tree, sync.root, unchanged=comparison.survey.unchanged
        )
        self._problems: list[Problem] = []
        self._skipped = Counter(dict(comparison.survey.skipped))
        self._read: set[str] = set()
        self._gone: Counter[str] = Counter()
        self._changes = _Changes()

    # What happens to items -----------------------------------------------------------------------

    def remove_gone(self, keys: Sequence[str]) -> None:
        """Removes the documents of items that are gone; the cache keeps them for when they come back."""
        for key in keys:
            before = self._comparison.known[key]
            if not before.doc_id:
                with self._writer.change() as catalog:
                    forget_refused_file(catalog, self._tree_id, key)
                continue
            self._gone[before.content_hash] += 1
            with self._writer.change() as catalog:
                self._cache.put(catalog, before.doc_id)
            self._remove(key)
            self._count(removed=1)
            self._commit_when_full()
        if keys:
            with self._writer.change() as catalog:
                trim_document_cache(catalog)

    def iter_readings(self) -> "Iterator[tuple[SourceItem, FileReading]]":
        """Yields each item with what came of it: first the documents that are in the cache."""
        from dowse.ingest.jobs import FileReading

        known, source = self._comparison.known, self._sync.source
        hashes = {} if self._comparison.reads_all else {key: one.content_hash for key, one in known.items()}
        rest: list[SourceItem] = []
        for item in self._comparison.survey.to_read:
            kept = None if hashes.get(item.key) else self._cache.take(item, source.digest)
            if kept is None:
                rest.append(item)
            else:
                yield item, FileReading(kept[0], False, kept[1], item.size)
        yield from source.read(rest, hashes)

    def take_in(self, item: SourceItem, reading: "FileReading") -> None:
        """Stores what came of one item."""
        before = self._comparison.known.get(item.key)
        had_document = before is not None and bool(before.doc_id)
        stat = FileStat(item.file, item.size, item.mtime_ns)
        if before is not None and reading.is_same:
            self._writer.touch(before.doc_id, stat)
            self._count(unchanged=1)
            return
        self._read.add(item.key)
        if before is not None and not had_document:
            with self._writer.change() as catalog:
                forget_refused_file(catalog, self._tree_id, item.key)
        document = reading.document
        if document is None:
            self._refuse(item, reading, had_document=had_document)
            return
        self._problems += reading.problems
        self._writer.add(self._tree_id, document, self._sync.analyzer, stat)
        if had_document:
            self._changes.changed.append(item.key)
            self._count(changed=1)
        else:
            self._changes.added.append(item.key)
            self._count_new(document.content_hash)
        self._count(chunks_added=len(document.chunks), bytes_read=reading.read_bytes)

    def _count_new(self, content_hash: str) -> None:
        """Counts a new document as moved when one with its content has gone."""
        if self._gone[content_hash] > 0:
            self._gone[content_hash] -= 1
            self._count(moved=1, removed=-1)
        else:
            self._count(added=1)

    def _refuse(self, item: SourceItem, reading: "FileReading", *, had_document: bool) -> None:
        """Notes an item without a document, so that it is not read again until it changes."""
        codes = {problem.code for problem in reading.problems}
        if reading.skipped:
            self._skipped[reading.skipped] += 1
        else:
            self._problems += reading.problems
        if codes <= PASSING and "vanished" not in codes:
            return
        if had_document:
            self._remove(item.key)
        if not codes <= PASSING:
            with self._writer.change() as catalog:
                put_refused_file(catalog, self._tree_id, item.key, item.size, item.mtime_ns)

    def _remove(self, key: str) -> None:
        self._writer.delete(self._tree_id, key)
        self._changes.removed.append(key)

    # Counting and committing ---------------------------------------------------------------------

    def advance(self, items_done: int) -> None:
        """Reports progress, and commits when it is time."""
        if self._sync.listener:
            self._sync.listener.advanced(items_done, self._counted.bytes_read)
        if self._sync.clock() - self._last_commit >= COMMIT_EVERY_S:
            self._commit()
        else:
            self._commit_when_full()

    def finish(self) -> None:
        """Stores what is wrong now and that the tree is up to date, and commits."""
        with self._writer.change() as catalog:
            problems = self._comparison.problems_after(self._read, self._problems)
            replace_problems(catalog, self._tree_id, problems)
            set_tree_synced(catalog, self._tree_id, self._sync.fingerprint, self._sync.wall_clock())
        self._commit()

    def report(self) -> SyncReport:
        """Returns the outcome."""
        return self._completed(self._counted)

    def interrupted_report(self) -> SyncReport:
        """Returns the outcome of a run that was stopped: what was committed."""
        return self._completed(replace(self._committed, interrupted=True))

    def _completed(self, report: SyncReport) -> SyncReport:
        return replace(
            report,
            seconds=self._sync.clock() - self._started,
            skipped=tuple(sorted((+self._skipped).items())),
            problems=(*self._comparison.survey.problems, *self._problems),
        )

    def _count(self, **changes: int) -> None:
        counted = {name: getattr(self._counted, name) + more for name, more in changes.items()}
        self._counted = replace(self._counted, **counted)

    def _commit_when_full(self) -> None:
        if self._changes.count >= COMMIT_KEYS:
            self._commit()

    def _commit(self) -> None:
        generation = self._writer.commit()
        self._writer.start_merge()
        changes, self._changes = self._changes, _Changes()
        if self._sync.listener:
            self._sync.listener.committed(changes.as_committed(generation))
        self._count(commits=1)
        self._committed = self._counted
        self._last_commit = self._sync.clock()


class _Changes:
    """The keys of what the next commit changes."""

    __slots__ = ("added", "changed", "removed")

    def __init__(self) -> None:
        self.added: list[str] = []
        self.changed: list[str] = []
        self.removed: list[str] = []

    @property
    def count(self) -> int:
        """How many keys there are."""
        return len(self.added) + len(self.changed) + len(self.removed)

    def as_committed(self, generation: int) -> Committed:
        """Returns what listeners are told once it is committed."""
        return Committed(generation, tuple(self.added), tuple(self.changed), tuple(self.removed))
