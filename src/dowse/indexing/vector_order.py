"""Which chunks get their vectors first."""

import numpy as np

from dowse.kernels.layout import I64
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.stored_documents import list_changed

_NOW = np.iinfo(np.int64).max


def newest_first(view: CatalogView, keys: I64) -> I64:
    """Returns keys of chunks by when their files changed; texts without a file are first.

    Chunks that were live a moment ago may be gone: where they stand does not matter.
    """
    rows = list_changed(view)
    if not rows:
        return keys
    firsts = np.array([row[0] for row in rows], np.int64)
    changed = np.array([_NOW if row[1] is None else row[1] for row in rows], np.int64)
    own = changed[np.searchsorted(firsts, keys, side="right") - 1]
    newest: I64 = keys[np.lexsort((-keys, -own))]
    return newest


def impressions_first(keys: I64, shown: I64, counts: I64) -> I64:
    """Returns keys by how often they were shown, else in their order.

    Args:
        shown: Ascending; others than `keys` may be among them.
        counts: How often each was shown.
    """
    if not len(shown):
        return keys
    at = np.minimum(np.searchsorted(shown, keys), len(shown) - 1)
    often = np.where(shown[at] == keys, counts[at], 0)
    first: I64 = keys[np.argsort(-often, kind="stable")]
    return first
