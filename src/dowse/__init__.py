"""Dowse finds what you mean in your own files.

    import dowse

    with dowse.open("notes.dowse") as index:
        index.add("tea", "Green tea is steeped at 80 °C.")
        index.commit()
        for hit in index.search("tea temperature").hits:
            print(hit.doc_key, hit.score, hit.snippet.text)

Everything public is listed in `__all__`; names are loaded when first used, so that ``import dowse`` and
``dowse --help`` cost nothing.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from dowse.engine import Index, default_home, open  # noqa: A004 - dowse.open is the way in
    from dowse.errors import DowseError
    from dowse.planning.synonyms import parse_synonyms
    from dowse.schema import (
        Completion,
        Explanation,
        Hit,
        Misspelling,
        Problem,
        SearchRequest,
        SearchResponse,
        Snippet,
        SpellingReport,
        SynonymRule,
        TermEntry,
        TermPage,
    )

__all__ = [
    "Completion",
    "DowseError",
    "Explanation",
    "Hit",
    "Index",
    "Misspelling",
    "Problem",
    "SearchRequest",
    "SearchResponse",
    "Snippet",
    "SpellingReport",
    "SynonymRule",
    "TermEntry",
    "TermPage",
    "__version__",
    "default_home",
    "open",
    "parse_synonyms",
]

_HOMES = {
    "Completion": "dowse.schema",
    "DowseError": "dowse.errors",
    "Explanation": "dowse.schema",
    "Hit": "dowse.schema",
    "Index": "dowse.engine",
    "Misspelling": "dowse.schema",
    "Problem": "dowse.schema",
    "SearchRequest": "dowse.schema",
    "SearchResponse": "dowse.schema",
    "Snippet": "dowse.schema",
    "SpellingReport": "dowse.schema",
    "SynonymRule": "dowse.schema",
    "TermEntry": "dowse.schema",
    "TermPage": "dowse.schema",
    "default_home": "dowse.engine",
    "open": "dowse.engine",
    "parse_synonyms": "dowse.planning.synonyms",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dowse' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found
