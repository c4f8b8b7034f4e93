"""Reads a folder with a model as sentence-transformers exports it: the graph, the tokenizer and small JSON
files.

Whatever the small files leave out gets the value that sentence-transformers would use; where that is the
pooling, the card says so. A file that contradicts another is an error, for a wrong pooling or prefix gives
vectors that look right and rank badly.
"""

import json
from pathlib import Path
from typing import Any, Literal

from dowse.embedding.model_card import Kind, ModelCard, ModelFiles, Pooling, sha256_of
from dowse.errors import ModelMissingError

GRAPHS = (
    "model.onnx",
    "onnx/model.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
)
"""Where the graph may be, first choice first."""
WEIGHTS = ("_data", ".data")
"""What is added to the name of the graph for the file of its weights, which large ones do not hold."""
POOLING = "1_Pooling/config.json"
"""Says how one vector is made of those of all tokens."""
QUERY_PROMPTS, PASSAGE_PROMPTS = ("query", "search_query"), ("document", "passage", "search_document")
REMEDY = "export the model again with: optimum-cli export onnx --model NAME FOLDER"


def find_export(folder: Path) -> Path | None:
    """Returns the graph of an export, None when the folder holds none."""
    return next((folder / name for name in GRAPHS if (folder / name).is_file()), None)


def read_export(folder: Path) -> ModelFiles:
    """Returns the model of a folder; its files are hashed, as there is no table to believe.

    Raises:
        ModelMissingError: The graph, the tokenizer or the configuration is missing or cannot be read.
    """
    graph = find_export(folder)
    if graph is None:
        raise _incomplete(folder, f"{folder} has none of {', '.join(GRAPHS)}")
    tokenizer = next((path for path in _beside(folder, graph, "tokenizer.json") if path.is_file()), None)
    if tokenizer is None:
        raise _incomplete(folder, f"{folder / 'tokenizer.json'} is not there")
    config = _read_json(folder, graph, "config.json")
    if _dimensions(config) is None:
        raise _incomplete(folder, f"{folder / 'config.json'} is not there, or has no hidden_size")
    card = _read_card(folder, graph, config)
    beside = (graph.with_name(graph.name + end) for end in WEIGHTS)
    weights = next((path for path in beside if path.is_file()), None)
    try:
        return ModelFiles(
            card, graph, tokenizer, sha256_of(graph), sha256_of(tokenizer), REMEDY,
            weights, sha256_of(weights) if weights else "", is_listed=False,
        )  # fmt: skip
    except OSError as error:
        raise _incomplete(folder, f"{error.filename} cannot be read: {error.strerror}") from error


def _read_card(folder: Path, graph: Path, config: dict[str, Any]) -> ModelCard:
    is_judge = any("SequenceClassification" in str(name) for name in config.get("architectures") or ())
    kind: Kind = "cross-encoder" if is_judge else "embedder"
    pooling = _find_pooling(folder, _read_json(folder, graph, POOLING))
    prompts = _read_json(folder, graph, "config_sentence_transformers.json").get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    limit = _read_json(folder, graph, "sentence_bert_config.json").get("max_seq_length")
    if not isinstance(limit, int):
        limit = config.get("max_position_embeddings")
    return ModelCard(
        folder.name,
        kind,
        0 if is_judge else _dimensions(config) or 0,
        limit if isinstance(limit, int) and limit > 2 else 512,
        pooling or "mean",
        _prompt(prompts, QUERY_PROMPTS),
        _prompt(prompts, PASSAGE_PROMPTS),
        f"from {folder}",
        assumes_pooling=pooling is None and not is_judge,
    )


def _find_pooling(folder: Path, config: dict[str, Any]) -> Pooling | None:
    """Returns how the model pools; None when the export does not say."""
    names: dict[str, Literal["cls", "mean"] | None] = {
        "pooling_mode_cls_token": "cls",
        "pooling_mode_mean_tokens": "mean",
    }
    asked = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    if isinstance(config.get("pooling_mode"), str):
        name = config["pooling_mode"]
        asked = [f"pooling_mode_{name}_token" + ("" if name == "cls" else "s")]
    if not asked:
        return None
    pooling = names.get(asked[0]) if len(asked) == 1 else None
    if pooling is None:
        raise _incomplete(folder, f"pooling by {', '.join(asked)} is not supported: only cls or mean")
    return pooling


def _prompt(prompts: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((prompts[name] for name in names if isinstance(prompts.get(name), str)), "")


def _beside(folder: Path, graph: Path, name: str) -> tuple[Path, ...]:
    return folder / name, graph.parent / name


def _read_json(folder: Path, graph: Path, name: str) -> dict[str, Any]:
    """Returns the object in a file, an empty one when there is no such file."""
    for path in _beside(folder, graph, name):
        try:
            value = json.loads(path.read_bytes())
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise _incomplete(folder, f"{path} cannot be read: {error}") from error
        if isinstance(value, dict):
            return value
        raise _incomplete(folder, f"{path} is not a JSON object")
    return {}


def _incomplete(folder: Path, reason: str) -> ModelMissingError:
    return ModelMissingError(name=folder.name, reason=reason, remedy=REMEDY)


def _dimensions(config: dict[str, Any]) -> int | None:
    value = config.get("hidden_size", config.get("dim"))
    return value if isinstance(value, int) and value > 0 else None
