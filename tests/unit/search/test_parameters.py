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
from dowse.fusion import FUSIONS
from dowse.schema import SearchRequest
from dowse.scoring import get_preset
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


@pytest.mark.parametrize("mode", [mode.name for mode in MODES if mode.fuses])
@pytest.mark.parametrize("kind", FUSIONS, ids=lambda kind: kind.name)
def test_modes_that_fuse_take_the_numbers_of_the_fusion(mode, kind):
    """Also the default mode, which may find that words answer alone: their scores do not depend on them."""
    numbers = tuple((one.name, one.default) for one in kind.parameters)
    check_request(build(mode=mode, fusion=kind.name, parameters=(*numbers, ("k1", 0.5))))
    assert 0.5 == choose_scoring(Choice(mode, "default", None, (*numbers, ("k1", 0.5)), kind.name)).k1
    assert get_preset("ra").model is choose_scoring(Choice(mode, "ra", None, numbers, kind.name))


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
        ({"fusion": "liner"}, UnknownModelError, "no fusion “liner”", "nearest: linear"),
    ],
)
def test_what_nobody_has_is_refused_with_what_there_is(changes, error, message, hint):
    """The message names the mistake, the hint what is legal and what was likely meant."""
    with pytest.raises(error) as caught:
        check_request(build(**changes))
    assert isinstance(caught.value, DowseError)
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("mode", "fusion", "number", "hint"),
    [
        ("auto", "calibrated", ("feedbak", 0.0), "did you mean “feedback”?"),
        ("auto", "calibrated", ("k", 20.0), "fusion rrf has one, in modes auto and hybrid; "),
        ("auto", "rrf", ("feedback", 0.0), "known: k (0 to 10000), "),
        ("hybrid", "two_lists", ("lexical_weight", 1.0), "known: k1 (0 to 20), "),
        ("hybrid", "linear", ("graph_weight", 1.0), "did you mean “"),
        ("bm25f", "calibrated", ("feedback", 0.0), "fusion calibrated has one, in modes auto and hybrid; "),
        ("semantic", "calibrated", ("feedback", 0.0), "fusion calibrated has one, in modes auto"),
    ],
)
def test_a_number_of_no_fusion_or_another_one_is_refused(mode, fusion, number, hint):
    """With those that the chosen one has, and who has this one."""
    with pytest.raises(UnknownParameterError) as caught:
        check_request(build(mode=mode, fusion=fusion, parameters=(number,)))
    assert f"has a parameter “{number[0]}”" in caught.value.message
    assert (f"fusion “{fusion}”" in caught.value.message) == get_mode(mode).fuses
    assert hint in caught.value.hint


@pytest.mark.parametrize("mode", ["auto", "hybrid"])
def test_a_number_of_a_fusion_has_its_range(mode):
    """Found out before anything is indexed or searched."""
    with pytest.raises(InvalidParameterError, match="k cannot be -1") as caught:
        check_request(build(mode=mode, fusion="rrf", parameters=(("k", -1.0),)))
    assert "legal values are 0 to 10000" == caught.value.hint
