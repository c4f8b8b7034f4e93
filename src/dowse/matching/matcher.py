"""The protocol every matcher follows."""

from typing import Protocol

from dowse.kernels.layout import U32


class Matcher(Protocol):
    """Which rows of a snapshot's segments match; made for one snapshot."""

    def rows_in(self, segment: int) -> U32:
        """Returns the rows of a segment that match, ascending, each once; deleted ones may be among them.

        Args:
            segment: Its place in the snapshot.
        """
