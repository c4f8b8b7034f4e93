"""Vectors for `vectors.py`: real ones, and as many more as are wanted that are like them.

Real are the default model's vectors of SciFact's and NFCorpus's passages and questions.
Embedding 100,000 passages takes an hour or more here, so larger sets are grown from real vectors: to a real
vector the difference of two of its 16 nearest neighbours is added, times 0.3 to 1, and the length made 1.
What lies near a vector then has the spread and the directions that real neighbours have, which noise would
not: noise in 384 dimensions is at right angles to everything. Queries are always real.
"""

import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from beir import COLLECTIONS
from dowse.embedding import DEFAULT_MODEL, OnnxEmbedder, find_model

F32 = npt.NDArray[np.float32]
QUESTIONS = 300
NEIGHBOURS = 16
PIECE = 20_000


def make_real(folder: Path) -> None:
    """Embeds two collections into a folder, as `read_real` wants them; five minutes on two cores."""
    embedder = OnnxEmbedder(find_model(DEFAULT_MODEL), threads=os.cpu_count() or 1)
    folder.mkdir(parents=True, exist_ok=True)
    for collection in (one for one in COLLECTIONS if one.name in ("scifact", "nfcorpus")):
        print(f"embedding {collection.name}", file=sys.stderr)
        questions = list(collection.queries().values())[:QUESTIONS]
        texts = [f"{title} {text}" for _, title, text in collection.documents()]
        # Questions first: passages alone in a folder would look like a set that is complete.
        np.save(folder / f"{collection.name}-queries.npy", embedder.embed_queries(questions))
        np.save(folder / f"{collection.name}.npy", embedder.embed_passages(texts))


def read_real(folder: Path) -> tuple[F32, F32]:
    """Returns passages and queries: ``NAME.npy`` and ``NAME-queries.npy`` of a folder, joined.

    Rows of zeros, which a run of embedding that is not over leaves, are dropped.
    """
    queries = sorted(folder.glob("*-queries.npy"))
    passages = [path for path in sorted(folder.glob("*.npy")) if path not in queries]
    if not queries or not passages:
        raise SystemExit(f"{folder} needs NAME.npy and NAME-queries.npy: vectors [n, dimensions], float32")
    return _read(passages), _read(queries)


def _read(paths: list[Path]) -> F32:
    joined = np.concatenate([np.load(path) for path in paths]).astype(np.float32)
    lengths = np.linalg.norm(joined, axis=1, keepdims=True)
    return joined[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]


def grow(real: F32, count: int, seed: int) -> F32:
    """Returns `count` vectors: the real ones first, then grown ones."""
    random = np.random.default_rng(seed)
    near = _neighbours(real)
    grown = np.empty((count, real.shape[1]), np.float32)
    grown[: len(real)] = real[:count]
    for first in range(len(real), count, PIECE):
        size = min(PIECE, count - first)
        parents, place = random.integers(0, len(real), size), random.integers(0, NEIGHBOURS, size)
        other = (place + random.integers(1, NEIGHBOURS, size)) % NEIGHBOURS  # never the same
        share = random.uniform(0.3, 1, (size, 1)).astype(np.float32)
        step = real[near[parents, place]] - real[near[parents, other]]
        piece = real[parents] + share * step
        grown[first : first + size] = piece / np.linalg.norm(piece, axis=1, keepdims=True)
    return grown


def _neighbours(real: F32) -> npt.NDArray[np.int64]:
    found = np.empty((len(real), NEIGHBOURS), np.int64)
    for first in range(0, len(real), 1000):
        scores = real[first : first + 1000] @ real.T
        own = np.arange(len(scores))
        scores[own, first + own] = -2
        found[first : first + 1000] = np.argpartition(-scores, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    return found


def nearest(
    vectors: F32, queries: F32, k: int, allowed: npt.NDArray[np.bool_] | None = None
) -> list[set[int]]:
    """Returns the rows of the `k` nearest vectors of each query, by all inner products."""
    best_scores = np.full((len(queries), 0), -2, np.float32)
    best_rows = np.zeros((len(queries), 0), np.int64)
    for first in range(0, len(vectors), PIECE):
        scores = queries @ vectors[first : first + PIECE].T
        if allowed is not None:
            scores[:, ~allowed[first : first + PIECE]] = -2
        rows = np.broadcast_to(np.arange(first, first + scores.shape[1]), scores.shape)
        scores, rows = np.hstack([best_scores, scores]), np.hstack([best_rows, rows])
        kept = np.argpartition(-scores, min(k, scores.shape[1]) - 1, axis=1)[:, :k]
        best_scores = np.take_along_axis(scores, kept, axis=1)
        best_rows = np.take_along_axis(rows, kept, axis=1)
    return [set(rows.tolist()) for rows in best_rows]
