"""What holds inside a group of rich text, and the words that change it and nothing else."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

# Where the text of a group goes.
IN_TEXT, IN_NOTHING, IN_CAPTURE, IN_FONTS, IN_STYLES, IN_INFO = range(6)
DELETED, FOR_MAIL = 1, 2
"""Reasons why text is hidden, as bits."""
_MAX_FALLBACK = 64


class State(NamedTuple):
    """What holds inside a group and is as before when it ends."""

    target: int = IN_TEXT
    page: str = ""
    fallback_count: int = 1
    hidden: int = 0
    is_bold: bool = False
    style: int = 0
    outline: int | None = None
    is_item: bool = False
    level: int = 0

    def outside_lists(self) -> "State":
        """Returns this for a paragraph of which nothing was said yet."""
        return self._replace(style=0, outline=None, is_item=False, level=0)


Change = Callable[[State, int | None], State]


def _hide(bit: int) -> Change:
    def change(state: State, number: int | None) -> State:
        return state._replace(hidden=state.hidden & ~bit if number == 0 else state.hidden | bit)

    return change


CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        # How text looks. Hidden text (`v`) is kept: nobody else leaves it out, and people search for it.
        "deleted": _hide(DELETED),
        "htmlrtf": _hide(FOR_MAIL),
        "b": lambda state, number: state._replace(is_bold=number != 0),
        "uc": lambda state, number: state._replace(
            fallback_count=min(max(number or 0, 0), _MAX_FALLBACK)
        ),
        # What a paragraph is.
        "pard": lambda state, _: state.outside_lists(),
        "s": lambda state, number: state._replace(style=number or 0),
        "outlinelevel": lambda state, number: state._replace(outline=number or 0),
        "ls": lambda state, number: state._replace(is_item=(number or 0) > 0),
        "intbl": lambda state, _: state._replace(level=max(state.level, 1)),
        "itap": lambda state, number: state._replace(level=number or 0),
    }
)
