"""A small cache that forgets what was not asked for the longest."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LeastRecentlyUsed(Generic[Key, Value]):
    """Keeps so many values at most. Several threads may ask at once; a value is then made twice, at worst."""

    __slots__ = ("_at_most", "_values")

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> list[Value]:
        """Returns all values that are kept."""
        return list(self._values.values())

    def find(self, key: Key) -> Value | None:
        """Returns the value of a key; None when it is not there."""
        try:
            self._values.move_to_end(key)
            return self._values[key]
        except KeyError:  # never there, or forgotten between the two lines by another thread
            return None

    def keep(self, key: Key, value: Value) -> Value:
        """Returns a value that is kept from now on."""
        self._values[key] = value
        while len(self._values) > self._at_most:
            self._values.popitem(last=False)
        return value
