"""Where lines begin in a text.

A line ends at a line feed and nowhere else, as for grep, git and most editors' line numbers; a lone
carriage return is ordinary text.
"""

from bisect import bisect_right
from functools import cached_property

from dowse.kernels import line_starts


class LineTable:
    """Line starts of one text, for turning byte offsets into line numbers and back.

    They are looked for when first asked for: a text of one chunk needs only their number.
    """

    def __init__(self, text: bytes) -> None:
        self._text = text
        self.size = len(text)

    @cached_property
    def starts(self) -> list[int]:
        """Where each line starts; at least one."""
        return line_starts(self._text)

    @property
    def count(self) -> int:
        """How many lines there are; a final line feed starts none."""
        return self._text.count(b"\n", 0, max(self.size - 1, 0)) + 1

    def line_at(self, offset: int) -> int:
        """Returns the number, from 1, of the line that holds the byte at `offset`."""
        return bisect_right(self.starts, offset) or 1

    def line_range(self, byte_start: int, byte_end: int) -> tuple[int, int]:
        """Returns first and last line, from 1 and inclusive, of a half-open byte range."""
        return self.line_at(byte_start), self.line_at(max(byte_end - 1, byte_start))

    def start_of(self, index: int) -> int:
        """Returns where the line with this index, from 0, starts; past the end, the text's size."""
        return self.starts[index] if index < len(self.starts) else self.size
