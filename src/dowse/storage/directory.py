"""Bytes by name: the one seam between segments and the disk.

Two members, `DiskDirectory` and `MemoryDirectory`; `tests/conformance/test_directory.py` holds both to
this contract. Files are written once, from start to end, and then only read.
"""

from typing import Protocol

from dowse.kernels.layout import U8


class OutputFile(Protocol):
    """A file being written."""

    def write(self, chunk: bytes | bytearray | memoryview) -> object:
        """Appends bytes."""

    def close(self) -> None:
        """Makes everything written durable and closes the file."""


class Directory(Protocol):
    """A flat set of folders, each with files that never change once closed."""

    def create(self, folder: str, name: str) -> OutputFile:
        """Starts a new file; the folder is made when needed. The file must not exist yet."""

    def read(self, folder: str, name: str) -> U8:
        """Returns a file's bytes as a read-only array, mapped rather than read where possible.

        Raises:
            FileNotFoundError: There is no such file.
        """

    def folders(self) -> list[str]:
        """Returns the names of all folders."""

    def sync(self, folder: str) -> None:
        """Makes the names of a folder's files durable."""

    def remove(self, folder: str) -> None:
        """Removes a folder with its files; no error when it is not there. Open arrays stay valid."""
