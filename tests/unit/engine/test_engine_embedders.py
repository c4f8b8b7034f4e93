"""What is wrong with an embedder is told by the option to change, and found without loading a model."""

import json
from pathlib import Path

import pytest

from dowse.embedding import EmbeddingSettings, Runtime
from dowse.engine.embedders import find_fault, load_embedder
from dowse.errors import ConfigError, DowseError, ModelMissingError

NO_TIME = Runtime(clock=lambda: 0.0, sleep=lambda seconds: None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model that can be found and not loaded, with a limit of 128 tokens."""
    (tmp_path / "model.onnx").write_bytes(b"graph")
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "config.json").write_text('{"hidden_size": 16, "max_position_embeddings": 128}')
    return tmp_path


def raised(settings: EmbeddingSettings) -> DowseError:
    """Returns what loading an embedder says."""
    with pytest.raises(DowseError) as caught:
        load_embedder(settings, NO_TIME)
    return caught.value


@pytest.mark.parametrize("max_tokens", [2, 129])
def test_a_wrong_number_of_tokens_names_its_option_and_the_legal_range(folder: Path, max_tokens: int) -> None:
    """A look at the files finds it, and loading says the same."""
    settings = EmbeddingSettings(model=str(folder), max_tokens=max_tokens)
    for fault in (find_fault(settings), raised(settings)):
        assert isinstance(fault, ConfigError)
        assert f"embedding.max_tokens: it cannot be {max_tokens}; legal values are 3 to 128" in fault.message
        assert "change-option embedding.max_tokens" == fault.hint


def test_a_judge_that_is_to_make_vectors_names_the_option(folder: Path) -> None:
    """The model is there, so it is not missing: it was chosen wrongly."""
    config = {"hidden_size": 16, "architectures": ["BertForSequenceClassification"]}
    (folder / "config.json").write_text(json.dumps(config))
    settings = EmbeddingSettings(model=str(folder))
    for fault in (find_fault(settings), raised(settings)):
        assert isinstance(fault, ConfigError)
        assert fault.message.startswith("embedding.model: it cannot be")


def test_a_model_that_nobody_knows_is_missing(tmp_path: Path) -> None:
    """A folder that was moved away is nothing that was configured wrongly."""
    settings = EmbeddingSettings(model=str(tmp_path / "gone"))
    for fault in (find_fault(settings), raised(settings)):
        assert isinstance(fault, ModelMissingError)
        assert "there is no such model" in fault.message
        assert "known:" in fault.hint


def test_what_the_configuration_got_wrong_is_raised_when_an_embedder_is_wanted() -> None:
    """The settings carry it until then."""
    wrong = ConfigError(place="here", message="embedding.url is not set", hint="set it")
    settings = EmbeddingSettings(kind="http", error=wrong)
    assert wrong is find_fault(settings)
    assert wrong is raised(settings)


def test_nothing_is_wrong_with_what_can_be(folder: Path) -> None:
    """Files that are there are believed until they are loaded; no vectors need no model."""
    pytest.importorskip("onnxruntime", reason="pip install onnxruntime tokenizers")
    assert find_fault(EmbeddingSettings(model=str(folder), max_tokens=128)) is None
    assert find_fault(EmbeddingSettings(kind="none", model="nobody")) is None


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named_with_the_command_that_brings_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """The command works as it stands, wherever Dowse came from."""
    monkeypatch.setattr("dowse.engine.embedders.find_spec", lambda name: None if name == package else name)
    fault = find_fault(EmbeddingSettings(model=str(folder)))
    assert isinstance(fault, ModelMissingError)
    assert f"the package {package} is not installed" in fault.message
    assert "pip install onnxruntime tokenizers" == fault.hint
