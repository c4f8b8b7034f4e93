"""The languages analysis knows: their names, their ISO codes, and which of them have stop words."""

import functools

from dowse.analysis.stemming import stemmer_names
from dowse.errors import InvalidParameterError

# Languages with a stop-word file, by ISO 639-1 code.
STOP_WORD_LANGUAGES: dict[str, str] = {
    "ar": "arabic", "bg": "bulgarian", "ca": "catalan", "cs": "czech", "da": "danish",
    "de": "german", "el": "greek", "en": "english", "es": "spanish", "fa": "persian",
    "fi": "finnish", "fr": "french", "gu": "gujarati", "he": "hebrew", "hi": "hindi",
    "hu": "hungarian", "id": "indonesian", "it": "italian", "ja": "japanese", "ko": "korean",
    "ms": "malay", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sk": "slovak", "sv": "swedish", "tr": "turkish",
    "uk": "ukrainian", "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip

_CODES: dict[str, str] = {
    **STOP_WORD_LANGUAGES,
    "eo": "esperanto", "et": "estonian", "eu": "basque", "ga": "irish", "hy": "armenian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nn": "norwegian", "sr": "serbian",
    "st": "sesotho", "ta": "tamil", "yi": "yiddish",
}  # fmt: skip

# Snowball's other algorithms for a language that has stop words under its plain name.
_VARIANTS = {"porter": "en", "dutch_porter": "nl"}


@functools.cache
def languages() -> tuple[str, ...]:
    """Every name `AnalysisSettings.language` takes, sorted; ISO codes stand for these."""
    return tuple(sorted({"none", *stemmer_names(), *STOP_WORD_LANGUAGES.values()}))


def parse_language(text: str) -> str:
    """Returns the language's name for a name or an ISO code, in any case.

    Raises:
        InvalidParameterError: If nobody knows the language.
    """
    name = text.strip().casefold()
    name = _CODES.get(name, name)
    if name not in languages():
        legal = "languages are: " + ", ".join(languages()) + ", or their ISO codes"
        raise InvalidParameterError(name="language", value=f"“{text}”", legal=legal)
    return name


def stemmer_of(language: str) -> str:
    """Returns the Snowball algorithm of a language, or ``none``."""
    return language if language in stemmer_names() else "none"


def find_stop_word_code(language: str) -> str | None:
    """Returns the name of the language's stop-word file, or ``None`` when it has none."""
    for code, name in STOP_WORD_LANGUAGES.items():
        if name == language:
            return code
    return _VARIANTS.get(language)
