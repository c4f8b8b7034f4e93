"""Which kernels are there, in which module, under which names?

One table for everybody who must know: `kernels` imports by it, ``setup.py`` builds by it (it runs this file
alone, so nothing is imported here), and the tests walk it. A row is a compiled module ``_NAME.pyx`` with its
stub ``_NAME.pyi`` and its plain twin ``reference/NAME.py``.
"""

KERNEL_TABLE: dict[str, tuple[str, ...]] = {
    "columns": (
        "count_numbers",
        "count_ranges",
        "mark_entries",
        "mark_numbers",
        "mark_pairs",
        "mark_prefix",
        "order_by_value",
        "spread_marks",
    ),
    "folding": ("Folder", "find_uncomposed", "signature_bits"),
    "form_merging": ("merge_terms", "nearest_terms"),
    "front_coding": ("expand_texts", "front_code"),
    "inversion": ("invert",),
    "list_merging": ("Merger",),
    "measuring": ("count_words", "line_starts", "measure_text"),
    "piece_cutting": ("PieceCutter",),
    "postings": ("FieldTables", "FoundPhrase", "Postings"),
    "row_names": ("RowNames",),
    "signatures": ("find_candidates", "slice_rows", "unslice_rows"),
    "sorted_sets": ("difference", "intersect", "union"),
    "sounds": ("sound_codes_of",),
    "spans": ("first_spans", "near_spans", "union_spans"),
    "tokenising": ("Tokenizer",),
    "transformer": ("Transformer",),
    "vectors": ("scan_bits", "score_levels", "score_int12"),
    "vocabulary": ("Vocabulary",),
    "word_merging": ("map_terms", "merge_words"),
}

# C headers that a compiled module includes.
HEADERS: dict[str, tuple[str, ...]] = {
    "transformer": ("processor.h", "transformer_pass.h"),
    "vectors": ("processor.h", "vector_scan.h"),
}
