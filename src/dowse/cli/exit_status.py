"""What the exit status of ``dowse`` means."""

FOUND = 0
DONE = 0
NOTHING_FOUND = 1
DONE_WITH_PROBLEMS = 1
DAMAGED = 3
INTERRUPTED = 130

MEANINGS: tuple[tuple[int, str], ...] = (
    (0, "found, or done"),
    (1, "nothing found, or indexed while some files had problems"),
    (2, "cannot: wrong usage, or something around Dowse must change"),
    (3, "damaged: the index cannot be trusted, or a bug in Dowse"),
    (130, "interrupted with Ctrl-C; everything committed is kept"),
)
