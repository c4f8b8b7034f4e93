"""Compiles wildcards and regular expressions to automata that read a word once, in bounded time.

Backtracking matchers need exponential time for some patterns. Here a pattern becomes a deterministic
automaton before any word is read: its character positions and what may follow each (Glushkov 1961), then the
sets of positions that can be reached together. Patterns whose automaton would be large are refused; the work
is counted, so that a refusal takes as little time as a success.
"""

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

import numpy as np
from msgspec import Struct

from dowse.errors import PatternTooComplexError
from dowse.kernels.layout import Automaton
from dowse.matching.characters import CharacterSet, divide
from dowse.matching.pattern_syntax import (
    Chain,
    Characters,
    Choice,
    Node,
    Repeat,
    parse_expression,
    parse_wildcard,
)

MAX_POSITIONS = 200
MAX_STATES = 2000
# Steps of the construction; with the caps above, the slowest pattern found takes 35 ms.
MAX_WORK = 100_000


class Pattern(Struct, frozen=True):
    """A compiled pattern.

    Attributes:
        source: As it was given.
        automaton: For `Vocabulary.matching`.
        literal_prefix: UTF-8 that every match begins with; may be empty.
        literal_suffix: UTF-8 that every match ends with; may be empty.
        literal: UTF-8 that every match has somewhere in it, the longest there is; may be empty.
    """

    source: str
    automaton: Automaton
    literal_prefix: bytes
    literal_suffix: bytes
    literal: bytes

    def matches(self, word: str) -> bool:
        """Says whether a whole word matches."""
        state = 0
        for letter in word:
            at = int(np.searchsorted(self.automaton.bounds, ord(letter), side="right")) - 1
            state = int(self.automaton.transitions[state, self.automaton.classes[at]])
            if state < 0:
                return False
        return bool(self.automaton.accepting[state])


# As `re` does for its own: the next page, or another filter, asks for the same pattern again.
_MAX_KEPT = 256


@lru_cache(_MAX_KEPT)
def compile_wildcard(pattern: str) -> Pattern:
    """Compiles ``*``, ``?`` and backslash escapes.

    Raises:
        PatternTooComplexError: Its automaton would be too large.
    """
    return _compile(pattern, parse_wildcard(pattern))


@lru_cache(_MAX_KEPT)
def compile_expression(pattern: str) -> Pattern:
    """Compiles a regular expression, matched with whole words.

    Raises:
        InvalidPatternError: It is not one, or has something that is not supported.
        PatternTooComplexError: Its automaton would be too large.
    """
    return _compile(pattern, parse_expression(pattern))


def _compile(source: str, node: Node) -> Pattern:
    size = _count_positions(node)
    if size > MAX_POSITIONS:
        reason = f"written out it has {size:,} letters, more than {MAX_POSITIONS:,}"
        raise PatternTooComplexError(pattern=source[:60], reason=reason)
    positions = _Positions()
    whole = positions.add(node)
    automaton = _determine(source, positions, whole)
    prefix = _literal(positions.members, positions.follow, whole)
    turned = _Part(whole.last, whole.first, whole.is_nullable)
    suffix = _literal(positions.members, _turn_around(positions.follow), turned)[::-1]
    literal = max("".join(_letters(node)).split(_APART), key=len)
    texts = [text.encode("utf-8", "replace") for text in (prefix, suffix, literal)]
    return Pattern(source, automaton, *texts)


# Between letters of which not all matches have one right after the other; a word has no such character.
_APART = "\0"


def _letters(node: Node) -> Iterator[str]:
    """Yields the letters that every match has, in order, and `_APART` where others may stand between."""
    if isinstance(node, Characters):
        start, stop = node.members[0] if len(node.members) == 1 else (0, 2)
        is_letter = stop - start == 1 and not 0xD800 <= start < 0xE000
        yield chr(start) if is_letter else _APART
    elif isinstance(node, Chain):
        for part in node.parts:
            yield from _letters(part)
    else:
        yield _APART
        if isinstance(node, Repeat) and node.least:
            yield from _letters(node.part)
        yield _APART


def _count_positions(node: Node) -> int:
    if isinstance(node, Characters):
        return 1
    if isinstance(node, Repeat):
        count = max(node.least, 1) if node.most is None else node.most
        return max(1, count * _count_positions(node.part))
    # What is empty counts as well: copying nothing a million times takes time too.
    return max(1, sum(map(_count_positions, node.parts if isinstance(node, Chain) else node.branches)))


