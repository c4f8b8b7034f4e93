"""Stop words: words so common that a bag-of-words query does better without them.

They are indexed like every other word, so that phrases find them; only queries leave them out. One
plain text file per language lies in `stopwords/`: a word per line, and the same folding as for any
text.
"""

import functools
from collections.abc import Iterable
from pathlib import Path

from dowse.analysis.languages import find_stop_word_code
from dowse.analysis.normal_form import compose
from dowse.analysis.settings import AnalysisSettings
from dowse.analysis.table import load_table
from dowse.kernels import Tokenizer

_FOLDER = Path(__file__).with_name("stopwords")
_PART = 0


class StopWords:
    """Which surfaces a query leaves out.

    Attributes:
        surfaces: Folded surfaces that are stop words; empty in modes ``none`` and ``auto``.
        auto_threshold: In mode ``auto`` the share of rows from which a term counts as a stop word,
            for the planner, who has the statistics; otherwise ``None``.
    """

    def __init__(self, settings: AnalysisSettings) -> None:
        self.surfaces: frozenset[str] = frozenset()
        self.auto_threshold: float | None = None
        if settings.stop_words == "default":
            self.surfaces = load_stop_words(settings.language)
        elif settings.stop_words == "custom":
            self.surfaces = fold_words(settings.custom_stop_words)
        elif settings.stop_words == "auto":
            self.auto_threshold = settings.auto_threshold

    def is_stop(self, surface: str) -> bool:
        """True when a folded, unstemmed surface is a stop word."""
        return surface in self.surfaces


@functools.cache
def load_stop_words(language: str) -> frozenset[str]:
    """Returns the folded stop words of a language; none for a language without a list."""
    code = find_stop_word_code(language)
    return frozenset() if code is None else fold_words(read_words(code))


def read_words(code: str) -> list[str]:
    """Returns the words of one file as written, for an ISO code that has one."""
    return (_FOLDER / f"{code}.txt").read_text(encoding="utf-8").split()


def fold_words(words: Iterable[str]) -> frozenset[str]:
    """Returns the surfaces of the parts the words consist of."""
    table = load_table()
    tokenizer = Tokenizer(table.pages, table.entries, table.pool)
    surfaces, _, _, _, kinds = tokenizer.tokenize(compose("\n".join(words)))
    return frozenset(s for s, kind in zip(surfaces, kinds, strict=True) if kind == _PART)
