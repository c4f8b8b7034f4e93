"""Which lines of a source file are comments?"""

from dowse.ingest.source_code.language import Language

_FENCES = ('"""', "'''")


def find_prose(rows: list[str], language: Language) -> bytearray:
    """Returns one byte per line: 1 where the whole line is a comment, else 0.

    A comment that ends a line of code is code, and a block comment is seen only where it begins a line: in
    the midst of one, the same signs stand for patterns of file names as often.
    """
    prose = bytearray(len(rows))
    end = ""
    fence = ""
    has_fences = language.name in ("python", "cython")
    for index, row in enumerate(rows):
        stripped = row.strip()
        if end:
            prose[index] = 1
            end = "" if end in stripped else end
        elif fence:
            fence = "" if fence in stripped else fence
        elif not stripped:
            continue
        elif opened := _opened(stripped, language):
            prose[index] = 1
            end = "" if opened[1] in stripped[len(opened[0]) :] else opened[1]
        elif stripped.startswith(language.line_comments):
            prose[index] = 1
        elif has_fences:
            # A long string that is assigned is code, and what ends it begins no documentation.
            fence = next((mark for mark in _FENCES if stripped.count(mark) % 2), "")
    return prose


def _opened(stripped: str, language: Language) -> tuple[str, str] | None:
    for block in language.block_comments:
        if stripped.startswith(block[0]):
            return block
    return None
