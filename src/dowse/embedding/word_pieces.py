"""Splits texts into the numbers of a model's tokens, fast: words that were seen before are looked up.

BERT's tokenizer looks at each word alone once it has cut at white space and punctuation, so that the tokens
of a word can be kept: the numbers are exactly the tokenizer's, several times as fast. Other tokenizers cut
at white space first, but may see the space before a word; a word at the start of a text then gets the
tokens it would have within. The static tier, which alone uses this, is an estimate anyway. Names of special
tokens in a text, such as "[MASK]", are words here.
"""

import re
from typing import TYPE_CHECKING

from dowse.embedding.embedder import cut_text

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_TOKENS = 512
MAX_KEPT = 200_000
"""Words that are kept before all are forgotten; about 40 MB."""
MAX_KEPT_CHARS = 100
"""Longer words are rarely seen twice."""

# What Unicode calls white space. Python's \s has control characters too, which BERT drops without cutting.
_SPACES = "\\t\\n\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_MARKS = "!-/:-@\\[-`{-~"
# Marks beyond ASCII stay with their word, and the tokenizer cuts there: Unicode and BERT differ on some.
_WORDS_AND_MARKS = re.compile(f"[^{_SPACES}{_MARKS}]+|[{_MARKS}]")
_WORDS = re.compile(f"[^{_SPACES}]+")


class WordPieces:
    """The tokens of texts by number, without special tokens. Safe to share between threads.

    Attributes:
        max_tokens: Tokens of a text that count.
    """

    def __init__(self, tokenizer: "Tokenizer", max_tokens: int = DEFAULT_TOKENS) -> None:
        """Takes a tokenizer that does not pad.

        Args:
            tokenizer: Of the model whose table is used, as `open_tokenizer` gives it.
            max_tokens: Tokens of a text that count.
        """
        self._tokenizer, self.max_tokens = tokenizer, max_tokens
        is_bert = type(tokenizer.pre_tokenizer).__name__ == "BertPreTokenizer"
        self._find_words = (_WORDS_AND_MARKS if is_bert else _WORDS).findall
        self._kept: dict[str, list[int]] = {}
        # Plain words of a BERT that ignores case are cut here: asking the tokenizer costs twice as much a
        # word.
        model, normalizer = tokenizer.model, tokenizer.normalizer
        is_plain = is_bert and type(model).__name__ == "WordPiece" and getattr(normalizer, "lowercase", False)
        self._numbers: dict[str, int] = tokenizer.get_vocab() if is_plain else {}
        self._max_word_chars = model.max_input_chars_per_word if is_plain else 0
        self._inner_mark: str = model.continuing_subword_prefix if is_plain else ""

    def split(self, text: str) -> list[int]:
        """Returns the numbers of a text's tokens, in order."""
        kept = self._kept
        tokens: list[int] = []
        for word in self._find_words(cut_text(text, self.max_tokens)):
            pieces = kept.get(word)
            tokens += self._learn(word) if pieces is None else pieces
        return tokens[: self.max_tokens]

    def _learn(self, word: str) -> list[int]:
        pieces = None
        if len(word) <= self._max_word_chars and word.isascii() and word.isprintable():
            pieces = self._cut_greedily(word.lower())
        if pieces is None:
            pieces = self._tokenizer.encode(word, add_special_tokens=False).ids
        if len(word) <= MAX_KEPT_CHARS:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            self._kept[word] = pieces
        return pieces

    def _cut_greedily(self, word: str) -> list[int] | None:
        """Returns the longest pieces from the left, as WordPiece defines them; None when there are none."""
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
