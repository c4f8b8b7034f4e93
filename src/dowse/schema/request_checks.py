"""Checks the values of a request by the table of options, whichever way they came in."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from itertools import compress
from operator import is_not

from msgspec import Struct
from msgspec.structs import astuple

from dowse.errors import InvalidParameterError
from dowse.schema.request_options import REQUEST_OPTIONS, RequestOption
from dowse.schema.synonym_rule import SynonymRule

_BY_NAME = {option.name: option for option in REQUEST_OPTIONS}


@cache
def _list_options(kind: type[Struct]) -> tuple[tuple[object, ...], tuple[RequestOption, ...]]:
    """Returns the defaults of a request's fields, and their rows."""
    options = tuple(_BY_NAME[name] for name in kind.__struct_fields__)
    return tuple(option.default for option in options), options


def check_options(request: Struct) -> None:
    """Checks every value of a request.

    Most requests leave most options alone, and a search takes a fifth of a millisecond: a value that is the
    default itself is passed over, in C.

    Raises:
        InvalidParameterError: A value has the wrong type or lies outside its range; the error names the
            option and what is legal.
    """
    values, (defaults, options) = astuple(request), _list_options(type(request))
    for value, option in compress(zip(values, options, strict=True), map(is_not, values, defaults)):
        check_option(option, value)


def check_option(option: RequestOption, value: object) -> None:
    """Checks one value.

    Raises:
        InvalidParameterError: It is not legal.
    """
    is_absent = value is None and option.default is None
    if not is_absent and not _CHECKS[option.kind](option, value):
        shown = repr(value) if option.kind in ("texts", "parameters", "synonyms") else value
        raise InvalidParameterError(name=option.name, value=shown, legal=f"it must be {option.legal}")


def _is_text(option: RequestOption, value: object) -> bool:
    return isinstance(value, str)


def _is_choice(option: RequestOption, value: object) -> bool:
    return isinstance(value, str) and value in option.choices


def _is_in_range(option: RequestOption, value: float) -> bool:
    lowest = -math.inf if option.minimum is None else option.minimum
    highest = math.inf if option.maximum is None else option.maximum
    return lowest <= value <= highest


def _is_whole_number(option: RequestOption, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and _is_in_range(option, value)


def _is_number(option: RequestOption, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and _is_in_range(option, value)


def _is_truth(option: RequestOption, value: object) -> bool:
    return isinstance(value, bool)


def _are_texts(option: RequestOption, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(text, str) for text in value)


def _are_parameters(option: RequestOption, value: object) -> bool:
    return isinstance(value, tuple) and all(_is_parameter(pair) for pair in value)


def _is_parameter(pair: object) -> bool:
    if not isinstance(pair, tuple) or len(pair) != 2:
        return False
    name, number = pair
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return isinstance(name, str) and is_number


def _are_synonyms(option: RequestOption, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(rule, SynonymRule) for rule in value)


_CHECKS: Mapping[str, Callable[[RequestOption, object], bool]] = {
    "text": _is_text,
    "name": _is_text,
    "choice": _is_choice,
    "whole number": _is_whole_number,
    "number": _is_number,
    "yes or no": _is_truth,
    "texts": _are_texts,
    "parameters": _are_parameters,
    "synonyms": _are_synonyms,
}
