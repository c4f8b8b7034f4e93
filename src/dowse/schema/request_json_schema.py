"""The table of request options as JSON schemas: for HTTP, MCP and whoever writes requests by hand."""

from dowse.schema.request_options import REQUEST_OPTIONS, Face, RequestOption

_TYPES: dict[str, dict[str, object]] = {
    "text": {"type": "string"},
    "name": {"type": "string"},
    "choice": {"type": "string"},
    "whole number": {"type": "integer"},
    "number": {"type": "number"},
    "yes or no": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "parameters": {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "number"}],
            "minItems": 2,
            "maxItems": 2,
        },
    },
    "synonyms": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["words", "synonyms"],
            "properties": {
                "words": {"type": "string"},
                "synonyms": {"type": "array", "items": {"type": "string"}},
            },
        },
    },
}


def request_json_schema(face: Face = "http") -> dict[str, object]:
    """Returns the schema of a search request as one face offers it; only the query is required."""
    shown = [option for option in REQUEST_OPTIONS if face in option.faces]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SearchRequest",
        "type": "object",
        "required": ["query"],
        "properties": {option.name: _describe(option) for option in shown},
    }


def _describe(option: RequestOption) -> dict[str, object]:
    described: dict[str, object] = {"description": option.help, **_TYPES[option.kind]}
    if option.default is None:
        described["type"] = [described["type"], "null"]
    if option.name != "query":
        described["default"] = [] if option.default == () else option.default
    if option.choices:
        described["enum"] = list(option.choices)
    if option.minimum is not None:
        described["minimum"] = option.minimum
    if option.maximum is not None:
        described["maximum"] = option.maximum
    return described
