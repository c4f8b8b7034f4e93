"""Nodes side by side: several become one."""

from collections.abc import Sequence
from typing import TypeAlias

from dowse.query.nodes import And, BagOfWords, Node, Or

Group: TypeAlias = type[BagOfWords] | type[And] | type[Or]


def build_group(group: Group, items: Sequence[Node | None]) -> Node | None:
    """Returns items as one node: nothing for none, the item for one, without an And in an And."""
    kept: list[Node] = []
    for item in items:
        if item is None:
            continue
        if group is not BagOfWords and isinstance(item, group):
            kept += item.items
        else:
            kept.append(item)
    if len(kept) < 2:
        return kept[0] if kept else None
    return group(tuple(kept), kept[0].position)
