"""What the hits of a page are called."""

from dowse.kernels.layout import U8, U32, U64


class RowNames:
    """Tree, document and place of each row of a segment.

    Args:
        key_offsets: Where the document key of each row starts in `key_bytes`, and where the last one ends.
        key_bytes: The keys, UTF-8.
        tree_ids: Of each row.
        ordinals: Of each row, its place in the document.
    """

    def __init__(self, key_offsets: U64, key_bytes: U8, tree_ids: U32, ordinals: U32) -> None:
        if not len(tree_ids) == len(ordinals) == len(key_offsets) - 1:
            raise ValueError("the columns are not of one length")
        self._key_offsets, self._key_bytes = key_offsets, key_bytes
        self._tree_ids, self._ordinals = tree_ids, ordinals

    def read(self, rows: list[int]) -> list[tuple[int, str, int]]:
        """Returns (tree id, document key, place in the document) of some rows.

        Raises:
            IndexError: A row is not there.
        """
        for row in rows:
            if not 0 <= row < len(self._tree_ids):
                raise IndexError(f"there is no row {row}")
        return [(int(self._tree_ids[row]), self._key(row), int(self._ordinals[row])) for row in rows]

    def _key(self, row: int) -> str:
        start, stop = int(self._key_offsets[row]), int(self._key_offsets[row + 1])
        if start >= stop or stop > len(self._key_bytes):
            return ""  # damaged, for no key is empty
        return self._key_bytes[start:stop].tobytes().decode("utf-8", "replace")
