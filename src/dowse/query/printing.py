"""A tree as canonical text: what `parse_query` reads back as the same tree.

Every group inside a group is put in parentheses, needed or not: the text is also what people are shown as
"this is how your query was read".
"""

import re

from dowse.query.names import (
    BARE_EXTENSION,
    COMPARED_NAME,
    KEYWORDS,
    META,
    NAME_PREFIX,
    OPERATORS,
    RANGES,
    URL,
    is_known,
)
from dowse.query.nodes import (
    And,
    Boosted,
    Everything,
    Exact,
    Filter,
    First,
    Fuzzy,
    ItemsNode,
    Named,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Quorum,
    RangeFilter,
    Regex,
    Scoped,
    Sounds,
    WeakAnd,
    Wildcard,
    Word,
)

_ESCAPES = {ord(sign): f"\\{sign}" for sign in '\\()"“”„«»^~*?'}
_ESCAPES_IN_LIST = {**_ESCAPES, ord(","): "\\,"}
# In a pattern, wildcards stay and escaped ones are escaped already.
_SPECIAL_IN_PATTERN = re.compile(r'\\[*?\\]|[()"“”„«»^~,]')
# What needs no escape: nobody types one after a question.
_ENDS_IN_QUESTION = re.compile(r"\A[^?\\]*\?\W*\Z")
_SAFE_VALUE = re.compile(r"(?!//)[\w/*?@+#-][\w/*?@+#.-]*")
_SAFE_SOUND = re.compile(r"\w+")
_JOINTS = {And: " AND ", Or: " OR "}


def unparse_node(node: Node) -> str:
    """Returns a tree as text.

    ``parse_query(unparse_node(node), now=now).root == node`` for every legal tree; `now` matters to relative
    dates only. `BagOfWords` is printed side by side, so the text is for the operator `ranked`.
    """
    return _text(node, in_list=False)


def _text(node: Node, *, in_list: bool) -> str:
    """Returns a node as text; in a list, commas in words are escaped."""
    match node:
        case Word():
            return _escape(node.text, in_list=in_list, is_whole=True)
        case ItemsNode():
            joint = _JOINTS.get(type(node), " ")
            return joint.join(_operand(item, in_list=False) for item in node.items)
        case Not():
            text = _operand(node.item, in_list=in_list)
            # A minus needs something after it that cannot be an arrow or a sign.
            return f"-{text}" if text[0].isalnum() or text[0] in '"(' else f"NOT {text}"
        case Boosted():
            is_apart = isinstance(node.item, Not | Boosted | ItemsNode)
            text = _text(node.item, in_list=in_list and not is_apart)
            return f"{f'({text})' if is_apart else text}^{decimal_text(node.factor)}"
        case Scoped():
            return f"{node.field}:{_scoped_text(node.item, in_list=in_list)}"
        case Near() | First() | Quorum() | WeakAnd():
            return _list_text(node)
        case Filter():
            return f"{node.name}:{','.join(_value(node.name, value) for value in node.values)}"
        case RangeFilter():
            return f"{node.name}:{node.text}"
        case _:
            return _leaf_text(node, in_list=in_list)


def _leaf_text(node: Node, *, in_list: bool) -> str:
    match node:
        case Phrase():
            return _quoted(node.text) + (f"~{node.slop}" if node.slop else "")
        case Prefix():
            return _escape(node.text, in_list=in_list) + "*"
        case Fuzzy():
            edits = "" if node.edits is None else node.edits
            return f"{_escape(node.text, in_list=in_list)}~{edits}"
        case Wildcard():
            return _escape(node.pattern, in_list=in_list, is_pattern=True)
        case Regex():
            return f"/{_escape_slashes(node.pattern)}/"
        case Sounds():
            is_safe = _SAFE_SOUND.fullmatch(node.text)
            return f"sounds:{node.text if is_safe else _quoted(node.text)}"
        case Exact():
            return f"exact:{_quoted(node.text)}"
        case Named():
            return f"named:{_quoted(node.text)}"
        case Everything():
            return "*"
    raise AssertionError(f"not a node: {node!r}")


