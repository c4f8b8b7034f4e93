"""How fast can the inner loops be?

The few loops that touch every token or every posting, each in two versions with the same names and the
same results: Cython (`_*.pyx`) for speed, NumPy and plain Python (`reference/`) for reading and for
machines without a compiler. The choice is made here, once, at import; `KERNELS` says which one runs and
``DOWSE_KERNELS=reference`` is the only switch (tests use it).

May import: `errors` and NumPy. Never files, SQLite or text rules; only `sound_rules` lives here, as a
table that both twins read.

Main names: `Tokenizer` (text to token arrays) · `invert` (token arrays to posting lists) · `Merger` (posting
lists to merged posting lists) · `Postings` (look up, score, phrase) · `RowNames` (rows to keys) ·
`Vocabulary` (prefixes, similar words, patterns) · `nearest_terms`, `merge_terms` (forms of a word to one) ·
`map_terms`, `merge_words` (dictionaries to one) · `sound_codes_of` (words to what they sound like, by the
table in `sound_rules`) · `Folder`, `signature_bits` (text to signatures) · `find_uncomposed` (texts in
another normal form) · `slice_rows`, `unslice_rows`, `find_candidates` (signatures of many rows) ·
`near_spans`, `first_spans`, `union_spans` (stretches of positions) · `scan_bits`, `score_levels`,
`sum_sixteenths` (vectors near a query) · `PieceCutter` (words to a model's tokens) · `Transformer` (a model's
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

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.kernels.reference.folding import Folder, find_uncomposed, signature_bits
    from dowse.kernels.reference.form_merging import merge_terms, nearest_terms
    from dowse.kernels.reference.inversion import Merger, invert
    from dowse.kernels.reference.measuring import count_words, line_starts, measure_text
    from dowse.kernels.reference.piece_cutting import PieceCutter
    from dowse.kernels.reference.postings import FieldTables, FoundPhrase, Postings
    from dowse.kernels.reference.row_names import RowNames
    from dowse.kernels.reference.signatures import find_candidates, slice_rows, unslice_rows
    from dowse.kernels.reference.sorted_sets import difference, intersect, union
    from dowse.kernels.reference.sounds import sound_codes_of
    from dowse.kernels.reference.spans import first_spans, near_spans, union_spans
    from dowse.kernels.reference.tokenising import Tokenizer
    from dowse.kernels.reference.transformer import Transformer
    from dowse.kernels.reference.vectors import scan_bits, score_levels, sum_sixteenths
    from dowse.kernels.reference.vocabulary import Vocabulary
    from dowse.kernels.reference.word_merging import map_terms, merge_words

    KERNELS: str
else:
    KERNELS = "numpy"
    if os.environ.get("DOWSE_KERNELS") != "reference":
        try:
            from dowse.kernels._folding import Folder, find_uncomposed, signature_bits
            from dowse.kernels._form_merging import merge_terms, nearest_terms
            from dowse.kernels._inversion import Merger, invert
            from dowse.kernels._measuring import count_words, line_starts, measure_text
            from dowse.kernels._piece_cutting import PieceCutter
            from dowse.kernels._postings import FieldTables, FoundPhrase, Postings
            from dowse.kernels._row_names import RowNames
            from dowse.kernels._signatures import find_candidates, slice_rows, unslice_rows
            from dowse.kernels._sorted_sets import difference, intersect, union
            from dowse.kernels._sounds import sound_codes_of
            from dowse.kernels._spans import first_spans, near_spans, union_spans
            from dowse.kernels._tokenising import Tokenizer
            from dowse.kernels._transformer import Transformer
            from dowse.kernels._vectors import scan_bits, score_levels, sum_sixteenths
            from dowse.kernels._vocabulary import Vocabulary
            from dowse.kernels._word_merging import map_terms, merge_words

            KERNELS = "compiled"
        except ImportError:
            pass  # installed without a compiler: the twins below do the same, slower
    if KERNELS == "numpy":
        from dowse.kernels.reference.folding import Folder, find_uncomposed, signature_bits
        from dowse.kernels.reference.form_merging import merge_terms, nearest_terms
        from dowse.kernels.reference.inversion import Merger, invert
        from dowse.kernels.reference.measuring import count_words, line_starts, measure_text
        from dowse.kernels.reference.piece_cutting import PieceCutter
        from dowse.kernels.reference.postings import FieldTables, FoundPhrase, Postings
        from dowse.kernels.reference.row_names import RowNames
        from dowse.kernels.reference.signatures import find_candidates, slice_rows, unslice_rows
        from dowse.kernels.reference.sorted_sets import difference, intersect, union
        from dowse.kernels.reference.sounds import sound_codes_of
        from dowse.kernels.reference.spans import first_spans, near_spans, union_spans
        from dowse.kernels.reference.tokenising import Tokenizer
        from dowse.kernels.reference.transformer import Transformer
        from dowse.kernels.reference.vectors import scan_bits, score_levels, sum_sixteenths
        from dowse.kernels.reference.vocabulary import Vocabulary
        from dowse.kernels.reference.word_merging import map_terms, merge_words

__all__ = [
    "KERNELS",
    "FieldTables",
    "Folder",
    "FoundPhrase",
    "Merger",
    "PieceCutter",
    "Postings",
    "RowNames",
    "Tokenizer",
    "Transformer",
    "Vocabulary",
    "count_words",
    "difference",
    "find_candidates",
    "find_uncomposed",
    "first_spans",
    "intersect",
    "invert",
    "line_starts",
    "map_terms",
    "measure_text",
    "merge_terms",
    "merge_words",
    "near_spans",
    "nearest_terms",
    "scan_bits",
    "score_levels",
    "signature_bits",
    "slice_rows",
    "sound_codes_of",
    "sum_sixteenths",
    "union",
    "union_spans",
    "unslice_rows",
]
