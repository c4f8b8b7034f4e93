"""Which chunks mean what a query means: vectors on disk, and the scan that finds the nearest.

A flat index in stages. Every vector is kept centred and rotated: as one bit a dimension, which is scanned
whole for every query; as 8 bits a dimension, in which the best one per cent are looked at again; and with 4
bits more, which put the last few in order. There is no graph to build, to corrupt or to repair; deletions
and filters are a byte a row during the scan, and a new vector is a new row. FORMAT.md states the files and
their invariants (V1–V6).

The codes are those of RaBitQ (J. Gao and C. Long, SIGMOD 2024, doi 10.1145/3654970). Where we differ:

- The rotation is not a dense random matrix but three rounds of permutation, signs and Hadamard matrices, made
  from a seed by integer arithmetic: nothing to store, the same on every machine (`rotation`).
- Query levels are rounded to the nearest, not at random: the error is smaller, and answers repeat.
- The range of the query's levels is symmetric about 0, so that no count of a code's bits is needed.
- One mean for the index instead of one for each cluster: there are no clusters.
- The best are looked at again by rank (a share of the rows), not by the paper's error bound: the cost of a
  query is known beforehand.
- Inner products of unit vectors, not distances: ``⟨v, q⟩ = ⟨m, q⟩ + ⟨v - m, m⟩ + ⟨v - m, q - m⟩``. The first
  part is the query's (`PreparedQuery.base`), the second the vector's (`biases`), the third is estimated.

May import: `kernels`, `errors`, and from `storage` the directory and the segment files.

Main types: `VectorSpace` (mean and rotation; one for an index) · `VectorCodes` (encoded vectors) ·
`PreparedQuery` · `write_vector_segment`, `VectorReader`, `choose_vector_merge`, `merge_vector_segments` ·
`ScanMode`.

Reading order: `rotation` · `codes` · `space` · `vector_files` · `writer` · `reader` · `merging`.

Not for: making vectors (`embedding`), or for deciding which of two vectors of a chunk counts: callers pass
readers oldest first, and rows that must not be found are not allowed.
"""

from dowse.storage.vectors.codes import VectorCodes, join_codes
from dowse.storage.vectors.merging import choose_vector_merge, merge_vector_segments
from dowse.storage.vectors.reader import (
    EXACT,
    FAST,
    SCAN_MODES,
    ScanMode,
    VectorReader,
    get_scan_mode,
    score_codes,
)
from dowse.storage.vectors.space import PreparedQuery, VectorSpace, build_space
from dowse.storage.vectors.writer import WrittenVectors, write_vector_segment

__all__ = [
    "EXACT",
    "FAST",
    "SCAN_MODES",
    "PreparedQuery",
    "ScanMode",
    "VectorCodes",
    "VectorReader",
    "VectorSpace",
    "WrittenVectors",
    "build_space",
    "choose_vector_merge",
    "get_scan_mode",
    "join_codes",
    "merge_vector_segments",
    "score_codes",
    "write_vector_segment",
]
