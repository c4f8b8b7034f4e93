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
    from dowse.explanation import Explanation
    from dowse.planning.synonyms import SynonymRule, parse_synonyms
    from dowse.schema import Problem
    from dowse.search import Hit, SearchRequest, SearchResponse, Snippet
    from dowse.suggest import Completion, Misspelling, SpellingReport, TermEntry, TermPage

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
    "Completion": "dowse.suggest",
    "DowseError": "dowse.errors",
    "Explanation": "dowse.explanation",
    "Hit": "dowse.search",
    "Index": "dowse.engine",
    "Misspelling": "dowse.suggest",
    "Problem": "dowse.schema",
    "SearchRequest": "dowse.search",
    "SearchResponse": "dowse.search",
    "Snippet": "dowse.search",
    "SpellingReport": "dowse.suggest",
    "SynonymRule": "dowse.planning.synonyms",
    "TermEntry": "dowse.suggest",
    "TermPage": "dowse.suggest",
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
