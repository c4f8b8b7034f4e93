"""Line starts, word counts and edges of a text; the plain twin."""

from itertools import accumulate


def line_starts(text: bytes) -> list[int]:
    """Returns where each line starts; a final line feed ends a line and does not start another."""
    sizes = [len(line) + 1 for line in text.split(b"\n")]
    if sizes[-1] == 1 and len(sizes) > 1:
        sizes.pop()
    return [0, *accumulate(sizes[:-1])]


def count_words(text: bytes, start: int, stop: int, long_run: int, bytes_per_word: int) -> int:
    """Counts the runs without white space in ``text[start:stop]``.

    A run of more than `long_run` bytes counts one for every `bytes_per_word`, rounded up.
    """
    sizes = [len(run) for run in text[max(start, 0) : max(stop, 0)].split()]
    return sum(1 if size <= long_run else -(-size // bytes_per_word) for size in sizes)


def measure_text(
    text: bytes, long_run: int, bytes_per_word: int
) -> tuple[int, int, int, int, int, int]:
    """Measures a whole text in one go.

    Returns:
        Its length as `count_words` counts; where the line of its first byte that is not white space
        starts, that byte, and one after the last such byte; the first and last line they are in, from 1.
        Of a blank text: ``0, 0, 0, 0, 1, 1``.
    """
    kept = text.rstrip()
    if not kept:
        return 0, 0, 0, 0, 1, 1
    end = len(kept)
    start = end - len(kept.lstrip())
    words = count_words(text, start, end, long_run, bytes_per_word)
    lines = text.count(b"\n", 0, start) + 1, text.count(b"\n", 0, end) + 1
    return words, text.rfind(b"\n", 0, start) + 1, start, end, *lines
