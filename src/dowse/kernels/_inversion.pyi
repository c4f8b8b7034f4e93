from dowse.kernels.layout import U8, U16, U32, Lists

def invert(
    list_ids: U32,
    rows: U32,
    positions: U16,
    term_count: int,
    buckets: U8,
    first_term: int = 0,
) -> Lists: ...
