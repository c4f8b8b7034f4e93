"""The analyzers of an index's trees, made when first needed and kept."""

import json

from dowse.analysis import AnalysisSettings, Analyzer

KEPT_ANALYZERS = 64
"""Ways to analyse that are kept; whoever uses one that was forgotten goes on doing so."""


class Analyzers:
    """Analyzers by their settings in JSON, the form in which the catalogue keeps them for each tree."""

    def __init__(self) -> None:
        self._by_settings: dict[str, Analyzer] = {}

    def get(self, analysis: str) -> Analyzer:
        """Returns the analyzer for a tree's settings."""
        found = self._by_settings.get(analysis)
        if found is None:
            found = self._by_settings[analysis] = Analyzer(decode_settings(analysis))
            while len(self._by_settings) > KEPT_ANALYZERS:
                self._by_settings.pop(next(iter(self._by_settings)), None)
        return found


def encode_settings(settings: AnalysisSettings) -> str:
    """Returns settings as JSON; equal settings give equal text."""
    return json.dumps(
        {
            "language": settings.language,
            "stop_words": settings.stop_words,
            "custom_stop_words": list(settings.custom_stop_words),
            "auto_threshold": settings.auto_threshold,
        },
        sort_keys=True,
    )


def decode_settings(analysis: str) -> AnalysisSettings:
    """Reads what `encode_settings` wrote; missing keys have their defaults."""
    value = json.loads(analysis)
    custom = tuple(value.pop("custom_stop_words", ()))
    return AnalysisSettings(custom_stop_words=custom, **value)
