"""A tree as its home knows it: what it is called, where it lives, which folder it indexes."""

import os

from msgspec import Struct


class TreeEntry(Struct, frozen=True):
    """A tree of a home.

    What its own catalogue says of name and root is what they were when it was written; what counts is here:
    a folder may have moved, and a copy has another name.

    Attributes:
        folder: Its place below ``trees/``; the whole path of a mounted tree.
        name: Unique in the home.
        root: Absolute path of the folder it indexes; None for pushed texts.
        identity: Device and inode of that folder, so that it is known again when it has moved; empty without
            one.
        is_mounted: Whether the tree lies outside the home and is only read.
    """

    folder: str
    name: str
    root: str | None
    identity: str = ""
    is_mounted: bool = False

    def shorten(self, file: str) -> str:
        """Returns a file's path as the catalogue keeps it: below the root, so that the root may move."""
        if self.root is None:
            return file
        prefix = self.root.rstrip(os.sep) + os.sep
        return file.removeprefix(prefix)

    def resolve(self, file: str) -> str | None:
        """Returns the path of a file from what `shorten` made; None when the tree has no folder here."""
        if self.root is None:
            return file if os.path.isabs(file) else None  # noqa: PTH117 - ten a search
        return os.path.join(self.root, file)  # noqa: PTH118
