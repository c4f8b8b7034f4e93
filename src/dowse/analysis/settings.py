"""How text is analysed, as one frozen value."""

from msgspec import Struct
from msgspec.structs import force_setattr

from dowse.analysis.languages import parse_language, stemmer_of
from dowse.analysis.stemming import stemmer_version
from dowse.analysis.table import load_table
from dowse.errors import InvalidParameterError

# Raise by one with every change to the rules that changes the terms of any text.
RULES_VERSION = 1

STOP_WORD_MODES = ("none", "default", "custom", "auto")


class AnalysisSettings(Struct, frozen=True):
    """What decides the terms of a text and the stop words of a query.

    Attributes:
        language: Decides stemmer and stop words: a Snowball algorithm, another language that has
            stop words, or ``none``; an ISO code is turned into the name.
        stop_words: ``none``, ``default`` (the language's list), ``custom`` (the words given here)
            or ``auto`` (terms in at least `auto_threshold` of all rows, which the planner looks
            up).
        custom_stop_words: As a user would write them; folded like any text.
        auto_threshold: Share of rows above 0 and up to 1; read in mode ``auto`` only.
    """

    language: str = "english"
    stop_words: str = "default"
    custom_stop_words: tuple[str, ...] = ()
    auto_threshold: float = 0.85

    def __post_init__(self) -> None:
        force_setattr(self, "language", parse_language(self.language))
        if self.stop_words not in STOP_WORD_MODES:
            legal = "one of: " + ", ".join(STOP_WORD_MODES)
            raise InvalidParameterError(name="stop_words", value=self.stop_words, legal=legal)
        if not 0.0 < self.auto_threshold <= 1.0:
            raise InvalidParameterError(
                name="auto_threshold", value=self.auto_threshold, legal="above 0 and up to 1"
            )
        force_setattr(self, "custom_stop_words", tuple(self.custom_stop_words))

    def fingerprint(self) -> str:
        """Returns a short text that changes when the indexed terms of some text would.

        Stop words are not part of it: they are indexed like all words and only left out of queries.
        """
        stemmer = stemmer_version(stemmer_of(self.language))
        return f"rules-{RULES_VERSION}/unicode-{load_table().version}/stemmer-{stemmer}"
