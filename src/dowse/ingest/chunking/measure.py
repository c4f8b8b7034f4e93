"""How long a text is, in words.

A word is a run without white space; a run longer than `LONG_RUN_BYTES` counts one word for every
`BYTES_PER_WORD`. So base64 and minified text count about as much as an embedding model reads in
them, and Chinese, Japanese or Thai, at three bytes a character, count half a word a character.
Bytes, not characters, because no decoding is needed and the answer is the one wanted.
"""

import re

LONG_RUN_BYTES = 36
BYTES_PER_WORD = 6
_LONG_RUN = re.compile(rb"\S{%d,}" % (LONG_RUN_BYTES + 1))


def count_words(text: bytes) -> int:
    """Returns the length of `text` in words; 0 for blank text."""
    extra = sum(run_words(len(run)) - 1 for run in _LONG_RUN.findall(text))
    return len(text.split()) + extra


def run_words(size: int) -> int:
    """Returns what a run of `size` bytes without white space counts."""
    return 1 if size <= LONG_RUN_BYTES else -(-size // BYTES_PER_WORD)
