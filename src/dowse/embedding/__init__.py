"""What does a text mean, as a direction in space?

Embedders turn texts into unit vectors; texts of similar meaning get similar directions. A transformer does it
well and slowly, on this machine or behind a service. The static tier does it roughly and some fifty times
as fast, in the same space, so that one query vector can be compared with both.

May import: `kernels`, `errors`.

Main types: `Embedder` (the protocol) · `EMBEDDERS` (the kinds) and `build_embedder` · `MODELS` (the table of
models), `find_model`, `check_model` · `OnnxEmbedder`, `HttpEmbedder`, `StaticEmbedder` · `StaticTable` ·
`MapFitter` and `fit` (static vectors corrected by the transformer's) · `QueryCache` · `CrossEncoder`.

Reading order: `embedder` · `model_card` · `models` · `export_folder` · `session` · `graph_file` ·
`bert_weights` · `onnx` · `static_table` · `word_pieces` · `static` · `linear_map` · `nearest_words` ·
`circuit_breaker` · `address` · `exchange` · `http` · `cache` · `cross_encoder` · `registry`.

Invariants, held by `tests/conformance/test_embedders.py`:
1. Vectors are float32, of length 1, in the order of the texts, whatever the texts are.
2. The same text gets the same vector, alone or among others, whatever the number of threads.
3. The fingerprint changes whenever a passage's vector would. A query's may differ a little from one
   machine to another with the same fingerprint: where it can, a kernel of our own embeds it, which rounds
   more closely (`onnx`).
4. Nothing is downloaded, and no file is used that is not what it should be.

Importing this package loads neither onnxruntime nor tokenizers; names below come with their modules.

Not for: keeping vectors (`storage`), comparing them (`kernels`), or mixing their scores with others
(`fusion`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dowse.embedding.cache import QueryCache
    from dowse.embedding.cross_encoder import CrossEncoder
    from dowse.embedding.embedder import Embedder, Vectors
    from dowse.embedding.http import HttpEmbedder, HttpSettings
    from dowse.embedding.linear_map import LinearMap, MapFitter, decode_map, fit
    from dowse.embedding.model_card import ModelCard, ModelFiles, check_embedder
    from dowse.embedding.models import DEFAULT_MODEL, MODELS, check_model, find_model
    from dowse.embedding.nearest_words import NearestWords
    from dowse.embedding.onnx import OnnxEmbedder
    from dowse.embedding.registry import EMBEDDERS, EmbeddingSettings, Runtime, build_embedder
    from dowse.embedding.session import open_tokenizer
    from dowse.embedding.static import StaticEmbedder, TokenCounts
    from dowse.embedding.static_table import StaticTable, build_static_table, load_static_table
    from dowse.embedding.word_pieces import WordPieces

__all__ = [
    "DEFAULT_MODEL",
    "EMBEDDERS",
    "MODELS",
    "CrossEncoder",
    "Embedder",
    "EmbeddingSettings",
    "HttpEmbedder",
    "HttpSettings",
    "LinearMap",
    "MapFitter",
    "ModelCard",
    "ModelFiles",
    "NearestWords",
    "OnnxEmbedder",
    "QueryCache",
    "Runtime",
    "StaticEmbedder",
    "StaticTable",
    "TokenCounts",
    "Vectors",
    "WordPieces",
    "build_embedder",
    "build_static_table",
    "check_embedder",
    "check_model",
    "decode_map",
    "find_model",
    "fit",
    "load_static_table",
    "open_tokenizer",
]

_HOMES = {
    "cache": ("QueryCache",),
    "cross_encoder": ("CrossEncoder",),
    "embedder": ("Embedder", "Vectors"),
    "http": ("HttpEmbedder", "HttpSettings"),
    "linear_map": ("LinearMap", "MapFitter", "decode_map", "fit"),
    "model_card": ("ModelCard", "ModelFiles", "check_embedder"),
    "models": ("DEFAULT_MODEL", "MODELS", "check_model", "find_model"),
    "nearest_words": ("NearestWords",),
    "onnx": ("OnnxEmbedder",),
    "registry": ("EMBEDDERS", "EmbeddingSettings", "Runtime", "build_embedder"),
    "session": ("open_tokenizer",),
    "static": ("StaticEmbedder", "TokenCounts"),
    "static_table": ("StaticTable", "build_static_table", "load_static_table"),
    "word_pieces": ("WordPieces",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Loads a name's module when it is first asked for: the table of models needs no numpy, a vector does."""
    if name in _HOME_OF:
        return getattr(import_module(f"dowse.embedding.{_HOME_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
