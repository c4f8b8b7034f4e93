from dowse.kernels.layout import F32, I8, I16, U8, U32

def scan_bits(
    bits: U8, factors: F32, biases: F32, lookup: U8, step: float, allowed: U8 | None, count: int
) -> U32: ...
def score_levels(
    levels: I8, scales: F32, biases: F32, query: I16, step: float, rows: U32, count: int
) -> tuple[U32, F32]: ...
