"""Filters side by side that ask for different values of the same thing: ``.pdf .md``."""

from collections.abc import Iterable

from dowse.matching.document_filters import get_filter
from dowse.query import nodes


def join_filters(items: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Returns the items with filters for one single-valued thing joined: any of their values will do.

    Both at once nobody can mean: a document has one extension. Of tags, folders and authors it can have
    several, so those filters stay apart and all must hold.
    """
    joined: list[nodes.Node] = []
    places: dict[str, int] = {}
    for item in items:
        if not isinstance(item, nodes.Filter) or not get_filter(item.name).is_single:
            joined.append(item)
            continue
        place = places.setdefault(item.name, len(joined))
        if place == len(joined):
            joined.append(item)
            continue
        before = joined[place]
        assert isinstance(before, nodes.Filter), "only filters have places"
        joined[place] = nodes.Filter(item.name, before.values + item.values, before.position)
    return joined