class _Part(Struct, frozen=True):
    """What a part of a pattern looks like from outside; sets of positions are bits of a number."""

    first: int
    last: int
    is_nullable: bool


EMPTY = _Part(0, 0, True)


class _Positions:
    """The character positions of a pattern and, for each, the positions that may follow it."""

    def __init__(self) -> None:
        self.members: list[CharacterSet] = []
        self.follow: list[int] = []

    def add(self, node: Node) -> _Part:
        if isinstance(node, Characters):
            self.members.append(node.members)
            self.follow.append(0)
            bit = 1 << len(self.follow) - 1
            return _Part(bit, bit, False)
        if isinstance(node, Chain):
            return self.join(map(self.add, node.parts))
        if isinstance(node, Choice):
            parts = [self.add(branch) for branch in node.branches]
            first = reduce(or_, (part.first for part in parts))
            last = reduce(or_, (part.last for part in parts))
            return _Part(first, last, any(part.is_nullable for part in parts))
        return self.join(self.copies(node))

    def copies(self, node: Repeat) -> Iterator[_Part]:
        """Writes a repetition out: the copies it must have, then those it may have."""
        count = max(node.least, 1) if node.most is None else node.most
        for number in range(count):
            part = self.add(node.part)
            if node.most is None and number == count - 1:
                self.connect(part.last, part.first)
            yield _Part(part.first, part.last, part.is_nullable or number >= node.least)

    def join(self, parts: Iterator[_Part]) -> _Part:
        whole = EMPTY
        for part in parts:
            self.connect(whole.last, part.first)
            whole = _Part(
                whole.first | (part.first if whole.is_nullable else 0),
                part.last | (whole.last if part.is_nullable else 0),
                whole.is_nullable and part.is_nullable,
            )
        return whole

    def connect(self, last: int, first: int) -> None:
        for position in _bits(last):
            self.follow[position] |= first


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _determine(source: str, positions: _Positions, whole: _Part) -> Automaton:
    """Numbers the sets of positions that some beginning of a word can reach together.

    A set holds where the next letter may stand, so the first state is `whole.first`. Whether a word may end
    is no property of such a set; a bit above all positions says it.
    """
    sets = list(dict.fromkeys(positions.members))
    number_of = {members: number for number, members in enumerate(sets)}
    set_of = [number_of[members] for members in positions.members]
    bounds, classes, sets_of_class = divide(sets)
    end = 1 << len(positions.follow)
    after = [follow | (end if whole.last >> at & 1 else 0) for at, follow in enumerate(positions.follow)]
    states = {whole.first | (end if whole.is_nullable else 0): 0}
    transitions: list[list[int]] = []
    work = 0
    pending = list(states)
    for state in pending:  # grows while it is read
        reached = [0] * len(sets)
        for position in _bits(state & end - 1):
            reached[set_of[position]] |= after[position]
            work += 1
        row = []
        for members in sets_of_class:
            target = 0
            for number in members:
                target |= reached[number]
            if target and target not in states:
                states[target] = len(states)
                pending.append(target)
            row.append(states.get(target, -1))
            work += 1 + len(members)
        transitions.append(row)
        if len(states) > MAX_STATES or work > MAX_WORK:
            reason = "deciding about a word would need too many states"
            raise PatternTooComplexError(pattern=source[:60], reason=reason)
    return Automaton(
        np.array(transitions, np.int32),
        np.array([state >= end for state in states], np.uint8),
        bounds,
        classes,
    )


def _literal(members: list[CharacterSet], follow: list[int], whole: _Part) -> str:
    """Returns the letters that every match has from its beginning on."""
    letters: list[str] = []
    here, may_end = whole.first, whole.is_nullable
    while here and not may_end:
        found = {members[position] for position in _bits(here)}
        (only,) = found if len(found) == 1 else [()]
        if len(only) != 1 or only[0][1] - only[0][0] != 1:
            break
        letters.append(chr(only[0][0]))
        may_end = bool(here & whole.last)
        here = reduce(or_, (follow[position] for position in _bits(here)))
    return "".join(letters)


def _turn_around(follow: list[int]) -> list[int]:
    """Returns for each position those that may stand before it."""
    before = [0] * len(follow)
    for position, following in enumerate(follow):
        for later in _bits(following):
            before[later] |= 1 << position
    return before
