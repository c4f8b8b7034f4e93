"""Loads the cross-encoder: the model that reads a question and a passage together."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dowse.embedding import EmbeddingSettings
from dowse.embedding.model_card import INSTALLING
from dowse.embedding.models import DEFAULT_CROSS_ENCODER, find_model
from dowse.errors import ModelDamagedError, ResourceError
from dowse.search.context import CrossEncoderUnavailable

if TYPE_CHECKING:
    from dowse.search.context import CrossEncoder as ScorePairs


def load_cross_encoder(settings: EmbeddingSettings) -> "ScorePairs":
    """Returns the cross-encoder; loading takes a third of a second.

    Raises:
        CrossEncoderUnavailable: Its files, or what runs them, are not there or not what they should be.
    """
    try:
        from dowse.embedding import CrossEncoder

        encoder = CrossEncoder(
            find_model(DEFAULT_CROSS_ENCODER, settings.model_folders),
            threads=settings.threads,
            cache_folder=settings.cache_folder,
        )
    except (ResourceError, ModelDamagedError) as error:
        raise CrossEncoderUnavailable(f"{error.message}; {error.hint}") from error
    except ImportError as error:
        raise CrossEncoderUnavailable(f"{error.name} is not installed; {INSTALLING}") from error

    def score(query: str, passages: Sequence[str], has_time: Callable[[], bool]) -> Sequence[float]:
        scores: list[float] = encoder.score(query, passages, has_time).tolist()
        return scores

    return score