def _operand(node: Node, *, in_list: bool) -> str:
    """Returns a node as text that can stand beside others."""
    if isinstance(node, ItemsNode):
        return f"({_text(node, in_list=False)})"
    return _text(node, in_list=in_list)


def _scoped_text(node: Node, *, in_list: bool) -> str:
    """Returns a node as text that can stand after ``field:``."""
    if isinstance(node, ItemsNode | Not | Boosted | Filter | RangeFilter | Quorum | Scoped):
        return f"({_text(node, in_list=False)})"
    text = _text(node, in_list=in_list)
    # No prefix ends in “::” or “://”, and a comma says that no value follows.
    return f"\\{text}" if text.startswith((":", "//", ",")) else text


def _list_text(node: Near | First | Quorum | WeakAnd) -> str:
    if isinstance(node, First):
        return f"FIRST({_operand(node.item, in_list=True)}, {node.count})"
    items = [_operand(item, in_list=True) for item in node.items]
    match node:
        case Near():
            return f"{'ONEAR' if node.is_ordered else 'NEAR'}({', '.join(items)}, {node.distance})"
        case WeakAnd():
            return f"WEAKAND({node.keep}: {' '.join(items)})"
        case Quorum():
            needed = node.needed if node.share is None else f"{decimal_text(node.share, shift=2)}%"
            return f"{needed} OF ({' '.join(items)})"


def _escape(text: str, *, in_list: bool, is_whole: bool = False, is_pattern: bool = False) -> str:
    """Returns a word's text with a backslash before all that would be read as something else."""
    if is_whole and (text in KEYWORDS or text in OPERATORS):
        return "\\" + text
    if text.isalnum():
        return text  # as most are
    if is_pattern:
        escaped = _SPECIAL_IN_PATTERN.sub(_with_backslash, text)
    else:
        escaped = text.translate(_ESCAPES_IN_LIST if in_list else _ESCAPES)
    if is_whole and _ENDS_IN_QUESTION.search(text):
        escaped = escaped.replace("\\?", "?")
    if text[0] in "-!" or _is_misread_start(text):
        escaped = "\\" + escaped
    prefix = NAME_PREFIX.match(text)
    ends_early = prefix is not None and is_whole and prefix.end() == len(text) and not is_known(prefix[1])
    if (prefix and not ends_early) or (not is_whole and URL.match(text)):
        return escaped.replace(":", "\\:", 1)
    compared = COMPARED_NAME.match(text)
    return f"{compared[1]}\\{escaped[compared.end() :]}" if compared else escaped


def _with_backslash(found: re.Match[str]) -> str:
    return found[0] if found[0][0] == "\\" and len(found[0]) == 2 else "\\" + found[0]


def _is_misread_start(text: str) -> bool:
    """Returns whether a word would be read as a regular expression or as an extension."""
    is_regex = text[0] == "/" and (text[-1] == "/" or "/," in text)
    return is_regex or BARE_EXTENSION.fullmatch(text) is not None


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _escape_slashes(pattern: str) -> str:
    if "/" not in pattern:
        return pattern
    return re.sub(r"\\.|/", lambda found: "\\/" if found[0] == "/" else found[0], pattern)


def _value(name: str, value: str) -> str:
    # A value with two dots would be a range of numbers if it could be one.
    can_be_range = name in RANGES or name.startswith(META)
    is_safe = _SAFE_VALUE.fullmatch(value) and not (can_be_range and ".." in value)
    return value if is_safe else _quoted(value)


def decimal_text(number: float, *, shift: int = 0) -> str:
    """Returns a number times ten to the power of `shift` as digits without an exponent, exactly."""
    text = repr(number).removesuffix(".0")
    if shift == 0 and "e" not in text:
        return text
    from decimal import Decimal  # rare enough that nobody else waits for it

    shifted = format(Decimal(text).scaleb(shift), "f")
    return shifted.rstrip("0").rstrip(".") if "." in shifted else shifted
