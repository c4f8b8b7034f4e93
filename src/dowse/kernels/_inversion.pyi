from collections.abc import Sequence

from dowse.kernels.layout import U8, U16, U32, U64, Lists

def invert(
    list_ids: U32,
    rows: U32,
    positions: U16,
    term_count: int,
    buckets: U8,
    first_term: int = 0,
) -> Lists: ...

class Merger:
    def __init__(self, sources: Sequence[tuple[U64, U8, Lists, U32]], buckets: U8) -> None: ...
    def next_block(self, limit_bytes: int) -> tuple[list[bytes], Lists] | None: ...
