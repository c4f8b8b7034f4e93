"""Loads the model that judges a question and a passage together."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dowse.embedding import EmbeddingSettings
from dowse.embedding.model_card import INSTALLING
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, find_model
from dowse.errors import ModelDamagedError, ResourceError
from dowse.search.stages import JudgeUnavailable

if TYPE_CHECKING:
    from dowse.search.stages.stage import Judge


def load_judge(settings: EmbeddingSettings) -> "Judge":
    """Returns the judge; loading takes a third of a second.

    Raises:
        JudgeUnavailable: Its files, or what runs them, are not there or not what they should be.
    """
    try:
        from dowse.embedding import CrossEncoder

        encoder = CrossEncoder(
            find_model(DEFAULT_CROSS_ENCODER, settings.model_folders),
            threads=settings.threads,
            cache_folder=settings.cache_folder,
        )
    except (ResourceError, ModelDamagedError) as error:
        raise JudgeUnavailable(f"{error.message}; {error.hint}") from error
    except ImportError as error:
        raise JudgeUnavailable(f"{error.name} is not installed; {INSTALLING}") from error

    def judge(query: str, passages: Sequence[str], has_time: Callable[[], bool]) -> Sequence[float]:
        scores: list[float] = encoder.score(query, passages, has_time).tolist()
        return scores

    return judge
