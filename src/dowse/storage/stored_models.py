"""The models whose vectors an index has, with the space of each."""

from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import F32
from dowse.storage.catalog import Catalog, Row
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.vectors.space import VectorSpace

STATIC, MODEL = 0, 1
"""Kinds of vectors: made from a table of tokens, and by the model itself. When the way static ones are made
gets better, those made in the old way are of another kind: the next ones are 2, 3 and so on."""


class StoredModel(NamedTuple):
    """A model as the catalogue knows it.

    Attributes:
        space: In which its vectors are kept.
        token_weights: How much each token counts in a static vector; None for a model without static ones.
        correction: What brings a static vector near to the model's own, as bytes.
        pairs: How many pairs of vectors the correction was learned from.
        static_kind: Kind of the static vectors that are made now.
    """

    model_id: int
    fingerprint: str
    name: str
    space: VectorSpace
    token_weights: F32 | None
    correction: bytes = b""
    pairs: int = 0
    static_kind: int = STATIC


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


_MODEL = (
    "SELECT model_id, fingerprint, name, dimensions, mean, seed, token_weights, correction, pairs,"
    " static_kind FROM models "
)


def find_stored_model(view: CatalogView, fingerprint: str) -> StoredModel | None:
    """Returns what the first catalogue that knows a model knows of it; None when the index never met it."""
    sql = _MODEL + "WHERE fingerprint = ?"
    rows = (part.catalog.fetch_one(sql, (fingerprint,)) for part in view.parts)
    return next((_read_model(row) for row in rows if row is not None), None)


def list_models(view: CatalogView, name: str | None = None) -> list[StoredModel]:
    """Returns all models that the index has met, or those of a name, oldest first."""
    sql = _MODEL + "WHERE ?1 IS NULL OR name = ?1 ORDER BY model_id"
    return [_read_model(row) for part in view.parts for row in part.catalog.fetch(sql, (name,))]


def _read_model(row: Row) -> StoredModel:
    model_id, fingerprint, name, dimensions, mean, seed, weights, correction, pairs, static_kind = row
    space = VectorSpace(dimensions, np.frombuffer(mean, np.float32), seed)
    token_weights = None if weights is None else np.frombuffer(weights, np.float32)
    return StoredModel(
        model_id, fingerprint, name, space, token_weights, bytes(correction or b""), pairs, static_kind
    )


def insert_model(
    catalog: Catalog, fingerprint: str, name: str, space: VectorSpace, fitted: FittedModel
) -> None:
    """Makes a model known, with the space in which its vectors will be kept.

    The space of a model that is known already stays; its static vectors are to be made again.
    """
    catalog.connection.execute(
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


def update_fit(catalog: Catalog, model_id: int, fitted: FittedModel) -> None:
    """Keeps what better static vectors are made by; those made before are to be made again."""
    catalog.connection.execute(
        "UPDATE models SET token_weights = ?, correction = ?, pairs = ?,"
        " static_kind = max(static_kind, ?) + 1 WHERE model_id = ?",
        (_encode_weights(fitted.token_weights), fitted.correction, fitted.pairs, MODEL, model_id),
    )


def _encode_weights(weights: F32 | None) -> bytes | None:
    return None if weights is None else np.asarray(weights, np.float32).tobytes()


def delete_model(catalog: Catalog, model_id: int) -> int:
    """Removes a model and the names of its segments of vectors; returns how many vectors those had."""
    sql = "SELECT coalesce(sum(rows), 0) FROM vector_segments WHERE model_id = ?"
    row = catalog.fetch_one(sql, (model_id,))
    for table in ("vector_segments", "models"):
        catalog.connection.execute(f"DELETE FROM {table} WHERE model_id = ?", (model_id,))
    return 0 if row is None else int(row[0])
