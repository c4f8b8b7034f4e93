"""Which document does a person mean: by the path a search shows, or by its key."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.errors import DocumentNotFoundError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import StoredDocument

_PLACE = re.compile(r":\d+$")


def get_document(index: "Engine", text: str) -> "StoredDocument":
    """Returns the document a person means.

    Tried in turn: a file below an indexed folder, as typed from here; the key in any tree; the
    same without a ``:line`` at the end, so that the header of a hit can be pasted.

    Raises:
        DocumentNotFoundError: Nothing fits.
    """
    candidates = [text]
    if _PLACE.search(text):
        candidates.append(_PLACE.sub("", text))
    for candidate in candidates:
        document = find_by_path(index, candidate) or find_by_key(index, candidate)
        if document is not None:
            return document
    return index.get(candidates[-1])  # raises, with the nearest keys


def find_by_path(index: "Engine", text: str) -> "StoredDocument | None":
    """Returns the document of a file, given its path from here."""
    found = find_key(index, text)
    return None if found is None else find_by_key(index, found[1], tree=found[0])


def find_key(index: "Engine", text: str) -> tuple[str, str] | None:
    """Returns the tree and the key that a file has, or would have; ``None`` outside of all trees."""
    path = Path(os.path.realpath(Path(text).expanduser()))
    found = index.find_tree(path.parent) if path.parent.is_dir() else None
    return None if found is None else (found[0], found[1] + path.name)


def name_document(index: "Engine", text: str) -> tuple[str | None, str]:
    """Returns the tree and the key that a person means, whether or not there is such a document."""
    try:
        document = get_document(index, text)
    except DocumentNotFoundError:
        return find_key(index, text) or (None, text)
    return document.tree, document.doc_key


def find_by_key(index: "Engine", key: str, tree: str | None = None) -> "StoredDocument | None":
    """Returns the document with this key, in one tree or in any."""
    try:
        return index.get(key, tree=tree)
    except DocumentNotFoundError:
        return None
