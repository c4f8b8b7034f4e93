"""One generation of several trees, read as one: Lucene's MultiReader.

Segments stand side by side in the order of the trees, statistics are added up, and keys are made unique by a
base for each tree. The first tree's bases are 0, and one tree alone is its own snapshot: nothing is copied,
nothing is added, nothing costs more.
"""

import copy
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from dowse.kernels import RowNames
from dowse.schema import Problem
from dowse.storage.catalog_parts import CatalogPart
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import LiveSegment, Snapshot, sum_statistics
from dowse.storage.stored_trees import Tree


class JoinedSnapshot(Snapshot):
    """Several snapshots as one; each belongs to whoever opened it and is not closed here.

    Attributes:
        members: The trees' own snapshots, in order.
        joined_parts: Their catalogues, each with its bases.
    """

    members: tuple[Snapshot, ...] = ()
    joined_parts: tuple[CatalogPart, ...] = ()

    @property
    def parts(self) -> tuple[CatalogPart, ...]:
        """The catalogues that named queries ask; see `CatalogView`."""
        return self.joined_parts


def join_snapshots(
    members: Sequence[Snapshot], problems: Sequence[Problem] = (), known: Snapshot | None = None
) -> Snapshot:
    """Returns one snapshot of several; of one alone, and nothing to say about others, that one itself.

    Args:
        members: At least one, in the order of their trees' names.
        problems: What is wrong with trees that are missing.
        known: A snapshot of an older generation, whose shifted segments are used again.
    """
    if len(members) == 1 and not problems:
        return members[0]
    parts = _find_bases(members)
    shifted: dict[tuple[int, int, int, int], SegmentReader] = {}
    if isinstance(known, JoinedSnapshot):
        shifted = {
            _shift_key(own.reader, part): segment.reader
            for (part, own), segment in zip(
                _flatten(known.members, known.joined_parts), known.segments, strict=True
            )
        }
    segments = [
        LiveSegment(
            shifted.get(_shift_key(own.reader, part)) or _shift(own.reader, part),
            own.live,
            own.deleted_count,
            own.file_times,
        )
        for part, own in _flatten(members, parts)
    ]
    doc_count, avg_lengths, total_lengths = sum_statistics(segments)
    return JoinedSnapshot(
        catalog=members[0].catalog,
        generation=sum(member.generation for member in members),
        segments=tuple(segments),
        trees=_join_trees(members, parts),
        doc_count=doc_count,
        avg_lengths=avg_lengths,
        total_lengths=total_lengths,
        problems=(*(problem for member in members for problem in member.problems), *problems),
        owns_catalog=False,
        members=tuple(members),
        joined_parts=parts,
    )


def _find_bases(members: Sequence[Snapshot]) -> tuple[CatalogPart, ...]:
    """Returns the members' catalogues, each with bases above all keys of those before it."""
    parts: list[CatalogPart] = []
    key_base = doc_base = tree_base = 0
    for member in members:
        (part,) = member.parts
        parts.append(part._replace(key_base=key_base, doc_base=doc_base, tree_base=tree_base))
        key_base += member.catalog.counter("next_chunk_key")
        doc_base += member.catalog.counter("next_doc_id")
        tree_base += max(member.trees, default=0)
    return tuple(parts)


def _flatten(
    members: Sequence[Snapshot], parts: Sequence[CatalogPart]
) -> list[tuple[CatalogPart, LiveSegment]]:
    """Returns all segments in order, each with its part."""
    return [
        (part, segment) for part, member in zip(parts, members, strict=True) for segment in member.segments
    ]


def _shift_key(reader: SegmentReader, part: CatalogPart) -> tuple[int, int, int, int]:
    return id(reader), part.key_base, part.doc_base, part.tree_base


def _shift(reader: SegmentReader, part: CatalogPart) -> SegmentReader:
    """Returns the same segment with the keys of its part; the files stay mapped once."""
    if not part.tree_base:
        return reader
    shifted, columns = copy.copy(reader), reader.columns
    shifted.columns = replace(
        columns,
        chunk_keys=np.asarray(columns.chunk_keys) + part.key_base,
        doc_ids=np.asarray(columns.doc_ids) + part.doc_base,
        tree_ids=(np.asarray(columns.tree_ids) + part.tree_base).astype(np.uint32),
    )
    shifted.names = RowNames(
        columns.key_offsets, columns.key_bytes, shifted.columns.tree_ids, columns.ordinals
    )
    return shifted


def _join_trees(members: Sequence[Snapshot], parts: Sequence[CatalogPart]) -> dict[int, Tree]:
    return {
        tree_id + part.tree_base: replace(tree, tree_id=tree_id + part.tree_base)
        for member, part in zip(members, parts, strict=True)
        for tree_id, tree in member.trees.items()
    }
