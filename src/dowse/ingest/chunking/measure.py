"""How long a text is, in words.

A word is a run without white space; a run longer than `LONG_RUN_BYTES` counts one word for every
`BYTES_PER_WORD`. So base64 and minified text count about as much as an embedding model reads in
them, and Chinese, Japanese or Thai, at three bytes per character, count half a word per character.
Bytes, not characters, because no decoding is needed and the answer is the one wanted.
"""

from dowse import kernels

LONG_RUN_BYTES = 36
BYTES_PER_WORD = 6


def count_words(text: bytes, start: int, end: int) -> int:
    """Returns the length of ``text[start:end]`` in words; 0 for blank text."""
    return kernels.count_words(text, start, end, LONG_RUN_BYTES, BYTES_PER_WORD)


def measure_text(text: bytes) -> tuple[int, int, int, int, int, int]:
    """Returns a text's words, start of its first line, start, end, first and last line.

    All are of the text without the white space around it.
    """
    return kernels.measure_text(text, LONG_RUN_BYTES, BYTES_PER_WORD)


def run_words(size: int) -> int:
    """Returns what a run of `size` bytes without white space counts."""
    return 1 if size <= LONG_RUN_BYTES else -(-size // BYTES_PER_WORD)
