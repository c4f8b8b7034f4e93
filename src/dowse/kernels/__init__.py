"""How fast can the inner loops be?

The few loops that touch every token or every posting, each in two versions with the same names and the
same results: Cython (`_*.pyx`) for speed, NumPy and plain Python (`reference/`) for reading and for
machines without a compiler. `table` lists them. The choice is made here, once, at import, module by module:
one that cannot be loaded falls back to its twin alone. `KERNELS` says which ones run, `FALLBACKS` which are
twins and why, and ``DOWSE_KERNELS=reference`` is the only switch (tests use it).

May import: `errors` and NumPy. Never files, SQLite or text rules; only `sound_rules` lives here, as a
table that both twins read.

Main names: `Tokenizer` (text to token arrays) · `invert` (token arrays to posting lists) · `Merger` (posting
lists to merged posting lists) · `Postings` (look up, score, phrase) · `RowNames` (rows to keys) ·
`Vocabulary` (prefixes, similar words, patterns) · `nearest_terms`, `merge_terms` (forms of a word to one) ·
`front_code`, `expand_texts` (dictionaries to fewer bytes, and back) ·
`map_terms`, `merge_words` (dictionaries to one) · `sound_codes_of` (words to what they sound like, by the
table in `sound_rules`) · `Folder`, `signature_bits` (text to signatures) · `find_uncomposed` (texts in
another normal form) · `slice_rows`, `unslice_rows`, `find_candidates` (signatures of many rows) ·
`mark_entries`, `mark_numbers`, `mark_pairs`, `mark_prefix`, `spread_marks` (filters over columns) ·
`count_numbers`, `count_ranges`, `order_by_value` (counts and orders over columns) ·
`near_spans`, `first_spans`, `union_spans` (stretches of positions) · `scan_bits`, `score_levels`,
`score_int12` (vectors near a query) · `PieceCutter` (words to a model's tokens) · `Transformer` (a model's
tokens to a vector) · `intersect`, `union`, `difference` (ascending row arrays) · `line_starts`,
`count_words`, `measure_text` (bytes of a text) · `layout` (the shapes all of them share) ·
`transformer_weights` (those of `Transformer`).

Reading order: `layout` · `reference/inversion` · `reference/postings` · then the compiled twins.

Invariants:
1. Compiled and reference versions return equal arrays for equal input, floating point included: both add
   in the same order and neither fuses operations.
2. No kernel writes into an argument, unless its name ends in ``_into``.
3. Damaged input gives a wrong answer or an error, never a stray memory access.

Not for: what runs once per query or once per document, unless most of a query's time goes into it.
"""

import importlib
import os
from typing import TYPE_CHECKING

from dowse.kernels.table import KERNEL_TABLE

# Why a module runs as its twin, by module; empty when all are compiled, and when the twins were asked for.
FALLBACKS: dict[str, str] = {}

if TYPE_CHECKING:  # the names once more, since type checkers cannot read the table; a test compares them
    # isort: off
    from dowse.kernels.reference.columns import (
        count_numbers as count_numbers,
        count_ranges as count_ranges,
        mark_entries as mark_entries,
        mark_numbers as mark_numbers,
        mark_pairs as mark_pairs,
        mark_prefix as mark_prefix,
        order_by_value as order_by_value,
        spread_marks as spread_marks,
    )
    from dowse.kernels.reference.folding import (
        Folder as Folder,
        find_uncomposed as find_uncomposed,
        signature_bits as signature_bits,
    )
    from dowse.kernels.reference.form_merging import (
        merge_terms as merge_terms,
        nearest_terms as nearest_terms,
    )
    from dowse.kernels.reference.front_coding import (
        expand_texts as expand_texts,
        front_code as front_code,
    )
    from dowse.kernels.reference.inversion import (
        invert as invert,
    )
    from dowse.kernels.reference.list_merging import (
        Merger as Merger,
    )
    from dowse.kernels.reference.measuring import (
        count_words as count_words,
        line_starts as line_starts,
        measure_text as measure_text,
    )
    from dowse.kernels.reference.piece_cutting import (
        PieceCutter as PieceCutter,
    )
    from dowse.kernels.reference.postings import (
        FieldTables as FieldTables,
        FoundPhrase as FoundPhrase,
        Postings as Postings,
    )
    from dowse.kernels.reference.row_names import (
        RowNames as RowNames,
    )
    from dowse.kernels.reference.signatures import (
        find_candidates as find_candidates,
        slice_rows as slice_rows,
        unslice_rows as unslice_rows,
    )
    from dowse.kernels.reference.sorted_sets import (
        difference as difference,
        intersect as intersect,
        union as union,
    )
    from dowse.kernels.reference.sounds import (
        sound_codes_of as sound_codes_of,
    )
    from dowse.kernels.reference.spans import (
        first_spans as first_spans,
        near_spans as near_spans,
        union_spans as union_spans,
    )
    from dowse.kernels.reference.tokenising import (
        Tokenizer as Tokenizer,
    )
    from dowse.kernels.reference.transformer import (
        Transformer as Transformer,
    )
    from dowse.kernels.reference.vectors import (
        scan_bits as scan_bits,
        score_levels as score_levels,
        score_int12 as score_int12,
    )
    from dowse.kernels.reference.vocabulary import (
        Vocabulary as Vocabulary,
    )
    from dowse.kernels.reference.word_merging import (
        map_terms as map_terms,
        merge_words as merge_words,
    )

    KERNELS: str
else:

    def _load(module, prefix):
        try:
            return importlib.import_module(f"dowse.kernels.{prefix}{module}")
        except ImportError as error:  # not compiled, or for another version of Python
            FALLBACKS[module] = str(error)
            return importlib.import_module(f"dowse.kernels.reference.{module}")

    _PREFIX = "reference." if os.environ.get("DOWSE_KERNELS") == "reference" else "_"
    for _module, _names in KERNEL_TABLE.items():
        _home = _load(_module, _PREFIX)
        globals().update({_name: getattr(_home, _name) for _name in _names})
    KERNELS = "compiled" if _PREFIX == "_" and len(FALLBACKS) < len(KERNEL_TABLE) else "numpy"
    if FALLBACKS and KERNELS == "compiled":
        KERNELS = "partly compiled"

__all__ = ["FALLBACKS", "KERNELS", *(name for names in KERNEL_TABLE.values() for name in names)]
