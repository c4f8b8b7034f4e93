from collections.abc import Set as AbstractSet

from dowse.kernels.layout import U8, U32, Lists

def nearest_terms(word_terms: U32, words: U32, distances: U8) -> tuple[U32, U8]: ...
def merge_terms(
    lists: Lists, row_count: int, terms: U32, fields: AbstractSet[int]
) -> tuple[list[tuple[int | tuple[U32, U8, int], int]], int]: ...
