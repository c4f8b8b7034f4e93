"""Impressions: which chunks answers have shown before the model had embedded them. It embeds those next.

A hint, and no more. It stands beside the catalogue because a search never writes there and waits for no lock;
keys of chunks that are gone mean nothing, and where it cannot be written nothing is missed but an order.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from dowse.kernels.layout import I64

FILE_NAME = "impressions"
MOST_BYTES = 256 << 10
"""Room for 32,768 keys; what is shown beyond it is not noted until the model is done."""
_KEY = np.dtype("<i8")


class Impressions:
    """The keys of chunks that were shown, in any order, as often as they were. Any process may add.

    Args:
        home: The index's folder; None for an index in memory.
    """

    def __init__(self, home: Path | None) -> None:
        self._path = None if home is None else home / FILE_NAME
        self._kept = b""

    def add(self, keys: Sequence[int]) -> None:
        """Notes that chunks were shown."""
        added = np.array(keys, _KEY).tobytes()
        if self._path is None:
            self._kept = (self._kept + added)[:MOST_BYTES]
            return
        with suppress(OSError), self._path.open("ab", buffering=0) as file:
            if file.tell() < MOST_BYTES:
                file.write(added)

    def count(self) -> tuple[I64, I64]:
        """Returns the keys, ascending, and how often each was shown."""
        noted = self._kept
        if self._path is not None:
            try:
                noted = self._path.read_bytes()
            except OSError:
                noted = b""
        keys = np.frombuffer(noted, _KEY, len(noted) // _KEY.itemsize)
        found, counts = np.unique(keys.astype(np.int64), return_counts=True)
        return found, counts.astype(np.int64)

    def forget(self) -> None:
        """Forgets them all: there is nothing left to be read."""
        self._kept = b""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
