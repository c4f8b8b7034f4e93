"""Words to the pieces of a model's vocabulary, as WordPiece defines them (Wu et al., 2016, section 4.1).

The rules are those of a BERT that ignores case, for what is ASCII; the rest is left to the model's own
tokenizer. Python and Cython find the same pieces.
"""

import re
from collections.abc import Mapping

import numpy as np

from dowse.kernels.layout import I32

_WORDS_AND_MARKS = re.compile(rb"[^\t\n\r !-/:-@\[-`{-~]+|[!-/:-@\[-`{-~]")
_PLAIN = re.compile(rb"[0-9A-Za-z]+|[!-/:-@\[-`{-~]")


class PieceCutter:
    """Cuts texts into pieces of a vocabulary, the longest from the left.

    Args:
        pieces: Their numbers, from 0.
        inner_mark: Stands before pieces that do not begin a word.
        max_word_chars: Longer words are left to the caller.
    """

    def __init__(self, pieces: Mapping[str, int], inner_mark: str, max_word_chars: int) -> None:
        self._numbers, self._inner_mark = dict(pieces), inner_mark
        self._max_word_chars = max_word_chars

    def cut(self, text: bytes, at_most: int) -> tuple[I32, I32]:
        """Returns the numbers of a text's pieces in order, and what could not be cut here.

        White space is a space, a tab or an end of line; every other ASCII mark is a word. A word that has
        anything but ASCII letters and digits, is too long, or has a part that is no piece, is a gap.

        Args:
            text: In UTF-8.
            at_most: Stops when it has so many pieces, or a few more.

        Returns:
            Numbers, and gaps as rows of three: how many numbers come before, and the bytes where the gap
            begins and ends.
        """
        numbers: list[int] = []
        gaps: list[tuple[int, int, int]] = []
        for match in _WORDS_AND_MARKS.finditer(text):
            if len(numbers) >= at_most:
                break
            word = match[0]
            is_plain = len(word) <= self._max_word_chars and _PLAIN.fullmatch(word)
            pieces = self._cut_greedily(word.decode().lower()) if is_plain else None
            if pieces is None:
                gaps.append((len(numbers), *match.span()))
            else:
                numbers += pieces
        return np.array(numbers, np.int32), np.array(gaps, np.int32).reshape(-1, 3)

    def _cut_greedily(self, word: str) -> list[int] | None:
        """Returns the longest pieces from the left; None when there are none."""
        numbers, pieces = self._numbers, []
        start, mark, length = 0, "", len(word)
        while start < length:
            for end in range(length, start, -1):
                number = numbers.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return None
            pieces.append(number)
            start, mark = end, self._inner_mark
        return pieces
