"""The writer: replacing, deleting, flushing, rolling back."""

import threading

import pytest

from dowse.analysis import AnalysisSettings, Analyzer
from dowse.errors import StorageError
from dowse.indexing import FileStat, IndexWriter, segment_builder
from dowse.ingest.chunking import ChunkingSettings, build_chunker
from dowse.ingest.documents import build_document
from dowse.schema import Chunk, Document
from dowse.storage import catalog_writer
from dowse.storage.snapshot import open_snapshot
from dowse.storage.store import Store

ENGLISH = Analyzer()
GERMAN = Analyzer(AnalysisSettings(language="german"))
CHUNKER = build_chunker(ChunkingSettings())
TREE = 1


def document(key: str, text: str) -> Document:
    """A plain text."""
    built, _ = build_document(key, "", text.encode(), "text", CHUNKER)
    assert built is not None
    return built


@pytest.fixture
def store():
    """A store in memory with one tree."""
    store = Store(":memory:", create=True)
    store.open_writer().connection.execute(
        "INSERT INTO trees VALUES (?, 'tree', NULL, '{}', '', NULL, 0, 'pushed')", (TREE,)
    )
    return store


@pytest.fixture
def writer(store):
    """A writer on it."""
    with IndexWriter(store, lock_timeout_s=0.0) as writer:
        yield writer


def live_keys(store) -> list[str]:
    """Returns the document keys of all live rows, in row order."""
    snapshot = open_snapshot(store.open_reader(), store.directory, owns_catalog=False)
    assert () == snapshot.problems
    return [
        segment.reader.names.read([row])[0][1]
        for segment in snapshot.segments
        for row in range(segment.reader.row_count)
        if segment.live is None or segment.live[row]
    ]


def texts(store) -> list[bytes]:
    """Returns the texts of the live documents."""
    sql = (
        "SELECT text_part(text, 0, size) FROM texts JOIN documents USING (doc_id)"
        " WHERE is_live ORDER BY doc_key"
    )
    return [bytes(row[0]) for row in store.open_reader().fetch(sql)]


def segment_count(store) -> int:
    """Counts the segments of the newest generation."""
    return store.open_reader().fetch("SELECT count(*) FROM segments")[0][0]


def test_the_last_of_a_batch_counts(store, writer):
    """A key added twice before the commit is there once, with its last text."""
    for text in ("first", "second", "third"):
        writer.add(TREE, document("a", text), ENGLISH)
    writer.commit()
    assert (["a"], [b"third"]) == (live_keys(store), texts(store))


def test_a_committed_document_is_replaced(store, writer):
    """The old rows die with the commit that brings the new ones."""
    writer.add(TREE, document("a", "first"), ENGLISH)
    writer.add(TREE, document("b", "other"), ENGLISH)
    writer.commit()
    writer.add(TREE, document("a", "second"), ENGLISH)
    writer.commit()
    assert (["b", "a"], [b"second", b"other"]) == (live_keys(store), texts(store))


def test_a_pending_document_can_be_deleted(store, writer):
    """Added and deleted before the commit leaves nothing; deleting again finds nothing."""
    writer.add(TREE, document("a", "first"), ENGLISH)
    writer.add(TREE, document("b", "other"), ENGLISH)
    assert writer.delete(TREE, "a")
    assert not writer.delete(TREE, "a")
    writer.commit()
    assert (["b"], [b"other"]) == (live_keys(store), texts(store))


def test_deleting_then_adding_keeps_the_new_one(store, writer):
    """Within one commit the order of changes is the order asked for."""
    writer.add(TREE, document("a", "first"), ENGLISH)
    writer.commit()
    assert writer.delete(TREE, "a")
    writer.add(TREE, document("a", "second"), ENGLISH)
    writer.commit()
    assert (["a"], [b"second"]) == (live_keys(store), texts(store))


def test_deleting_what_is_not_there_says_so(store, writer):
    """Another tree's document of the same key is not touched."""
    writer.add(TREE, document("a", "first"), ENGLISH)
    assert not writer.delete(TREE + 1, "a")
    assert not writer.delete(TREE, "b")
    writer.commit()
    assert ["a"] == live_keys(store)


def test_another_language_starts_another_segment(store, writer):
    """Rows of one segment are analysed one way; keys ascend over the segments all the same."""
    for number, analyzer in enumerate([ENGLISH, ENGLISH, GERMAN, ENGLISH]):
        writer.add(TREE, document(str(number), "green tea"), analyzer)
    writer.commit()
    assert 3 == segment_count(store)
    assert ["0", "1", "2", "3"] == live_keys(store)


