"""The ONNX embedder with the default weights; skipped, saying how to get them, when they are not there."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from dowse.embedding import session
from dowse.embedding.cross_encoder import CrossEncoder
from dowse.embedding.graph_file import parse_graph
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, DEFAULT_MODEL, find_model
from dowse.embedding.onnx import OnnxEmbedder
from dowse.errors import InvalidParameterError, ModelDamagedError, ModelMissingError


def installed(name: str) -> ModelFiles:
    """Returns the files of a model, or skips."""
    pytest.importorskip("onnxruntime", reason="pip install onnxruntime tokenizers")
    try:
        return find_model(name)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")


@pytest.fixture(scope="module")
def files() -> ModelFiles:
    """The default model."""
    return installed(DEFAULT_MODEL)


@pytest.fixture(scope="module")
def embedder(files) -> OnnxEmbedder:
    """The default model, loaded."""
    return OnnxEmbedder(files)


def test_the_prefix_goes_before_questions_only(embedder, files):
    """A question is the passage that begins with the card's prefix, but for how the two are rounded."""
    text = "why is the sky blue"
    query = embedder.embed_queries([text])[0]
    with_prefix, without = embedder.embed_passages([files.card.query_prefix + text, text])
    assert float(query @ with_prefix) > 0.98 > float(query @ without)


def test_what_lies_beyond_the_limit_does_not_count(files):
    """Two texts that differ after the last token that counts are one."""
    short = OnnxEmbedder(files, max_tokens=8)
    texts = [f"one two three four five six {last}" for last in ("seven", "nine")]
    left, right = short.embed_passages(texts)
    np.testing.assert_array_equal(left, right)
    assert short.fingerprint != OnnxEmbedder(files, max_tokens=9).fingerprint


@pytest.mark.parametrize("options", [{"max_tokens": 2}, {"max_tokens": 513}, {"threads": 0}])
def test_numbers_out_of_range_are_refused(files, options):
    """The legal range is named."""
    with pytest.raises(InvalidParameterError) as caught:
        OnnxEmbedder(files, **options)
    assert "legal values are" in caught.value.hint


def test_the_optimised_graph_is_made_once_and_gives_the_same_vectors(files, embedder, tmp_path):
    """The second load reads the kept graph; vectors agree with those of the plain one."""
    texts = ["bread", "a longer text about bread and butter"]
    first = OnnxEmbedder(files, cache_folder=tmp_path / "graphs")
    first.embed_passages(texts)
    kept = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "graphs").iterdir()}
    second = OnnxEmbedder(files, cache_folder=tmp_path / "graphs")
    second.embed_passages(texts)
    assert 2 == len(kept)
    assert kept == {file.name: file.stat().st_mtime_ns for file in (tmp_path / "graphs").iterdir()}
    for one in (first, second):
        np.testing.assert_allclose(one.embed_passages(texts), embedder.embed_passages(texts), atol=2e-2)
    np.testing.assert_allclose(first.embed_passages(texts), second.embed_passages(texts), atol=1e-5)


def test_a_kept_graph_that_cannot_be_loaded_is_made_again(files, tmp_path):
    """Even one that hashes to what is written beside it: the model's own file is sound, and not blamed."""
    OnnxEmbedder(files, cache_folder=tmp_path).embed_passages(["bread"])
    graph = next(tmp_path.glob("*.onnx"))
    whole = graph.read_bytes()
    graph.write_bytes(whole[:1000])
    graph.with_suffix(".sha256").write_text(hashlib.sha256(whole[:1000]).hexdigest())
    OnnxEmbedder(files, cache_folder=tmp_path).embed_passages(["bread"])
    assert len(whole) == graph.stat().st_size


def test_vectors_that_are_not_finite_are_refused(files, tmp_path):
    """A model that makes NaN of every text is named; its vectors would all be one."""
    folder = export_of(files, tmp_path / "mine")
    content = (folder / "model.onnx").read_bytes()
    norm = parse_graph(content).tensors["embeddings.LayerNorm.weight"]
    (folder / "model.onnx").write_bytes(content.replace(norm.tobytes(), np.full_like(norm, np.nan).tobytes()))
    with pytest.raises(ModelDamagedError, match="not finite"):
        OnnxEmbedder(find_model(str(folder)))


