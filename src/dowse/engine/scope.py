"""Several trees searched as one: their newest generations joined, their vectors side by side."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from dowse.engine.answering import Answering
from dowse.engine.open_trees import OpenTrees, unusable_tree
from dowse.engine.tree_index import TreeIndex
from dowse.errors import DamageError, ResourceError
from dowse.planning import Analyzers
from dowse.schema import CacheStatus, Problem
from dowse.storage.joined_snapshot import JoinedSnapshot, join_snapshots
from dowse.storage.snapshot import Snapshot
from dowse.storage.tree_entry import TreeEntry

if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingTier
    from dowse.storage.joined_vectors import ChunkVectors
    from dowse.storage.live_vectors import LiveVectors
    from dowse.storage.stored_models import StoredModel

KEPT_SCOPES = 16
OpenMembers = Callable[[], tuple[list[TreeIndex], list[Problem]]]


class Scope:
    """Trees that answer together; one alone answers by itself, without this.

    Args:
        open_members: Returns the trees, and what is wrong with those that are missing.
        nothing: An empty tree, for when there is none at all.
    """

    def __init__(self, open_members: OpenMembers, nothing: Callable[[], TreeIndex]) -> None:
        self._open_members, self._nothing = open_members, nothing
        self._joined: tuple[tuple[Snapshot, ...], tuple[Problem, ...], Snapshot] | None = None
        self._trees: dict[str, TreeIndex] = {}
        self._vectors: tuple[Snapshot, ChunkVectors | None] | None = None

    def current(self) -> Snapshot:
        """Returns the newest generations of all, as one; the same object until one of them has a newer."""
        members, problems = self._open_members()
        snapshots: list[Snapshot] = []
        for tree in members:
            try:
                snapshot = tree.generations.current()
            except (DamageError, ResourceError) as error:
                problems.append(unusable_tree(tree.entry, error))
                continue
            snapshots.append(snapshot)
            self._trees[tree.entry.folder] = tree
        if not snapshots:
            empty = self._nothing()
            snapshots = [empty.generations.current()]
            self._trees[empty.entry.folder] = empty
        known = self._joined
        if known is not None and known[1] == tuple(problems) and _are_same(known[0], snapshots):
            return known[2]
        joined = join_snapshots(snapshots, problems, None if known is None else known[2])
        self._joined = tuple(snapshots), tuple(problems), joined
        return joined

    def note_damage(self) -> None:
        """Says that bytes were found damaged: the next `current` heals first."""
        for tree in self._trees.values():
            tree.generations.note_damage()

    # Vectors --------------------------------------------------------------------------------------

    def has_any(self, snapshot: Snapshot) -> bool:
        """Says whether any model has made vectors for one of the trees; loads nothing."""
        return any(tree.vectors.has_any(member) for tree, member in self._members(snapshot))

    def list_makers(self, snapshot: Snapshot) -> list[str]:
        """Returns the names of the models that made vectors."""
        makers = (tree.vectors.list_makers(member) for tree, member in self._members(snapshot))
        return sorted({name for names in makers for name in names})

    def find(self, snapshot: Snapshot) -> "ChunkVectors | None":
        """Returns the chosen model's vectors of all trees; None when it made none."""
        known = self._vectors
        if known is not None and known[0] is snapshot:
            return known[1]
        found = self._find_joined(snapshot) if isinstance(snapshot, JoinedSnapshot) else None
        if not isinstance(snapshot, JoinedSnapshot):
            ((tree, member),) = self._members(snapshot)
            found = tree.vectors.find(member)
        self._vectors = snapshot, found
        return found

    def _find_joined(self, snapshot: JoinedSnapshot) -> "ChunkVectors | None":
        from dowse.storage.joined_vectors import JoinedVectors, VectorPart

        parts: list[VectorPart] = []
        segments = others = 0
        for part, (tree, member) in zip(snapshot.parts, self._members(snapshot), strict=True):
            vectors = tree.vectors.find(member)
            if vectors is not None and (not parts or _is_by(parts[0].vectors.model, vectors)):
                parts.append(VectorPart(vectors, part.key_base, segments, len(member.segments)))
            else:
                others += member.doc_count
            segments += len(member.segments)
        return JoinedVectors(parts, others) if parts else None

    def note_shown(self, vectors: "ChunkVectors", keys: Sequence[int]) -> None:
        """Notes which chunks an answer shows that the model has not read: it reads these next."""
        known = self._joined
        unread = vectors.find_unread(keys)
        if not unread or known is None:
            return
        parts = known[2].parts
        for number, (part, (tree, _)) in enumerate(zip(parts, self._members(known[2]), strict=True)):
            end = parts[number + 1].key_base if number + 1 < len(parts) else None
            own = [key for key in unread if key > part.key_base and (end is None or key <= end)]
            if own:
                tree.store.impressions.add([key - part.key_base for key in own])

    def _members(self, snapshot: Snapshot) -> Iterable[tuple[TreeIndex, Snapshot]]:
        members = snapshot.members if isinstance(snapshot, JoinedSnapshot) else (snapshot,)
        entries = ((member.catalog.tree, member) for member in members)
        return [(self._trees[entry.folder], member) for entry, member in entries if entry is not None]


