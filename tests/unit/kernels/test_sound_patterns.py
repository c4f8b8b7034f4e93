"""The patterns of the table of sounds, taken apart."""

import pytest

from dowse.kernels.sound_patterns import REACH, SIGNS, Anchor, Pattern, filed_steps, parsed_steps
from dowse.kernels.sound_patterns import _parse_pattern as parse
from dowse.kernels.sound_rules import SYMBOLS


def signs(*texts: str) -> tuple[frozenset[str], ...]:
    """Sets of the letters of each text."""
    return tuple(map(frozenset, texts))


@pytest.mark.parametrize(
    ("text", "pattern", "used"),
    [
        ("(BB)", Pattern(Anchor.HERE, 0, signs("B", "B")), 2),
        ("M[EA]IE(R).", Pattern(Anchor.HERE, -4, signs("M", "EA", "I", "E", "R", ".")), 1),
        (".(v)", Pattern(Anchor.HERE, -1, signs(".", "AEIOUY")), 1),
        ("[^v.](GH)", Pattern(Anchor.HERE, -1, signs("BCDFGHJKLMNPQRSTVWXZ", "G", "H")), 2),
        ("(SC?)", Pattern(Anchor.HERE, 0, signs("S", "C", SIGNS)), 3),
        ("^SCH", Pattern(Anchor.BEGINNING, 0, signs("S", "C", "H")), 0),
        ("AS$", Pattern(Anchor.END, -2, signs("A", "S")), 0),
        ("slavic", Pattern(Anchor.SLAVIC, 0, ()), 0),
    ],
)
def test_patterns_are_taken_apart(text: str, pattern: Pattern, used: int):
    """A pattern knows its place, the signs it allows, and how many letters it uses up."""
    assert (pattern, used) == parse(text)


def test_every_letter_has_a_rule_that_always_fits():
    """The last rule of each pair has no further condition, so no word is without an answer."""
    for pair, steps in filed_steps().items():
        assert 1 == len(steps[-1].conditions)
        fitting = [
            pattern
            for pattern in steps[-1].conditions[0].patterns
            if pattern.offset == 0
            and len(pattern.signs) <= 2
            and all(sign in allowed for sign, allowed in zip(pair, pattern.signs, strict=False))
        ]
        assert fitting, pair


def test_every_rule_goes_on_and_stays_near():
    """A rule uses up at least one letter, reads no further than `REACH`, and speaks in symbols."""
    for step in parsed_steps():
        assert step.used >= 1
        assert set(step.primary + step.secondary) <= set(SYMBOLS)
        for condition in step.conditions:
            for pattern in condition.patterns:
                assert -REACH <= pattern.offset
                assert len(pattern.signs) <= REACH
