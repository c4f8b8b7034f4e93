"""How much one file may become while it is read.

A compressed file can be a million times larger inside, and hold itself. Everything that unpacks takes what
it unpacks from one allowance, which a file shares with all the files inside it.
"""

from msgspec import Struct


class UnextractableError(Exception):
    """There is no text to be had from a file; becomes a problem of the same words.

    Attributes:
        code: Stable, kebab-case name for programs.
        message: One sentence for people, that starts in lower case and has no full stop.
        hint: What the reader can do about it; empty when we do not know.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint


class ExtractionLimits(Struct, frozen=True):
    """What a file may cost.

    Attributes:
        seconds: Of wall time, for one file.
        memory_bytes: Of one worker process.
        text_bytes: Of stored text; more is cut off, with a problem.
        expanded_bytes: Of everything unpacked from one file.
        expansion_ratio: Unpacked to packed; counts from a mebibyte unpacked on.
        members: Files inside a file, at all depths.
        depth: Files inside files.
    """

    seconds: float = 30.0
    memory_bytes: int = 1 << 30
    text_bytes: int = 16 << 20
    expanded_bytes: int = 256 << 20
    expansion_ratio: int = 200
    members: int = 10_000
    depth: int = 3


DEFAULT_LIMITS = ExtractionLimits()
_RATIO_COUNTS_FROM_BYTES = 1 << 20


class Allowance:
    """What is left of the limits while one file is read, with all that is inside it."""

    def __init__(self, limits: ExtractionLimits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self.depth = 0
        self._expanded_bytes = 0
        self._members = 0

    def expand(self, packed_bytes: int, unpacked_bytes: int, more_bytes: int) -> None:
        """Takes what was just unpacked.

        Args:
            packed_bytes: Of the whole member.
            unpacked_bytes: Of the member so far.
            more_bytes: What came since the last call.

        Raises:
            UnextractableError: That is more than a file may become.
        """
        self._expanded_bytes += more_bytes
        if self._expanded_bytes > self.limits.expanded_bytes:
            raise UnextractableError(
                "expands-too-much",
                f"it unpacks to more than {self.limits.expanded_bytes >> 20} MB",
            )
        is_bomb = unpacked_bytes > packed_bytes * self.limits.expansion_ratio
        if is_bomb and unpacked_bytes > _RATIO_COUNTS_FROM_BYTES:
            raise UnextractableError(
                "expands-too-much",
                f"it unpacks to {unpacked_bytes // max(packed_bytes, 1):,} times its size, as only bombs do",
            )

    def enter_member(self) -> None:
        """Counts a file inside this one; `leave_member` when it is read.

        Raises:
            UnextractableError: There are too many, or too deep inside each other.
        """
        self._members += 1
        if self._members > self.limits.members:
            raise UnextractableError(
                "too-many-members", f"it holds more than {self.limits.members:,} files"
            )
        if self.depth >= self.limits.depth:
            raise UnextractableError(
                "nested-too-deep",
                f"files are packed inside each other more than {self.limits.depth} deep",
            )
        self.depth += 1

    def leave_member(self) -> None:
        """Returns to the file around this one."""
        self.depth -= 1
