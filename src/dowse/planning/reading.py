"""Words of a query in the languages of the trees searched."""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.analysis import PART, WHOLE, Analyzer, QueryToken
from dowse.matching import match_term
from dowse.storage.snapshot import Snapshot


class WordReading(NamedTuple):
    """A word in one language.

    Attributes:
        parts: Terms of its parts with their positions; one for a simple word.
        wholes: Terms of the compound as a whole.
    """

    parts: tuple[tuple[str, int], ...]
    wholes: tuple[str, ...]


class WordReader:
    """Reads words for one query."""

    def __init__(self, analyzers: Sequence[Analyzer], snapshot: Snapshot) -> None:
        self.analyzers, self._snapshot = analyzers, snapshot
        thresholds = [
            analyzer.settings.auto_threshold
            for analyzer in analyzers
            if analyzer.settings.stop_words == "auto"
        ]
        self._auto_threshold = max(thresholds, default=None)

    def bag(self, text: str, keeps_stop_words: bool) -> dict[str, float]:
        """Returns the terms of bare words, each with how often the text has it."""
        weights: dict[str, float] = {}
        if len(self.analyzers) == 1 and self._auto_threshold is None:
            for term, is_stop_word in self.analyzers[0].bag_terms(text):
                if keeps_stop_words or not is_stop_word:
                    weights[term] = weights.get(term, 0.0) + 1.0
            return weights
        is_stop = self.is_stop
        for token in self._tokens(text):
            if keeps_stop_words or not is_stop(token):
                weights[token.term] = weights.get(token.term, 0.0) + 1.0
        return weights

    def read(self, text: str, keeps_stop_words: bool) -> list[WordReading]:
        """Returns the different readings of one word; none of a stop word, unless they are kept."""
        readings: dict[WordReading, None] = {}
        for analyzer in self.analyzers:
            tokens = analyzer.query_tokens(text)
            if len(tokens) == 1 and tokens[0].kind == PART:  # a plain word, as most are
                if keeps_stop_words or not self.is_stop(tokens[0]):
                    readings[WordReading(((tokens[0].term, tokens[0].position),), ())] = None
                continue
            if not keeps_stop_words and all(self.is_stop(token) for token in tokens):
                continue
            parts = tuple((token.term, token.position) for token in tokens if token.kind == PART)
            wholes = tuple(token.term for token in tokens if token.kind == WHOLE)
            if parts or wholes:
                readings[WordReading(parts, wholes)] = None
        return list(readings)

    def single_tokens(self, texts: Sequence[str]) -> list[QueryToken] | None:
        """Returns the token of each word, stop words included; None unless each has one, in one language."""
        if len(self.analyzers) != 1:
            return None
        tokens = self.analyzers[0].query_tokens(" ".join(texts))  # no token reaches across white space
        if len(tokens) != len(texts):
            return None
        start = 0
        for token, text in zip(tokens, texts, strict=True):
            stop = start + len(text)
            if not start <= token.start < stop or token.kind != PART:
                return None
            start = stop + 1
        return tokens

    def phrases(self, text: str) -> list[tuple[tuple[str, int], ...]]:
        """Returns the different readings of a phrase, stop words included."""
        readings: dict[tuple[tuple[str, int], ...], None] = {}
        for analyzer in self.analyzers:
            words = analyzer.phrase_terms(text)
            if words:
                readings[words] = None
        return list(readings)

    def surfaces(self, text: str) -> list[str]:
        """Returns the words of a text, folded and not stemmed."""
        tokens = self.analyzers[0].query_tokens(text)
        return [token.surface for token in tokens if token.kind == PART]

    def _tokens(self, text: str) -> list[QueryToken]:
        """Returns the tokens of a text; those that several languages agree on appear once."""
        if len(self.analyzers) == 1:
            return self.analyzers[0].query_tokens(text)
        tokens: dict[tuple[str, int, int], QueryToken] = {}
        for analyzer in self.analyzers:
            for token in analyzer.query_tokens(text):
                tokens.setdefault((token.term, token.start, token.kind), token)
        return list(tokens.values())

    def is_stop(self, token: QueryToken) -> bool:
        """Says whether a token is a stop word of its language, or too frequent where that decides."""
        if token.is_stop or self._auto_threshold is None:
            return token.is_stop
        share = match_term(self._snapshot, token.term).doc_freq / max(self._snapshot.doc_count, 1)
        return share >= self._auto_threshold
