"""A model that works once: what is learned from it."""

from pathlib import Path

import pytest

from dowse.embedding import EmbeddingSettings, HttpSettings
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, DEFAULT_MODEL, find_model
from dowse.engine.model_trial import PASSAGES, QUESTION, try_model
from dowse.errors import EmbeddingServiceError, ModelMissingError
from support.embedding_service import running_service, well_behaved
from support.small_model import make_export


@pytest.mark.parametrize(("name", "dimensions"), [(DEFAULT_MODEL, 384), (DEFAULT_CROSS_ENCODER, 0)])
def test_a_model_of_the_table_ranks_and_leaves_no_doubt(name: str, dimensions: int) -> None:
    """An embedder and a judge both put the passage first that answers."""
    pytest.importorskip("onnxruntime", reason="pip install onnxruntime tokenizers")
    try:
        find_model(name)
    except ModelMissingError as error:
        pytest.skip(f"{error.message}; {error.hint}")
    trial = try_model(EmbeddingSettings(model=name))
    assert (name, dimensions, True, False) == (
        trial.name, trial.dimensions, trial.ranks, trial.assumes_pooling,
    )  # fmt: skip
    assert min(trial.loaded_s, trial.question_ms) > 0.0


def test_a_folder_that_does_not_say_how_it_pools_is_marked(tmp_path: Path) -> None:
    """Its graph has a vector for each token, so that something must be assumed."""
    assert try_model(EmbeddingSettings(model=str(make_export(tmp_path / "mine")))).assumes_pooling


def test_a_service_is_asked_for_passages_and_a_question() -> None:
    """One that answers works; one that does not is an error."""
    with running_service(well_behaved(16)) as service:
        settings = EmbeddingSettings(kind="http", http=HttpSettings(service.url, "theirs", 16, retries=0))
        trial = try_model(settings)
    assert ("theirs", 16) == (trial.name, trial.dimensions)
    assert [*PASSAGES, QUESTION] == [text for _, _, body in service.asked for text in body["input"]]
    with pytest.raises(EmbeddingServiceError):
        try_model(settings)