def test_a_damaged_kept_graph_is_made_again(files, tmp_path):
    """A flipped byte in the cache costs time, not truth."""
    OnnxEmbedder(files, cache_folder=tmp_path).embed_passages(["bread"])
    graph = next(tmp_path.glob("*.onnx"))
    content = bytearray(graph.read_bytes())
    content[len(content) // 2] ^= 0xFF
    graph.write_bytes(content)
    OnnxEmbedder(files, cache_folder=tmp_path).embed_passages(["bread"])
    assert bytes(content) != graph.read_bytes()


def test_a_cache_that_cannot_be_written_is_done_without(files, tmp_path):
    """A file where the folder should be, or no way to write into it: the model loads all the same."""
    import onnxruntime

    (tmp_path / "file").write_text("in the way")
    name = f"{files.model_sha256[:16]}-onnxruntime-{onnxruntime.__version__}.part"
    (tmp_path / "folder" / name).mkdir(parents=True)
    for cache in ("file", "folder"):
        embedder = OnnxEmbedder(files, cache_folder=tmp_path / cache)
        assert (1, 384) == embedder.embed_passages(["bread"]).shape


def test_altered_weights_are_refused_at_load(files, tmp_path):
    """One flipped byte in the graph or the tokenizer, and the model is not used."""
    for name in ("model", "tokenizer"):
        path = tmp_path / name
        content = bytearray(getattr(files, name).read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        with pytest.raises(ModelDamagedError) as caught:
            OnnxEmbedder(replace(files, **{name: path}))
        assert str(path) in caught.value.message


def test_a_folder_whose_files_are_no_model_is_an_error(files, tmp_path):
    """Files that hash right but hold no graph are named."""
    folder = export_of(files, tmp_path / "mine")
    (folder / "model.onnx").write_bytes(b"not a graph")
    with pytest.raises(ModelDamagedError, match=r"model\.onnx"):
        OnnxEmbedder(find_model(str(folder)))
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelDamagedError, match=r"tokenizer\.json"):
        OnnxEmbedder(find_model(str(folder)))


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_tokenizer_of_another_model_is_an_error_of_the_files(files, tmp_path, pooling: str):
    """It gives numbers that the graph does not know, whether a kernel or onnxruntime is asked."""
    folder = export_of(files, tmp_path / "mine")
    suffix = "token" if pooling == "cls" else "tokens"
    (folder / "1_Pooling" / "config.json").write_text(f'{{"pooling_mode_{pooling}_{suffix}": true}}')
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(re.sub(r'("ids":\s*\[\s*)102\b', r"\g<1>99999", tokenizer.read_text("utf-8")))
    with pytest.raises(ModelDamagedError, match=r"is not the file .*99999"):
        OnnxEmbedder(find_model(str(folder))).embed_passages(["bread"])


def export_of(files: ModelFiles, folder: Path, dimensions: int = 384) -> Path:
    """Writes the default model as a folder of sentence-transformers."""
    (folder / "1_Pooling").mkdir(parents=True)
    shutil.copy(files.model, folder / "model.onnx")
    shutil.copy(files.tokenizer, folder / "tokenizer.json")
    (folder / "config.json").write_text(f'{{"hidden_size": {dimensions}, "max_position_embeddings": 512}}')
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    return folder


def test_a_folder_works_as_the_table_does(files, embedder, tmp_path):
    """The same weights as a folder give the same vectors."""
    mine = OnnxEmbedder(find_model("mine", [export_of(files, tmp_path / "mine").parent]))
    np.testing.assert_array_equal(mine.embed_passages(["bread"]), embedder.embed_passages(["bread"]))


def test_wrong_dimensions_are_noticed_at_load(files, tmp_path):
    """A configuration that contradicts the graph is an error before any vector is written."""
    folder = export_of(files, tmp_path / "mine", dimensions=768)
    with pytest.raises(ModelMissingError, match="have 384 dimensions, its configuration says 768"):
        OnnxEmbedder(find_model(str(folder)))


def test_a_judge_is_no_embedder_and_an_embedder_no_judge(files):
    """The two kinds of model are not mixed up."""
    with pytest.raises(InvalidParameterError):
        OnnxEmbedder(installed(DEFAULT_CROSS_ENCODER))
    with pytest.raises(InvalidParameterError):
        CrossEncoder(files)


def test_packages_that_are_missing_are_named(files, monkeypatch):
    """Without onnxruntime or tokenizers the error is the command that brings them."""
    for package in ("tokenizers", "onnxruntime"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            with pytest.raises(ModelMissingError, match=package) as caught:
                session.TokenModel(files, 8, 1, None)
        assert "pip install onnxruntime tokenizers" == caught.value.hint


EMBED_ALL = """
from dowse.embedding import OnnxEmbedder, find_model
embedder = OnnxEmbedder(find_model("bge-small-en-v1.5"))
embedder.embed_queries(["bread"]), embedder.embed_passages(["bread"])
"""


def test_nothing_is_noted_to_be_sent_anywhere(files, tmp_path):
    """onnxruntime, asked to, keeps no file of what it could tell its maker."""
    surroundings = os.environ | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    surroundings.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", EMBED_ALL], env=surroundings, check=True)
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file()]


def test_special_tokens_frame_a_text(embedder):
    """[CLS] before and [SEP] after."""
    assert ([101], [102]) == embedder.special_tokens()


def test_the_judge_prefers_the_answer():
    """The passage that answers scores higher, whatever the order and the number of threads."""
    judge = CrossEncoder(installed(DEFAULT_CROSS_ENCODER), max_tokens=64, threads=2)
    passages = ["Paris is the capital of France.", "Bananas are yellow.", ""]
    scores = judge.score("what is the capital of France?", passages)
    assert 0 == int(scores.argmax())
    np.testing.assert_allclose(judge.score("what is the capital of France?", passages[::-1]), scores[::-1])
    assert (0,) == judge.score("x", []).shape
    assert np.isfinite(judge.score("q" * 50_000, ["p" * 50_000])).all()


def test_the_judge_stops_when_time_is_up():
    """Passages beyond the budget are NaN, and those before are judged as ever."""
    judge = CrossEncoder(installed(DEFAULT_CROSS_ENCODER), max_tokens=64)
    left = iter([True, True, False])
    scores = judge.score("bread", ["bread", "butter", "jam", "tea"], lambda: next(left))
    assert [False, False, True, True] == np.isnan(scores).tolist()
    np.testing.assert_allclose(judge.score("bread", ["bread", "butter"]), scores[:2])


def test_pooling_is_the_cards(files, embedder):
    """The first token's vector and the mean of all are not the same, and not the same space."""
    mean = OnnxEmbedder(replace(files, card=replace(files.card, pooling="mean")))
    left, right = (one.embed_passages(["bread and butter"])[0] for one in (embedder, mean))
    assert float(left @ right) < 0.999
    assert embedder.fingerprint != mean.fingerprint
