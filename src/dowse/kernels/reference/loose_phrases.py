"""What a loose phrase is: words near the places they would have in the phrase.

A *match* chooses one position for each word, no position twice, such that the starts ``position - offset``
which the choices imply lie at most `slop` apart. Its *extent* reaches from its first position to its last.
How often a loose phrase occurs is the largest number of matches whose extents do not overlap; taking the
match that ends first, again and again from left to right, finds that many.
"""

from collections.abc import Sequence


def count_matches(places: Sequence[Sequence[int]], offsets: Sequence[int], slop: int) -> int:
    """Returns how often a loose phrase occurs.

    Args:
        places: For each word its positions in one field of one row, ascending.
        offsets: For each word its place in the phrase.
        slop: How far the starts may lie apart; above 0.
    """
    longest = max(offsets) - min(offsets) + slop
    count, last = 0, -1
    for end in sorted(set().union(*places)):
        first = max(last + 1, end - longest)
        if _has_match([[p for p in own if first <= p <= end] for own in places], offsets, slop):
            count, last = count + 1, end
    return count


def _has_match(places: Sequence[Sequence[int]], offsets: Sequence[int], slop: int) -> bool:
    starts = {p - offset for own, offset in zip(places, offsets, strict=True) for p in own}
    return any(
        _can_choose([[p for p in own if start <= p - offset <= start + slop]
                     for own, offset in zip(places, offsets, strict=True)])
        for start in starts
    )  # fmt: skip


def _can_choose(places: Sequence[Sequence[int]]) -> bool:
    """Says whether every word can have a position of its own (augmenting paths, Kuhn 1955)."""
    owners: dict[int, int] = {}

    def find_place(word: int, tried: set[int]) -> bool:
        for position in places[word]:
            if position not in tried:
                tried.add(position)
                if position not in owners or find_place(owners[position], tried):
                    owners[position] = word
                    return True
        return False

    return all(find_place(word, set()) for word in range(len(places)))
