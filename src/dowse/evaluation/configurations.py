"""A named way to search: a mode, and whatever else of a request is different.

What may be different is whatever `SearchRequest` has, so that a new ability of the engine (a fusion, a model)
can be compared the day it is there.
"""

from dataclasses import dataclass, fields, replace

from dowse.errors import InvalidParameterError
from dowse.search import SearchRequest

# Of the request's texts, those that make no sense in a comparison: the question itself and where it is asked.
_NOT_COMPARED = ("query", "tree", "under")
_SETTABLE = tuple(
    field.name for field in fields(SearchRequest) if "str" in str(field.type) or "Literal" in str(field.type)
)


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to search, under a name.

    Attributes:
        name: What tables call it.
        mode: Of `search.modes`.
        parameters: Numbers of mode, fusion and model, by name: weights, boosts, k1.
        changes: Texts of the request by name, such as ``fusion``, ``model``, ``preset`` and ``words``.
    """

    name: str
    mode: str = "bm25f"
    parameters: tuple[tuple[str, float], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()

    def build_request(self, query: str, *, tree: str, limit: int) -> SearchRequest:
        """Returns the request of one question; snippets are left out, for nobody reads them.

        Raises:
            InvalidParameterError: A change is not a legal value.
        """
        request = SearchRequest(
            query, tree=tree, limit=limit, mode=self.mode, parameters=self.parameters, snippets=False
        )
        return replace(request, **dict(self.changes)) if self.changes else request  # type: ignore[arg-type]


def parse_configuration(text: str) -> Configuration:
    """Returns the configuration written as ``mode`` or ``mode:name=value:name=value``.

    Values that are numbers are parameters (``k1=1.5``); others change the request (``preset=ra``).

    Raises:
        InvalidParameterError: It is not written so, or the request has nothing of that name.
    """
    mode, *items = (part.strip() for part in text.split(":"))
    parameters: list[tuple[str, float]] = []
    changes: list[tuple[str, str]] = []
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not name or not equals or not value:
            legal = "write it as mode or mode:name=value:name=value"
            raise InvalidParameterError(name="the configuration", value=text, legal=legal)
        try:
            parameters.append((name, float(value)))
        except ValueError:
            changes.append((_check_name(name, text), value))
    if not mode:
        raise InvalidParameterError(name="the configuration", value=text, legal="it starts with a mode")
    return Configuration(text.strip(), mode, tuple(parameters), tuple(changes))


def _check_name(name: str, text: str) -> str:
    known = [field for field in _SETTABLE if field not in (*_NOT_COMPARED, "mode", "also", "parameters")]
    if name not in known:
        legal = f"“{name}” must be a number, or one of: {', '.join(known)}"
        raise InvalidParameterError(name="the configuration", value=text, legal=legal)
    return name
