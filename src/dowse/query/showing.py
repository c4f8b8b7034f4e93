"""A tree as indented lines, for people who want to see how their query was read."""

from dowse.query.nodes import (
    And,
    Boosted,
    Everything,
    Filter,
    First,
    Fuzzy,
    ItemsNode,
    Near,
    Node,
    Not,
    Or,
    PatternNode,
    Phrase,
    Quorum,
    RangeFilter,
    Scoped,
    TextNode,
    WeakAnd,
)
from dowse.query.printing import decimal_text

_INDENT = "  "


def show_tree(node: Node | None) -> list[str]:
    """Returns one line per node; what belongs to a node stands below it, indented."""
    return ["nothing"] if node is None else _lines(node, "")


def _lines(node: Node, indent: str) -> list[str]:
    label, items = _label(node), _items(node)
    lines = [indent + label]
    for item in items:
        lines += _lines(item, indent + _INDENT)
    return lines


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node, ItemsNode | Near | Quorum | WeakAnd):
        return node.items
    return (node.item,) if isinstance(node, First | Scoped | Boosted | Not) else ()


def _label(node: Node) -> str:
    """Returns a node in words, without what belongs to it."""
    match node:
        case And():
            return "all of"
        case Or():
            return "any of"
        case ItemsNode():
            return "most of"
        case Not():
            return "not"
        case Near():
            return f"near, {'in order' if node.is_ordered else 'in any order'}, within {node.distance}"
        case First():
            return f"among the first {node.count}"
        case Quorum():
            least = node.needed if node.share is None else f"{decimal_text(node.share, shift=2)}%"
            return f"at least {least} of"
        case WeakAnd():
            return f"best {node.keep} with any of"
        case Scoped():
            return f"in {node.field}"
        case Boosted():
            return f"times {decimal_text(node.factor)}"
        case _:
            return _leaf_label(node)


def _leaf_label(node: Node) -> str:
    match node:
        case TextNode():
            return f"{type(node).__name__.lower()} “{node.text}”"
        case PatternNode():
            return f"{type(node).__name__.lower()} “{node.pattern}”"
        case Phrase():
            return f"phrase “{node.text}”" + (f", slop {node.slop}" if node.slop else "")
        case Fuzzy():
            return f"fuzzy “{node.text}”" + ("" if node.edits is None else f", {node.edits} edits")
        case Filter():
            return f"{node.name} is {' or '.join(f'“{value}”' for value in node.values)}"
        case RangeFilter():
            return f"{node.name} is {node.text}"
        case Everything():
            return "everything"
    raise AssertionError(f"not a node: {node!r}")
