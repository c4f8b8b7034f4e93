"""The sections of documents; a document without headings has none in the catalogue."""

from dowse.schema import Section
from dowse.storage.catalog_parts import CatalogView, find_part

SECTION_COLUMNS = "ordinal, parent, depth, title, slug, line_start, line_end, byte_start, byte_end"


def list_sections(view: CatalogView, doc_id: int) -> list[Section]:
    """Returns the sections of a document, by ordinal; none when it has no headings."""
    part, own_id = find_part(view, doc_id)
    sql = f"SELECT {SECTION_COLUMNS} FROM sections WHERE doc_id = ? ORDER BY ordinal"
    return [Section(*row) for row in part.catalog.fetch(sql, (own_id,))]
