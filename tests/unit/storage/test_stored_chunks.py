"""Chunks as pages of hits show them."""

import dowse
from dowse.storage.catalog_parts import CatalogPart, split_keys
from dowse.storage.stored_chunks import read_chunks
from support.open_trees import only_tree

NOTE = "# Tea\n\nIntroduction.\n\n## Green\n\n### Sencha\n\nSteeped at 80 degrees.\n"


def test_a_chunk_knows_the_sections_around_it(tmp_path):
    """Titles come from the outside in, without the document's own."""
    (tmp_path / "tea.md").write_text(NOTE)
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path)
        hit = index.search("sencha steeped").hits[0]
    assert ("Tea", "Green", "Sencha") == hit.section_path
    assert "sencha" == hit.slug


def test_a_page_of_any_size_takes_three_statements_at_most(tmp_path, monkeypatch):
    """Hits are not looked up one by one."""
    for number in range(30):
        (tmp_path / f"tea{number}.md").write_text(NOTE)
    with dowse.open(":memory:") as index:
        index.sync_folder(tmp_path)
        view = only_tree(index).generations.current()
        asked = []
        monkeypatch.setattr(
            type(view.catalog), "fetch", _counting(type(view.catalog).fetch, asked)
        )
        found = read_chunks(view, list(range(1, 200)))
    assert 30 <= len(found)
    assert len(asked) <= 3


def test_keys_are_split_between_the_parts_that_have_them():
    """A part sees its own keys, and only those."""

    class View:
        parts = (CatalogPart("first"), CatalogPart("second", 10), CatalogPart("third", 20))

    expected = [("first", [1, 10]), ("second", [1]), ("third", [5])]
    assert expected == [(part.catalog, keys) for part, keys in split_keys(View(), [1, 25, 11, 10])]


def _counting(fetch, asked):
    def counted(self, sql, parameters=()):
        asked.append(sql)
        return fetch(self, sql, parameters)

    return counted
