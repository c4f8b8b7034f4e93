"""A directory on disk: memory-mapped reads, synced writes."""

import os
from io import FileIO
from pathlib import Path

import numpy as np

from dowse.kernels.layout import U8


class _SyncedFile:
    """An append-only file that is on the disk when `close` returns."""

    def __init__(self, path: Path) -> None:
        self._file: FileIO = path.open("xb", buffering=0)

    def write(self, chunk: bytes | bytearray | memoryview) -> None:
        """Appends bytes, all of them: an unbuffered write may stop short on a full disk."""
        view = memoryview(chunk).cast("B")
        while view:
            written = self._file.write(view)
            view = view[written:]

    def close(self) -> None:
        """Syncs and closes; the file is closed even when the sync fails."""
        try:
            os.fsync(self._file.fileno())
        finally:
            self._file.close()


class DiskDirectory:
    """Folders below one root folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def create(self, folder: str, name: str) -> _SyncedFile:
        """Starts a new file."""
        (self.root / folder).mkdir(parents=True, exist_ok=True)
        return _SyncedFile(self.root / folder / name)

    def read(self, folder: str, name: str) -> U8:
        """Maps a file."""
        path = self.root / folder / name
        if path.stat().st_size == 0:
            return np.zeros(0, np.uint8)
        return np.memmap(path, np.uint8, "r").view(np.ndarray)

    def folders(self) -> list[str]:
        """Returns the folders below the root; none when the root is not there."""
        if not self.root.is_dir():
            return []
        return sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())

    def sync(self, folder: str) -> None:
        """Syncs the folder and the root, so that the folder itself survives too."""
        if os.name == "nt":  # Windows cannot open folders; NTFS journals names by itself
            return
        for path in (self.root / folder, self.root):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def remove(self, folder: str) -> None:
        """Removes a folder; what another process still holds open on Windows stays for the next sweep."""
        import shutil  # 3 ms, with all that it can pack; a search removes nothing

        shutil.rmtree(self.root / folder, ignore_errors=True)
