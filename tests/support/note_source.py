"""A source without files: notes in memory, told apart by a version, surveyed without listing them all.

Nothing in Dowse reads notes yet. It stands for what comes (memory notes, a git history) wherever the shape of
`Source` is tested: documents without a file, and a survey that names only what has changed.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from dowse.ingest import ChunkingSettings, build_chunker, build_document
from dowse.ingest.jobs import FileReading
from dowse.ingest.source import KnownItem, SourceItem, Survey


class NoteSource:
    """Notes by key, and what was changed since the last survey."""

    kind = "notes"

    def __init__(self) -> None:
        self.notes: dict[str, tuple[int, str]] = {}
        self.news: set[str] = set()
        self.is_open = False

    def write(self, key: str, text: str) -> None:
        """Adds or changes a note."""
        version = self.notes.get(key, (0, ""))[0] + 1
        self.notes[key] = (version, text)
        self.news.add(key)

    def touch(self, key: str) -> None:
        """Gives a note another version with the same text."""
        self.write(key, self.notes[key][1])

    def remove(self, key: str) -> None:
        """Removes a note."""
        del self.notes[key]
        self.news.add(key)

    def survey(self, known: Mapping[str, KnownItem], *, reads_all: bool) -> Survey:
        """Looks at what is new only, unless everything is to be read again."""
        asked = sorted(self.notes) if reads_all else sorted(self.news | self.notes.keys() - known.keys())
        there = [self._item(key) for key in asked if key in self.notes]
        changed = [
            item
            for item in there
            if reads_all or item.key not in known or known[item.key].mtime_ns != item.mtime_ns
        ]
        removed = tuple(key for key in asked if key not in self.notes and key in known)
        unchanged = len(known) - len(removed) - sum(item.key in known for item in changed)
        return Survey(tuple(changed), removed, unchanged, len(self.notes))

    def read(
        self, items: Sequence[SourceItem], known_hashes: Mapping[str, str]
    ) -> Iterator[tuple[SourceItem, FileReading]]:
        """Makes a document of each note whose text has changed."""
        self.is_open = True
        chunker = build_chunker(ChunkingSettings())
        for item in items:
            data = self.notes[item.key][1].encode()
            if known_hashes.get(item.key) == self.digest(item):
                yield item, FileReading(None, True, (), len(data))
                continue
            document, problems = build_document(item.key, item.key, data, "text", chunker)
            yield item, FileReading(document, False, tuple(problems), len(data))

    def digest(self, item: SourceItem) -> str:
        """Returns the hash of a note's text."""
        return hashlib.sha256(self.notes[item.key][1].encode()).hexdigest()

    def close(self) -> None:
        """Ends nothing."""
        self.is_open = False

    def _item(self, key: str) -> SourceItem:
        version, text = self.notes[key]
        return SourceItem(key, "", len(text), version)
