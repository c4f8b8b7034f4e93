"""Times of files that changed without their content."""

import os

import dowse


def test_a_touched_file_is_found_by_its_new_time(tmp_path):
    """Nothing is indexed again, and yet `date:` sees it; a date of the document's own still counts."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "plain.md").write_text("water")
    (notes / "dated.md").write_text("---\ndate: 2001-01-01\n---\nwater")
    old, new = 1_500_000_000, 1_600_000_000
    for file in notes.iterdir():
        os.utime(file, (old, old))
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(notes)

        def found(filters: str) -> list[str]:
            request = dowse.SearchRequest(f"water {filters}", fuzzy="never")
            return sorted(hit.doc_key for hit in index.search(request).hits)

        assert ["plain.md"] == found("date:2017")
        for file in notes.iterdir():
            os.utime(file, (new, new))
        index.sync_folder(notes)
        assert ([], ["plain.md"]) == (found("date:2017"), found("date:2020"))
        assert ["dated.md"] == found("date:2001")
        index.rebuild()
        assert ([], ["plain.md"]) == (found("date:2017"), found("date:2020"))
