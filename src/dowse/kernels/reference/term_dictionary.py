"""The sorted terms of a segment, as a sequence that can be searched by halves."""

from collections.abc import Sequence

from dowse.kernels.layout import U8, U64


class Terms(Sequence[bytes]):
    """The sorted dictionary as a sequence, for `bisect`."""

    def __init__(self, offsets: U64, text: U8) -> None:
        self.offsets, self.text = offsets, text

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, at: int) -> bytes:  # type: ignore[override]
        return self.text[int(self.offsets[at]) : int(self.offsets[at + 1])].tobytes()
