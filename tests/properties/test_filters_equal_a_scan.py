"""Filters over columns let exactly the documents through that a scan of all documents finds (C1–C5)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.analysis import Analyzer
from dowse.indexing import FileStat, IndexWriter
from dowse.indexing.rebuilding import rebuild_segment
from dowse.matching import Documents
from dowse.matching.document_filters import DOCUMENT_FILTERS, Condition
from dowse.schema import Chunk, Document, Section
from dowse.storage import merging
from dowse.storage.snapshot import open_snapshot
from dowse.storage.store import Store
from support.filter_scan import FilteredDocument, holds

TREE = 1
ANALYZER = Analyzer()
WORDS = st.sampled_from(
    ["a", "A", "ab", "Ana Lima", "ß", "SS", "straße", "é", "2", "2.0", "-1.5", " 7 ", "nan", ""]
)
LONG = st.builds(str.__mul__, st.sampled_from(["x", "Ü"]), st.sampled_from([300, 1024, 1025, 3000]))
DATES = st.sampled_from(
    [
        "2023-01-01",
        "2024-03-05T10:00:00+01:00",
        "soon",
        " 2020-02-29 ",
        "2023",
        2023,
        "2019-01-01T00:00:00.25",
    ]
)
SCALARS = WORDS | LONG | st.integers(-3, 3000) | st.floats(allow_nan=True) | st.booleans() | st.none()
KEYS = st.sampled_from(
    ["year", "Year", "author", "authors", "lang", "language", "a", "a.b", "b", "series", "", "ß"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
METADATA = st.dictionaries(KEYS, VALUES, max_size=4) | st.dictionaries(
    st.sampled_from(["date", "Created", "modified", "author"]),
    DATES | st.lists(DATES, max_size=2),
    max_size=3,
)
PARTS = st.sampled_from(["a", "B", "guide", "deep", "Tea.md", "x.tar.gz", ".hidden", "n", "é", "a b"])
PATHS = st.builds(
    lambda start, parts: start + "/".join(parts),
    st.sampled_from(["", "", "/", "//"]),
    st.lists(PARTS, max_size=4),
)
DOCUMENTS = st.builds(
    FilteredDocument,
    st.just("key"),
    PATHS,
    st.sampled_from(["text", "markdown", "pdf"]),
    st.lists(WORDS, max_size=3, unique=True).map(tuple),
    METADATA,
    st.binary(max_size=5).map(lambda raw: raw.hex().encode()),
    st.none() | st.integers(0, 5000),
    st.none() | st.integers(0, 1_800_000_000_000_000_000),
)
TEXT_FILTERS = [row.name for row in DOCUMENT_FILTERS if row.name not in ("tree", "date", "size", "meta.")]
META_NAMES = KEYS.map("meta.".__add__) | st.sampled_from(
    ["meta.series.year", "meta.a.b.year", "meta.a.a.b", "meta.a."]
)
PATTERNS = st.text("abGui/*?[]-.é\n", max_size=6) | PATHS
BOUNDS = st.none() | st.floats(-10, 4000) | st.floats(1_500_000_000, 1_800_000_000)
CONDITIONS = st.one_of(
    st.builds(
        Condition,
        st.sampled_from(TEXT_FILTERS) | META_NAMES,
        st.lists(WORDS | LONG | PARTS | PATTERNS | st.just("english"), min_size=1, max_size=3).map(tuple),
    ),
    st.builds(
        Condition, st.sampled_from(["path", "dir"]), st.lists(PATTERNS, min_size=1, max_size=2).map(tuple)
    ),
    st.builds(
        lambda name, low, high: Condition(name, (), low, high),
        st.sampled_from(["date", "size"]) | META_NAMES,
        BOUNDS,
        BOUNDS,
    ).filter(lambda condition: condition.low is not None or condition.high is not None),
)


def add(writer: IndexWriter, key: str, document: FilteredDocument) -> None:
    """Adds a document with two chunks, or one when its text is empty."""
    size = len(document.text)
    chunks = [Chunk(0, 0, 1, 1, 0, size)] + ([Chunk(1, 0, 1, 1, 0, size)] if size else [])
    whole = Section(0, None, 0, "", "", 1, 1, 0, size)
    full = Document(
        key, "-", document.path, document.text, (whole,), tuple(chunks), document.tags,
        format=document.format, metadata=document.metadata,
    )  # fmt: skip
    has_file = document.file_size is not None and document.mtime_ns is not None
    stat = FileStat(f"/{key}", document.file_size, document.mtime_ns) if has_file else None
    writer.add(TREE, full, ANALYZER, stat)


def found_keys(store: Store, condition: Condition) -> list[str]:
    """Returns the keys of the live documents that a filter lets through, and that all of their rows agree."""
    snapshot = open_snapshot(store.open_reader(), store.directory, owns_catalog=False)
    assert () == snapshot.problems
    documents, keys = Documents(snapshot), {}
    for number, segment in enumerate(snapshot.segments):
        mask = documents.mask(condition, number)
        for row, (_, key, _) in enumerate(segment.reader.names.read(list(range(segment.reader.row_count)))):
            if segment.live is None or segment.live[row]:
                keys.setdefault(key, set()).add(int(mask[row]))
    assert all(len(marks) == 1 for marks in keys.values())
    return sorted(key for key, marks in keys.items() if marks == {1})


@settings(max_examples=150, deadline=None)
@given(
    st.lists(DOCUMENTS, min_size=1, max_size=8),
    st.lists(CONDITIONS, min_size=1, max_size=8),
    st.sets(st.integers(0, 7)),
    st.integers(1, 8),
)
def test_columns_equal_a_scan(documents, conditions, deleted, per_commit):
    """Just added, after deletions, merged, and rebuilt from the catalogue."""
    store = Store(":memory:", create=True)
    store.open_writer().connection.execute(
        "INSERT INTO trees VALUES (?, 'tree', NULL, '{}', '', NULL, 0, 'pushed')", (TREE,)
    )
    own = {}
    with IndexWriter(store, lock_timeout_s=0.0) as writer, pytest.MonkeyPatch.context() as patch:
        for number, document in enumerate(documents):
            key = f"key{number}.Txt"
            if document.file_size is None or document.mtime_ns is None:
                document = document._replace(file_size=None, mtime_ns=None)
            own[key] = document._replace(doc_key=key)
            add(writer, key, document)
            if number % per_commit == 0:
                writer.commit()
        writer.commit()

        def check() -> None:
            for condition in conditions:
                expected = sorted(key for key, document in own.items() if holds(condition, document))
                assert expected == found_keys(store, condition)

        check()
        for number in deleted:
            if own.pop(f"key{number}.Txt", None) is not None:
                writer.delete(TREE, f"key{number}.Txt")
        writer.commit()
        check()
        patch.setattr(merging, "FANOUT", 2)
        writer.merge()
        check()
        for (folder,) in writer.catalog.fetch("SELECT folder FROM segments"):
            rebuild_segment(writer, folder, lambda _: ANALYZER)
        writer.commit()
        check()
