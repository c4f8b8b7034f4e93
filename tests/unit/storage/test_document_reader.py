"""Documents come back from the catalogue as they went in."""

import dowse
from dowse.storage.document_reader import read_document
from dowse.storage.stored_documents import find_documents, list_changed, list_live_chunk_keys, list_titles
from dowse.storage.stored_files import list_file_paths, list_files
from support.open_trees import only_tree

NOTE = """---
tags: [drinks]
author: Ada
---
# Tea

See [[Water]] first.

## Green

Steeped at 80 degrees.
"""


def test_a_document_is_read_as_it_was_indexed(tmp_path):
    """Text, sections, chunks, tags, links and metadata, and what its file looked like."""
    file = tmp_path / "tea.md"
    file.write_text(NOTE)
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path)
        snapshot = only_tree(index).generations.current()
        (named,) = find_documents(snapshot, "tea.md")
        document, stat = read_document(snapshot, named.doc_id)
    assert ("tea.md", "Tea", ("drinks",)) == (document.doc_key, document.title, document.tags)
    assert "Green" in [section.title for section in document.sections]
    assert "Ada" == document.metadata["author"]
    assert ["Water"] == [link.target for link in document.links]
    assert named.chunk_count == len(document.chunks)
    assert (str(file), file.stat().st_size, file.stat().st_mtime_ns) == (stat.file, stat.size, stat.mtime_ns)


def test_a_document_without_headings_has_one_section():
    """It is made again from the text, with all its lines."""
    with dowse.open(":memory:") as index:
        index.add("a", "one\ntwo", title="A")
        index.commit()
        snapshot = only_tree(index).generations.current()
        (named,) = find_documents(snapshot, "a")
        document, stat = read_document(snapshot, named.doc_id)
    (section,) = document.sections
    assert (0, "A", 1, 2) == (section.ordinal, section.title, section.line_start, section.line_end)
    assert stat is None


def test_lists_leave_out_what_was_deleted(tmp_path):
    """Titles, keys of chunks, times and files are those of live documents."""
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\ntext")
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path)
        (tmp_path / "b.md").unlink()
        index.sync_folder(tmp_path)
        snapshot = only_tree(index).generations.current()
        (named,) = find_documents(snapshot, "a.md")
        (tree_id,) = snapshot.trees
        assert ["a.md"] == list_titles(snapshot)
        assert list(named.chunk_keys) == list_live_chunk_keys(snapshot)
        assert [(named.first_key, (tmp_path / "a.md").stat().st_mtime_ns)] == list_changed(snapshot)
        assert {"a.md": str(tmp_path / "a.md")} == list_file_paths(snapshot, tree_id)
        files = list_files(snapshot, tree_id)
        assert [("a.md", named.doc_id)] == [(file.doc_key, file.doc_id) for file in files]
