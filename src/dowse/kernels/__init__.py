"""How fast can the inner loops be?

The few loops that touch every token or every posting, each in two versions with the same names and the
same results: Cython (`_*.pyx`) for speed, NumPy and plain Python (`reference/`) for reading and for
machines without a compiler. The choice is made here, once, at import; `KERNELS` says which one runs and
``DOWSE_KERNELS=reference`` is the only switch (tests use it).

May import: `errors` and NumPy. Never text rules, files or SQLite.

Main names: `Tokenizer` (text to token arrays) · `invert` (token arrays to posting lists) · `Merger`
(posting lists to merged posting lists) · `Postings` (look up, score, phrase) · `intersect`, `union`,
`difference` (ascending row arrays) · `layout` (the shapes all of them share).

Reading order: `layout` · `reference/inversion` · `reference/postings` · then the compiled twins.

Invariants:
1. Compiled and reference versions return equal arrays for equal input, floating point included: both add
   in the same order and neither fuses operations.
2. No kernel writes into an argument, unless its name ends in ``_into``.
3. Damaged input gives a wrong answer or an error, never a stray memory access.

Not for: anything that runs once per query or once per document.
"""

import os

if os.environ.get("DOWSE_KERNELS") == "reference":
    _compiled = False
else:
    try:
        from dowse.kernels import _inversion, _postings, _sorted_sets, _tokenising

        _compiled = True
    except ImportError:
        _compiled = False

if _compiled:
    Tokenizer = _tokenising.Tokenizer
    invert = _inversion.invert
    Merger = _inversion.Merger
    Postings = _postings.Postings
    intersect = _sorted_sets.intersect
    union = _sorted_sets.union
    difference = _sorted_sets.difference
    KERNELS = "compiled"
else:
    from dowse.kernels.reference import inversion, postings, sorted_sets, tokenising

    Tokenizer = tokenising.Tokenizer  # type: ignore[misc,assignment]
    invert = inversion.invert
    Merger = inversion.Merger  # type: ignore[misc,assignment]
    Postings = postings.Postings  # type: ignore[misc,assignment]
    intersect = sorted_sets.intersect
    union = sorted_sets.union
    difference = sorted_sets.difference
    KERNELS = "numpy"

__all__ = [
    "KERNELS",
    "Merger",
    "Postings",
    "Tokenizer",
    "difference",
    "intersect",
    "invert",
    "union",
]
