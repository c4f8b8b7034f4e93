"""Document keys that may have been meant by one that no document has."""

from dowse.storage.catalog_parts import CatalogView
from dowse.storage.stored_documents import list_doc_keys


def nearest_keys(view: CatalogView, doc_key: str) -> list[str]:
    """Returns up to three keys that may have been meant: of the same file name, or spelled alike."""
    from difflib import get_close_matches  # only a miss needs it

    keys = list_doc_keys(view)
    tail = doc_key.rsplit("/", 1)[-1]
    same_name = [key for key in keys if key.rsplit("/", 1)[-1] == tail]
    return same_name[:3] or get_close_matches(doc_key, keys, 3, 0.5)