def _is_by(model: "StoredModel", vectors: "LiveVectors") -> bool:
    return vectors.model.fingerprint == model.fingerprint


def _are_same(before: Sequence[Snapshot], now: Sequence[Snapshot]) -> bool:
    return len(before) == len(now) and all(one is other for one, other in zip(before, now, strict=True))


class Scopes:
    """Answers for each scope that is asked, kept between requests with what each has worked out.

    Args:
        trees: The trees of the home.
        analyzers: Shared by all.
        get_tier: Returns what makes vectors; called only when vectors are asked for.
        open_nothing: Opens an empty tree.
    """

    def __init__(
        self,
        trees: OpenTrees,
        analyzers: Analyzers,
        get_tier: "Callable[[], EmbeddingTier]",
        open_nothing: Callable[[], TreeIndex],
    ) -> None:
        self._trees, self._analyzers, self._get_tier = trees, analyzers, get_tier
        self._open_nothing = open_nothing
        self._nothing: TreeIndex | None = None
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, ...], tuple[Answering, TreeIndex | None]] = OrderedDict()

    def get(self, tree: str | None) -> Answering:
        """Returns what answers for a tree with those inside it, or for all.

        Raises:
            UnknownTreeError: There is no such tree.
        """
        entries = self._trees.find_scope(tree)
        key = tuple(entry.folder for entry in entries)
        alone = self._trees.open(entries[0]) if len(entries) == 1 else None
        known = self._kept.get(key)
        if known is not None and known[1] is alone:
            return known[0]
        with self._lock:
            self._trees.drop_gone()
            found = self._build(entries, alone)
            self._kept[key] = found, alone
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT_SCOPES:
                self._kept.popitem(last=False)
        return found

    def _build(self, entries: tuple[TreeEntry, ...], alone: TreeIndex | None) -> Answering:
        if alone is not None:
            return Answering(alone.generations, alone.vectors, self._analyzers, self._get_tier)
        folders = [entry.folder for entry in entries]

        def open_members() -> tuple[list[TreeIndex], list[Problem]]:
            known = {entry.folder: entry for entry in self._trees.registry.entries.values()}
            return self._trees.open_all(known[folder] for folder in folders if folder in known)

        scope = Scope(open_members, self._get_nothing)
        return Answering(scope, scope, self._analyzers, self._get_tier)

    def _get_nothing(self) -> TreeIndex:
        if self._nothing is None:
            self._nothing = self._open_nothing()
        return self._nothing

    def describe_caches(self) -> tuple[CacheStatus, ...]:
        """Returns what all scopes keep between requests, by cache."""
        totals: dict[str, CacheStatus] = {}
        for answering, _ in list(self._kept.values()):
            for one in answering.describe_caches():
                known = totals.get(one.name, CacheStatus(one.name, 0, 0))
                entries, memory_bytes = known.entries + one.entries, known.memory_bytes + one.memory_bytes
                totals[one.name] = CacheStatus(one.name, entries, memory_bytes)
        return tuple(totals.values())

    def close(self) -> None:
        """Lets go of all."""
        for answering, _ in self._kept.values():
            answering.close()
        self._kept.clear()
        if self._nothing is not None:
            self._nothing.close()
            self._nothing = None