def test_a_full_budget_starts_another_segment(store, monkeypatch):
    """Memory is bounded: rows are written out before the commit, and are true only after it (S12)."""
    monkeypatch.setattr(segment_builder, "FEED_CHARS", 0)  # else small texts wait to be analysed
    with IndexWriter(store, lock_timeout_s=0.0, budget_bytes=1) as writer:
        for number in range(4):
            writer.add(TREE, document(str(number), f"green tea {number}"), ENGLISH)
        writer.delete(TREE, "1")
        writer.commit()
    assert ["0", "2", "3"] == live_keys(store)
    assert 1 < segment_count(store)


def test_the_next_rows_are_analysed_while_a_segment_is_written(store, writer, monkeypatch):
    """A slow disk does not hold up the analysis of what comes next."""
    may_write, is_analysed = threading.Event(), threading.Event()
    create, analyse = store.directory.create, segment_builder.SegmentBuilder._analyse

    def create_late(folder, name):
        assert may_write.wait(60)
        return create(folder, name)

    def note_analysis(builder, waiting):
        analyse(builder, waiting)
        if builder.analyzer is GERMAN:
            is_analysed.set()

    monkeypatch.setattr(store.directory, "create", create_late)
    monkeypatch.setattr(segment_builder, "FEED_CHARS", 0)
    monkeypatch.setattr(segment_builder.SegmentBuilder, "_analyse", note_analysis)
    writer.add(TREE, document("a", "one"), ENGLISH)
    writer.add(TREE, document("b", "zwei"), GERMAN)
    was_analysed = is_analysed.wait(10)
    may_write.set()
    writer.commit()
    assert (True, ["a", "b"]) == (was_analysed, live_keys(store))


def test_a_document_is_kept_whole_however_little_there_is_of_it(store, writer):
    """Rows are written in several ways; every column has what the document says."""
    plain = document("plain", "first\nsecond")
    others = [
        plain._replace(doc_key="path", path="a/b.txt"),
        plain._replace(doc_key="tags", tags=("x", "ü")),
        plain._replace(doc_key="metadata", metadata={"k": [1]}),
        plain._replace(doc_key="format", format="html"),
        plain._replace(doc_key="lines", has_source_lines=False),
        plain._replace(doc_key="chunks", chunks=(plain.chunks[0], Chunk(1, 0, 2, 2, 6, 12))),
    ]
    for one in (plain, *others):
        writer.add(TREE, one, ENGLISH)
    writer.add(TREE, plain._replace(doc_key="file"), ENGLISH, FileStat("/f", 12, 34))
    writer.commit()
    rows = store.open_reader().fetch(
        "SELECT doc_key, title, path, file, file_size, mtime_ns, format, tags, metadata, first_key,"
        " chunk_count, is_live, keeps_lines FROM documents WHERE content_hash = ? ORDER BY doc_id",
        (plain.content_hash,),
    )
    title, none = plain.title, (None, None, None)
    assert [
        ("plain", title, "", *none, "text", "[]", "{}", 1, 1, 1, 1),
        ("path", title, "a/b.txt", *none, "text", "[]", "{}", 2, 1, 1, 1),
        ("tags", title, "", *none, "text", '["x", "ü"]', "{}", 3, 1, 1, 1),
        ("metadata", title, "", *none, "text", "[]", '{"k": [1]}', 4, 1, 1, 1),
        ("format", title, "", *none, "html", "[]", "{}", 5, 1, 1, 1),
        ("lines", title, "", *none, "text", "[]", "{}", 6, 1, 1, 0),
        ("chunks", title, "", *none, "text", "[]", "{}", 7, 2, 1, 1),
        ("file", title, "", "/f", 12, 34, "text", "[]", "{}", 9, 1, 1, 1),
    ] == rows


def test_rolling_back_forgets_everything(store, writer):
    """Documents, deletions and segment folders of the batch are gone; the next batch works."""
    writer.add(TREE, document("a", "first"), ENGLISH)
    generation = writer.commit()
    folders = store.directory.folders()
    writer.add(TREE, document("a", "second"), ENGLISH)
    writer.add(TREE, document("b", "other"), GERMAN)
    writer.delete(TREE, "a")
    writer.rollback()
    assert folders == store.directory.folders()
    assert (["a"], [b"first"]) == (live_keys(store), texts(store))
    assert generation == writer.commit()
    writer.add(TREE, document("c", "third"), ENGLISH)
    assert generation + 1 == writer.commit()
    assert ["a", "c"] == live_keys(store)


