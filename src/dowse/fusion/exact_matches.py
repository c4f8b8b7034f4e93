"""The guarantee for exact matches: vectors alone cannot push them down."""

import math
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from dowse.fusion.fusion import Fused

LIFTED = "exact match: the score of the best that may not precede it"


def keep_exact_first(
    fused: Sequence[Fused], exact: Collection[int], lexical: Mapping[int, float]
) -> list[Fused]:
    """Returns the ranking in which no exact match comes after what the words do not rank higher.

    Whatever is in `exact` comes before everything outside it whose lexical score is not higher; to have no
    lexical score is to be below all that have one. Only a better score by words can keep something above
    an exact match. Nothing else moves: those outside `exact` keep their order among each other, and an exact
    match moves only when the rule needs it, to right above the first that it must precede. It then has that
    one's score, and explains why.

    Args:
        fused: Best first.
        exact: Keys of chunks that have the query's exact phrase, title or rare identifier.
        lexical: The scores of the lexical leg, by key.
    """
    wanted = exact if isinstance(exact, set | frozenset) else set(exact)
    waiting = [item for item in fused if item.key in wanted]
    waiting.reverse()  # the first are taken from the end, also of those that the words rank alike
    waiting.sort(key=lambda item: lexical.get(item.key, -math.inf))
    kept: list[Fused] = []
    done: set[int] = set()
    for place, item in enumerate(fused):
        if not waiting:  # nothing moves any more
            kept += [one for one in fused[place:] if one.key not in done]
            break
        if item.key in done:
            continue
        if item.key not in wanted:
            limit = lexical.get(item.key, -math.inf)
            while waiting and lexical.get(waiting[-1].key, -math.inf) >= limit:
                one = waiting.pop()
                if one.key not in done:
                    kept.append(_lift(one, item.score))
                    done.add(one.key)
        kept.append(item)
        done.add(item.key)
    return kept


def _lift(item: Fused, score: float) -> Fused:
    """Returns the item with a score it has not earned; one that it has earned stays."""
    return item if item.score >= score else replace(item, score=score, reason=LIFTED)
