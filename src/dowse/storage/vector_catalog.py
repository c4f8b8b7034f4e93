"""What the catalogue says about vectors: the models it has met, and their segments."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from dowse.kernels.layout import F32
from dowse.storage.catalog import Catalog
from dowse.storage.directory import Directory
from dowse.storage.live_vectors import MODEL
from dowse.storage.vectors import VectorSpace, WrittenVectors


class Transaction(Protocol):
    """An open transaction of the one writer; nothing is true before its commit."""

    @property
    def catalog(self) -> Catalog:
        """The catalogue as the transaction sees it."""
        ...

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> None:
        """Runs one statement as part of the next commit."""

    def commit(self) -> int:
        """Makes all changes true at once and returns the generation."""
        ...


class FittedModel(NamedTuple):
    """What static vectors are made by, as fitted to the chunks of an index.

    Attributes:
        token_weights: How much each token counts in a static vector; None for a model without static ones.
        correction: What brings static vectors near to the model's own, as bytes.
        pairs: How many pairs of vectors the correction was fitted to.
    """

    token_weights: F32 | None = None
    correction: bytes = b""
    pairs: int = 0


def insert_model(
    transaction: Transaction, fingerprint: str, name: str, space: VectorSpace, fitted: FittedModel
) -> None:
    """Makes a model known, with the space in which its vectors will be kept.

    The space of a model that is known already stays; its static vectors are to be made again.
    """
    transaction.execute(
        "INSERT INTO models (fingerprint, name, dimensions, mean, seed, token_weights, correction, pairs)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (fingerprint) DO UPDATE SET token_weights = excluded.token_weights,"
        " correction = excluded.correction, pairs = excluded.pairs, static_kind = max(static_kind, ?) + 1",
        (
            fingerprint,
            name,
            space.dimensions,
            np.asarray(space.mean, np.float32).tobytes(),
            space.seed,
            _encode_weights(fitted.token_weights),
            fitted.correction,
            fitted.pairs,
            MODEL,
        ),
    )


def update_fit(transaction: Transaction, model_id: int, fitted: FittedModel) -> None:
    """Keeps what better static vectors are made by; those made before are to be made again."""
    transaction.execute(
        "UPDATE models SET token_weights = ?, correction = ?, pairs = ?,"
        " static_kind = max(static_kind, ?) + 1 WHERE model_id = ?",
        (_encode_weights(fitted.token_weights), fitted.correction, fitted.pairs, MODEL, model_id),
    )


def next_vector_folder(catalog: Catalog) -> str:
    """Returns the name of the vector segment that the open transaction may write."""
    return f"v{catalog.counter('generation') + 1:08}"


def list_vector_folders(catalog: Catalog) -> set[str]:
    """Returns the folders of all vector segments that the catalogue names."""
    return {row[0] for row in catalog.fetch("SELECT folder FROM vector_segments")}


def insert_vector_segment(
    transaction: Transaction, model_id: int, made: WrittenVectors, generation: int | None = None
) -> None:
    """Names a written vector segment.

    Args:
        generation: In which its vectors were made: of two vectors of a chunk the later one counts. The open
            transaction's own when not given.
    """
    if generation is None:
        generation = transaction.catalog.counter("generation") + 1
    transaction.execute(
        "INSERT INTO vector_segments VALUES (?, ?, ?, ?, ?, ?)",
        (made.folder, model_id, made.checksum, made.rows, made.disk_bytes, generation),
    )


def delete_vector_segments(transaction: Transaction, folders: Iterable[str]) -> None:
    """Removes vector segments from the next generation; their files go with the next sweep."""
    for folder in folders:
        transaction.execute("DELETE FROM vector_segments WHERE folder = ?", (folder,))


def find_last_generation(catalog: Catalog, folders: Sequence[str]) -> int:
    """Returns the latest generation in which one of some vector segments was made."""
    places = ",".join("?" * len(folders))
    row = catalog.fetch_one(
        f"SELECT coalesce(max(generation), 0) FROM vector_segments WHERE folder IN ({places})", list(folders)
    )
    return int(row[0]) if row else 0


def sweep_vector_folders(catalog: Catalog, directory: Directory) -> None:
    """Removes folders of vectors that the catalogue does not name: left by a crash or by a merge."""
    live = list_vector_folders(catalog)
    for folder in directory.folders():
        if folder not in live:
            directory.remove(folder)


def _encode_weights(weights: F32 | None) -> bytes | None:
    return None if weights is None else np.asarray(weights, np.float32).tobytes()