def test_closing_rolls_back(store):
    """What was not committed is forgotten."""
    with IndexWriter(store, lock_timeout_s=0.0) as writer:
        writer.add(TREE, document("a", "first"), ENGLISH)
    assert ([], []) == (live_keys(store), texts(store))


def test_a_commit_without_changes_is_no_generation(writer):
    """The number only rises when something became true."""
    assert 0 == writer.commit()
    writer.add(TREE, document("a", "first"), ENGLISH)
    assert 1 == writer.commit()
    assert 1 == writer.commit()


def test_a_blank_document_has_a_row_for_its_title(store, writer):
    """It can be found by its title, and deleted."""
    writer.add(TREE, document("blank", " \n"), ENGLISH)
    writer.commit()
    assert (["blank"], [b" \n"]) == (live_keys(store), texts(store))
    assert writer.delete(TREE, "blank")
    writer.commit()
    assert [] == texts(store)


def test_merging_keeps_what_was_deleted_meanwhile(store, writer):
    """A deletion between the start of a merge and its commit holds in the merged segment."""
    for number in range(8):
        writer.add(TREE, document(str(number), f"green tea {number}"), ENGLISH)
        writer.commit()
    assert 8 == segment_count(store)
    assert writer.start_merge()
    writer.delete(TREE, "3")
    writer.add(TREE, document("5", "replaced"), ENGLISH)
    writer._merging.running.wait()
    writer.commit()
    assert 2 == segment_count(store)
    assert ["0", "1", "2", "4", "6", "7", "5"] == live_keys(store)


def test_orphan_folders_are_swept(store):
    """What a killed writer left behind is removed when the next one starts."""
    out = store.directory.create("sdeadbeef", "terms")
    out.close()
    with IndexWriter(store, lock_timeout_s=0.0):
        assert [] == store.directory.folders()


def test_rows_written_in_groups_are_all_there(store, writer, monkeypatch):
    """However many documents, and however large: each row is written once."""
    monkeypatch.setattr(catalog_writer, "BUFFER_DOCUMENTS", 100)
    monkeypatch.setattr(catalog_writer, "BUFFER_BYTES", 5_000)
    keys = [f"{number:04}" for number in range(700)]
    for number, key in enumerate(keys):
        writer.add(TREE, document(key, key * (1 if number < 400 else 300)), ENGLISH)
    writer.commit()
    assert keys == live_keys(store)
    assert keys == [text[:4].decode() for text in texts(store)]


@pytest.mark.parametrize("step", ["change", "touch", "delete", "add", "commit"])
def test_what_follows_a_failed_batch_is_not_kept(store, writer, monkeypatch, step):
    """Rows that SQLite could not take end the transaction: nothing after them is true by itself."""
    monkeypatch.setattr(catalog_writer, "BUFFER_DOCUMENTS", 2)
    writer.add(TREE, document("old", "first"), ENGLISH)
    writer.commit()
    connection = store.open_writer().connection
    connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON chunks WHEN NEW.doc_id = 4"
        " BEGIN SELECT RAISE(ROLLBACK, 'no room'); END"
    )
    for key in ("a", "b", "c"):
        writer.add(TREE, document(key, "text"), ENGLISH)
    writer.add(TREE, document("d", "text"), ENGLISH)  # c and d are written now, and fail
    steps = {
        "change": lambda: writer.change().__enter__(),
        "touch": lambda: writer.touch(1, FileStat("/other", 1, 1)),
        "delete": lambda: writer.delete(TREE, "old"),
        "add": lambda: [writer.add(TREE, document(key, "text"), ENGLISH) for key in "ef"],
        "commit": writer.commit,
    }
    with pytest.raises(StorageError, match="no room"):
        steps[step]()
    writer.rollback()
    assert (["old"], [b"first"]) == (live_keys(store), texts(store))
    rows = connection.execute("SELECT name, file FROM trees, documents").fetchall()
    assert [("tree", None)] == rows
    connection.execute("DROP TRIGGER full")
    writer.add(TREE, document("new", "text"), ENGLISH)
    writer.commit()
    assert ["old", "new"] == live_keys(store)
