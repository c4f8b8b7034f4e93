"""The patterns of `sound_rules`, taken apart: which signs may stand at which place.

Each pattern is a run of sets of signs with a place to lay it on the word: at a distance from the letter being
read, at the beginning, or at the end. A sign is a letter or `NONE`, of which `REACH` stand on both sides of
a word, so that laying on a pattern never needs to ask where the word ends.
"""

import functools
import re
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from dowse.kernels.sound_rules import RULES, Rule

NONE = "."
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # not from `string`, which takes 1 ms to import
SIGNS = LETTERS + NONE
REACH = 8

_CLASSES = {"v": "AEIOUY", "?": SIGNS}
_PARTS = re.compile(r"\[(\^?)([A-Zv.]+)\]|([A-Zv.?])|([()])")


class Anchor(IntEnum):
    """What the place of a pattern is counted from; `SLAVIC` is no pattern but a trait of the word."""

    HERE = 0
    BEGINNING = 1
    END = 2
    SLAVIC = 3


class Pattern(NamedTuple):
    """Signs that a word must have.

    Attributes:
        anchor: What `offset` is counted from.
        offset: Place of the first sign; for `END`, from one place after the last letter.
        signs: What may stand at each place.
    """

    anchor: Anchor
    offset: int
    signs: tuple[frozenset[str], ...]


class Condition(NamedTuple):
    """Holds if one of the patterns fits, or, unless `is_wanted`, if none does."""

    is_wanted: bool
    patterns: tuple[Pattern, ...]


class Step(NamedTuple):
    """A rule, ready to be tried: if all conditions hold, it gives its codes and uses up letters."""

    number: int
    conditions: tuple[Condition, ...]
    primary: str
    secondary: str
    used: int


@functools.cache
def parsed_steps() -> tuple[Step, ...]:
    """Returns all rules, each under its number: the place in the table."""
    return tuple(_parse_rule(number, rule) for number, rule in enumerate(RULES))


@functools.cache
def filed_steps() -> dict[str, tuple[Step, ...]]:
    """Returns the rules that can fit a letter and the sign after it, in the order of the table.

    There is a row for each pair of a letter and a sign, in the order of `SIGNS`. The last step of each row
    has only one condition, on these two signs, so it always fits.
    """
    filed: dict[str, list[Step]] = {here + after: [] for here in LETTERS for after in SIGNS}
    for step in parsed_steps():
        for pair in dict.fromkeys(_pairs(step)):
            filed[pair].append(step)
    return {pair: tuple(steps) for pair, steps in filed.items()}


def _pairs(step: Step) -> Iterator[str]:
    """Yields what the rule's own patterns allow here and next to it."""
    for pattern in step.conditions[0].patterns:
        here, *after = pattern.signs[-pattern.offset :]
        yield from (one + other for one in here for other in (after[0] if after else SIGNS))


def _parse_rule(number: int, rule: Rule) -> Step:
    used = {_parse_pattern(text)[1] for text in rule.patterns.split()}
    assert len(used) == 1, f"{rule} uses up different numbers of letters"
    texts = (True, rule.patterns), (True, rule.where), (False, rule.but)
    conditions = tuple(
        Condition(is_wanted, tuple(_parse_pattern(text)[0] for text in patterns.split()))
        for is_wanted, patterns in texts
        if patterns
    )
    primary, slash, secondary = rule.codes.partition("/")
    return Step(number, conditions, primary, secondary if slash else primary, used.pop())


@functools.cache
def _parse_pattern(text: str) -> tuple[Pattern, int]:
    """Returns a pattern and how many letters stand between its parentheses."""
    if text == "slavic":
        return Pattern(Anchor.SLAVIC, 0, ()), 0
    signs: list[frozenset[str]] = []
    edges: list[int] = []
    for is_other, members, single, edge in _PARTS.findall(text.strip("^$")):
        if edge:
            edges.append(len(signs))
            continue
        named = set("".join(_CLASSES.get(sign, sign) for sign in members or single))
        signs.append(frozenset(set(SIGNS) - named if is_other else named))
    assert len(signs) <= REACH, f"{text} reaches too far"
    if text.startswith("^"):
        return Pattern(Anchor.BEGINNING, 0, tuple(signs)), 0
    if text.endswith("$"):
        return Pattern(Anchor.END, -len(signs), tuple(signs)), 0
    start, end = edges
    return Pattern(Anchor.HERE, -start, tuple(signs)), end - start
