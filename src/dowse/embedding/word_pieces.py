"""Splits texts into the numbers of a model's tokens, fast.

BERT's tokenizer looks at each word alone once it has cut at white space and punctuation. So a kernel can cut
the plain words of one that ignores case, and the tokens of all other words can be kept: the numbers are
exactly the tokenizer's, many times as fast. Other tokenizers cut at white space first, but may see the space
before a word; a word at the start of a text then gets the tokens it would have within. The static tier, which
alone uses this, is an estimate anyway. Names of special tokens in a text, such as "[MASK]", are words here.
"""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.embedder import cut_text
from dowse.kernels import PieceCutter

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_TOKENS = 512
MAX_KEPT = 200_000
"""How many words are cached before the cache is cleared; about 40 MB."""
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
        model, normalizer = tokenizer.model, tokenizer.normalizer
        is_plain = is_bert and type(model).__name__ == "WordPiece" and getattr(normalizer, "lowercase", False)
        self._cutter: PieceCutter | None = None
        if is_plain:
            vocabulary, mark = tokenizer.get_vocab(with_added_tokens=False), model.continuing_subword_prefix
            self._cutter = PieceCutter(vocabulary, mark, model.max_input_chars_per_word)

    def split(self, text: str) -> NDArray[np.int32]:
        """Returns the numbers of a text's tokens, in order."""
        start = cut_text(text, self.max_tokens)
        if self._cutter is None:
            return np.array(self._look_up(start)[: self.max_tokens], np.int32)
        encoded = start.encode()
        tokens, gaps = self._cutter.cut(encoded, self.max_tokens)
        if len(gaps):
            tokens = self._fill(tokens.tolist(), gaps.tolist(), encoded)
        return tokens[: self.max_tokens]

    def _fill(self, tokens: list[int], gaps: list[list[int]], text: bytes) -> NDArray[np.int32]:
        """Returns the tokens with those of the words that the cutter left out."""
        filled: list[int] = []
        done = 0
        for place, start, end in gaps:
            filled += tokens[done:place]
            filled += self._look_up(text[start:end].decode())
            done = place
        return np.array(filled + tokens[done:], np.int32)

    def _look_up(self, text: str) -> list[int]:
        kept = self._kept
        tokens: list[int] = []
        for word in self._find_words(text):
            pieces = kept.get(word)
            tokens += self._learn(word) if pieces is None else pieces
        return tokens

    def _learn(self, word: str) -> list[int]:
        pieces: list[int] = self._tokenizer.encode(word, add_special_tokens=False).ids
        if len(word) <= MAX_KEPT_CHARS:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            self._kept[word] = pieces
        return pieces
