"""Folds whole texts, for searching substrings: what is kept, unlike in terms, is everything between words.

`fold_text` is a fixed point: folding again changes nothing. One round through the table is not enough for
that, because characters that vanish can bring others together that combine (a jamo, an invisible joiner,
a jamo). Nearly no text has that, so signing does one round and repeats it only for the texts that the
kernel marks as doubtful.
"""

import functools

import numpy as np

from dowse.analysis.normal_form import compose, compose_all, is_composed
from dowse.analysis.table import load_table
from dowse.kernels import Folder
from dowse.kernels.layout import U8


def fold_text(text: str) -> str:
    """Returns a text without case, accents, compatibility forms and invisible characters.

    Runs of white space become one space. Folding the result again changes nothing.
    """
    folder = _folder()
    folded = folder.fold(text if is_composed(text) else compose(text))
    while not is_composed(folded):
        folded = folder.fold(compose(folded))
    return folded


def sign_texts(texts: list[str]) -> U8:
    """Returns the signature of each text's `fold_text`, 512 bytes each; other threads run meanwhile."""
    folder = _folder()
    signatures, doubtful = folder.sign_all(compose_all(texts))
    again = np.flatnonzero(doubtful)
    if len(again):
        signatures[again] = folder.sign_all([fold_text(texts[i]) for i in again.tolist()])[0]
    return signatures


@functools.cache
def _folder() -> Folder:
    table = load_table()
    return Folder(table.pages, table.entries, table.pool)
