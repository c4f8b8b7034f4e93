"""A directory in memory, for an index that needs no disk."""

import numpy as np

from dowse.kernels.layout import U8


class _MemoryFile:
    """Bytes that appear in the directory when they are complete."""

    def __init__(self, files: dict[str, bytes], name: str) -> None:
        if name in files:
            raise FileExistsError(name)
        self._files, self._name = files, name
        self._chunks = bytearray()

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Appends bytes."""
        self._chunks += memoryview(chunk).cast("B")

    def close(self) -> None:
        """Puts the file into the directory."""
        self._files[self._name] = bytes(self._chunks)


class MemoryDirectory:
    """Folders in a dictionary."""

    def __init__(self) -> None:
        self._folders: dict[str, dict[str, bytes]] = {}

    def create(self, folder: str, name: str) -> _MemoryFile:
        """Starts a new file."""
        return _MemoryFile(self._folders.setdefault(folder, {}), name)

    def read(self, folder: str, name: str) -> U8:
        """Returns the file's own bytes, not a copy."""
        try:
            return np.frombuffer(self._folders[folder][name], np.uint8)
        except KeyError:
            raise FileNotFoundError(f"{folder}/{name}") from None

    def folders(self) -> list[str]:
        """Returns the names of all folders."""
        return sorted(self._folders)

    def sync(self, folder: str) -> None:
        """Does nothing: memory is as durable as it gets."""

    def remove(self, folder: str) -> None:
        """Forgets a folder."""
        self._folders.pop(folder, None)
