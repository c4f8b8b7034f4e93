from collections.abc import Sequence

from dowse.kernels.layout import U8, U32, U64, Lists

class Merger:
    def __init__(self, sources: Sequence[tuple[U64, U8, Lists, U32]], buckets: U8) -> None: ...
    def next_block(self, limit_bytes: int) -> tuple[U64, U8, Lists] | None: ...
