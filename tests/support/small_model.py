"""A real model with few words: an installed one's graph, and a vocabulary whose table takes a second."""

import shutil
from pathlib import Path

import pytest

from dowse.embedding import DEFAULT_MODEL, find_model
from dowse.errors import ModelMissingError

WORDS = ("water", "plants", "every", "morning", "the", "carrots", "grow", "below", "ground", "sun", "like")


def make_export(folder: Path) -> Path:
    """Writes a model with few words; skips where there is no model to take the graph from."""
    tokenizers = pytest.importorskip("tokenizers", reason="pip install onnxruntime tokenizers")
    pytest.importorskip("onnxruntime", reason="pip install onnxruntime tokenizers")
    try:
        files = find_model(DEFAULT_MODEL)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")
    folder.mkdir(parents=True)
    shutil.copy(files.model, folder / "model.onnx")
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *WORDS]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text('{"hidden_size": 384, "max_position_embeddings": 512}')
    return folder
