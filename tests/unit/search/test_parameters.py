"""Numbers and names of a request: whose they are, and what is refused."""

import pytest

from dowse.errors import (
    DowseError,
    InvalidParameterError,
    UnknownFieldError,
    UnknownModeError,
    UnknownModelError,
    UnknownParameterError,
)
from dowse.search import SearchRequest
from dowse.search.modes import MODES, get_mode
from dowse.search.parameters import Choice, check_request, choose_scoring, mode_values


def build(**changes: object) -> SearchRequest:
    """A request for one word, changed as asked."""
    return SearchRequest("tea", **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", [mode.name for mode in MODES])
def test_every_mode_takes_its_own_parameters_and_its_models(mode):
    """The mode's numbers at both ends of their range, beside one of the model's."""
    for parameter in get_mode(mode).parameters:
        for value in (parameter.low, parameter.high):
            request = build(mode=mode, parameters=((parameter.name, value), ("boost.title", 2.0)))
            check_request(request)
            assert value == mode_values(get_mode(mode), request)[parameter.name]


def test_a_modes_number_is_not_the_models():
    """Slop is for reading; scores do not depend on it."""
    model = choose_scoring(Choice("phrase", "default", None, (("slop", 3), ("k1", 0.5))))
    assert 0.5 == model.k1


@pytest.mark.parametrize(
    ("changes", "error", "message", "hint"),
    [
        ({"mode": "bm52"}, UnknownModeError, "no mode “bm52”", "did you mean “bm25"),
        ({"model": "bm25x"}, UnknownModelError, "no scoring model “bm25x”", "nearest: bm25"),
        ({"preset": "none"}, UnknownModelError, "no preset “none”", "known: default"),
        ({"fields": ("titel",)}, UnknownFieldError, "“titel”", "nearest: title"),
        ({"parameters": (("k2", 1.0),)}, UnknownParameterError, "“k2”", "did you mean “k1”?"),
        ({"parameters": (("slop", 1.0),)}, UnknownParameterError, "“bm25f”", "k1 (0 to 20)"),
        ({"mode": "phrase", "parameters": (("slob", 1.0),)}, UnknownParameterError, "“slob”", "“slop”"),
        ({"parameters": (("k1", 21.0),)}, InvalidParameterError, "k1 cannot be 21", "0 to 20"),
        ({"parameters": (("k1", float("nan")),)}, InvalidParameterError, "nan", "0 to 20"),
        ({"mode": "fuzzy", "parameters": (("edits", 3.0),)}, InvalidParameterError, "3", "-1 to 2"),
        ({"parameters": (("b.titel", 0.5),)}, UnknownParameterError, "“b.titel”", "“b.title”"),
    ],
)
def test_what_nobody_has_is_refused_with_what_there_is(changes, error, message, hint):
    """The message names the mistake, the hint what is legal and what was likely meant."""
    with pytest.raises(error) as caught:
        check_request(build(**changes))
    assert isinstance(caught.value, DowseError)
    assert message in caught.value.message
    assert hint in caught.value.hint
