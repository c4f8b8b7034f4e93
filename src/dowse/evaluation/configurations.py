"""A named way to search: a mode, and whatever else of a request is different.

What may be different is whatever `SearchRequest` has, so that a new ability of the engine (a fusion, a model)
can be compared the day it is there.
"""


from msgspec import Struct
from msgspec.structs import fields, replace

from dowse.errors import InvalidParameterError
from dowse.schema import SearchRequest

# What does not make a way to search: the question, where it is asked, and what is shown of the answer.
_NOT_COMPARED = (
    *("query", "also", "tree", "under", "limit", "offset", "mode", "parameters", "fields", "synonyms"),
    *("explain", "snippets", "query_tree", "hypothesis"),
)
_COMPARED = {one.name: str(one.type) for one in fields(SearchRequest) if one.name not in _NOT_COMPARED}
_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


class Configuration(Struct, frozen=True):
    """One way to search, under a name.

    Attributes:
        name: What tables call it.
        mode: Of `search.modes`.
        parameters: Numbers of mode, fusion and model, by name: weights, boosts, k1.
        changes: Values of the request by name, such as ``fusion``, ``model``, ``preset`` and ``rerank``.
    """

    name: str
    mode: str = "bm25f"
    parameters: tuple[tuple[str, float], ...] = ()
    changes: tuple[tuple[str, str | bool | float], ...] = ()

    def build_request(self, query: str, *, tree: str, limit: int) -> SearchRequest:
        """Returns the request of one question; snippets are left out, for nobody reads them.

        Raises:
            InvalidParameterError: A change is not a legal value.
        """
        request = SearchRequest(
            query, tree=tree, limit=limit, mode=self.mode, parameters=self.parameters, snippets=False
        )
        return replace(request, **dict(self.changes)) if self.changes else request


def parse_configuration(text: str) -> Configuration:
    """Returns the configuration written as ``mode`` or ``mode:name=value:name=value``.

    What the request has is changed (``preset=ra``, ``rerank=true``); all else are parameters (``k1=1.5``).

    Raises:
        InvalidParameterError: It is not written so, or the request has nothing of that name.
    """
    mode, *items = (part.strip() for part in text.split(":"))
    parameters: list[tuple[str, float]] = []
    changes: list[tuple[str, str | bool | float]] = []
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not name or not equals or not value:
            legal = "write it as mode or mode:name=value:name=value"
            raise InvalidParameterError(name="the configuration", value=text, legal=legal)
        try:
            if name in _COMPARED:
                changes.append((name, _read_value(_COMPARED[name], value)))
            else:
                parameters.append((name, float(value)))
        except (KeyError, ValueError):
            legal = f"“{name}” must be a number, or one of: {', '.join(_COMPARED)}"
            if name in _COMPARED:
                legal = f"“{name}” must be {'true or false' if 'bool' in _COMPARED[name] else 'a number'}"
            raise InvalidParameterError(name="the configuration", value=text, legal=legal) from None
    if not mode:
        raise InvalidParameterError(name="the configuration", value=text, legal="it starts with a mode")
    return Configuration(text.strip(), mode, tuple(parameters), tuple(changes))


def _read_value(kind: str, value: str) -> str | bool | float:
    """Returns a value of the request from a text; `kind` is its type as it is written there.

    Raises:
        KeyError: It should be true or false; ValueError: it should be a number.
    """
    if "bool" in kind:
        return _TRUTHS[value.lower()]
    if "int" in kind or "float" in kind:
        return float(value) if "float" in kind else int(value)
    return value
