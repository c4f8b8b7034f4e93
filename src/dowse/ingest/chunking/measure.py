"""How long a text is, in words.

A word is a run without white space; a run longer than `LONG_RUN_BYTES` counts one word for every
`BYTES_PER_WORD`. So base64 and minified text count about as much as an embedding model reads in
them, and Chinese, Japanese or Thai, at three bytes a character, count half a word a character.
Bytes, not characters, because no decoding is needed and the answer is the one wanted.
"""

LONG_RUN_BYTES = 36
BYTES_PER_WORD = 6


def count_words(text: bytes) -> int:
    """Returns the length of `text` in words; 0 for blank text."""
    runs = text.split()
    if not runs or max(map(len, runs)) <= LONG_RUN_BYTES:
        return len(runs)
    return sum(map(run_words, map(len, runs)))


def run_words(size: int) -> int:
    """Returns what a run of `size` bytes without white space counts."""
    return 1 if size <= LONG_RUN_BYTES else -(-size // BYTES_PER_WORD)
