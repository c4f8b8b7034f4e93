"""Packed Double Metaphone codes."""

from dowse.analysis import sound_codes
from dowse.kernels.sound_rules import SYMBOLS


def unpacked(code: int) -> str:
    """The symbols of a packed code."""
    numbers = [code >> shift & 15 for shift in range(28, -1, -4)]
    return "".join(SYMBOLS[number - 1] for number in numbers if number)


def test_smith_and_schmidt_share_a_sound():
    """Both codes are kept, first symbol highest, in the order of the algorithm."""
    assert ["SM0", "XMT"] == [unpacked(code) for code in sound_codes("smith")]
    assert ["XMT", "SMT"] == [unpacked(code) for code in sound_codes("schmidt")]


def test_a_second_sound_like_the_first_is_left_out():
    """A word with one pronunciation has one code."""
    assert (sound_codes("night"), 0) == (sound_codes("nite"), sound_codes("night")[1])


def test_codes_end_after_eight_symbols():
    """Long words that begin alike for eight symbols sound alike."""
    assert "ANTRNXNL" == unpacked(sound_codes("internationalization")[0])
    assert sound_codes("internationalize") == sound_codes("internationalization")


def test_only_plain_letters_sound():
    """Digits, signs and other scripts have no code, nor has a word that gives none."""
    assert [(0, 0)] * 6 == [sound_codes(word) for word in ("", "utf8", "don't", "naïve", "смит", "漢")]
