"""Makes what static vectors are made by: a table of the model's tokens, their weights, and a correction.

The table belongs to the model and is kept in the cache folder; weights and correction are learned from the
chunks of an index, and kept in its catalogue.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dowse.embedding import EmbeddingSettings

if TYPE_CHECKING:
    from dowse.embedding import ModelFiles, OnnxEmbedder, StaticEmbedder, StaticTable, WordPieces
    from dowse.engine.embeddings import EmbeddingListener
    from dowse.kernels.layout import F32
    from dowse.storage.stored_models import FittedModel, StoredModel


class Learned(NamedTuple):
    """What was learned from passages.

    Attributes:
        fitted: What the catalogue keeps of it.
        embedder: Makes static vectors by it.
    """

    fitted: "FittedModel"
    embedder: "StaticEmbedder"


class StaticTier:
    """The static tier of a model on this machine; a service has none.

    Args:
        settings: Which model.
        folder: Where tables are kept between runs; None for nowhere, and then there is no such tier.
        load_model: Returns the model; it is called when its vocabulary is needed.
    """

    def __init__(
        self, settings: EmbeddingSettings, folder: Path | None, load_model: "Callable[[], OnnxEmbedder]"
    ) -> None:
        self._settings, self._folder, self._load_model = settings, folder, load_model
        self._kept: StaticTable | None = None

    @property
    def is_possible(self) -> bool:
        """Whether there can be static vectors."""
        return self._settings.kind == "onnx" and self._folder is not None

    def has_table(self) -> bool:
        """Says whether the table need not be made first. Looks for the model's files, which must be there."""
        if self._kept is not None or not self.is_possible:
            return self._kept is not None
        from dowse.embedding import find_model

        return self._path(find_model(self._settings.model, self._settings.model_folders)).is_file()

    def get_table(self, listener: "EmbeddingListener") -> "StaticTable | None":
        """Returns the table of token vectors, made when not there; None where there is no such tier.

        It is kept for the next run where that is possible, and in memory until then.
        """
        from dowse.embedding import build_static_table, load_static_table

        if not self.is_possible:
            return None
        model = self._load_model()
        path = self._path(model.files)
        table = self._kept or load_static_table(path, model.files.fingerprint)
        if table is None:
            table = build_static_table(model, listener.table)
            try:
                table.save(path)
            except OSError as error:  # a cache that cannot be written to costs time, nothing else
                listener.note(
                    f"what was prepared for the model could not be kept in {path.parent}"
                    f" ({error.strerror or error}) and is made again each time;"
                    " DOWSE_CACHE names another folder"
                )
        self._kept = table
        return table

    def find_embedder(self, model: "StoredModel", listener: "EmbeddingListener") -> "StaticEmbedder | None":
        """Returns what makes static vectors as an index has learned it; None when it has not."""
        from dowse.embedding import decode_map

        table = None if model.token_weights is None else self.get_table(listener)
        if table is None or model.token_weights is None:
            return None
        static = self._build(table, model.token_weights)
        return static.with_correction(decode_map(model.correction, static.dimensions))

    def learn(
        self, table: "StaticTable", texts: Sequence[str], pairs: "tuple[Sequence[str], F32]"
    ) -> Learned:
        """Learns from the passages of an index what static vectors of it are made by.

        Args:
            table: Of the model's tokens.
            texts: Passages from everywhere in the index; they say how rare each token is.
            pairs: Passages, and the model's own vectors of these.
        """
        from dowse.embedding import MapFitter, TokenCounts
        from dowse.storage.stored_models import FittedModel

        counts, pieces = TokenCounts(len(table.vectors)), self._pieces()
        for text in texts:
            counts.add(pieces.split(text))
        weights = counts.idf()
        static = self._build(table, weights)
        fitter = MapFitter(static.dimensions)
        fitter.add(static.embed_uncorrected(pairs[0]), pairs[1])
        correction = fitter.solve()
        fitted = FittedModel(weights, correction.encode(), len(pairs[0]))
        return Learned(fitted, static.with_correction(correction))

    def _build(self, table: "StaticTable", weights: "F32") -> "StaticEmbedder":
        from dowse.embedding import StaticEmbedder

        name, threads = self._load_model().name, self._settings.threads
        return StaticEmbedder(name, table, self._pieces(), weights, threads=threads)

    def _pieces(self) -> "WordPieces":
        from dowse.embedding import WordPieces

        return WordPieces(self._load_model().tokenizer)

    def _path(self, files: "ModelFiles") -> Path:
        assert self._folder is not None, "asked before"
        return self._folder / f"{files.card.name.replace('/', '_')}-{files.fingerprint[:16]}.table"
