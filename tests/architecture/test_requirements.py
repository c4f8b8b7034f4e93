"""CI fails, instead of skipping, where compiled kernels or models are missing."""

from pathlib import Path

import pytest

import dowse.kernels
from support.requirements import REQUIREMENTS, iter_missing


def test_nothing_is_required_unless_it_is_asked_for():
    """Whoever runs the tests at home needs neither a compiler nor a model."""
    assert [] == list(iter_missing({}))


def test_a_kernel_that_fell_back_is_missing(monkeypatch: pytest.MonkeyPatch):
    """The reason that `status` gives is the reason of the failure."""
    monkeypatch.setattr(dowse.kernels, "KERNELS", "partly compiled")
    monkeypatch.setattr(dowse.kernels, "FALLBACKS", {"spans": "no such file"})
    (found,) = iter_missing({"DOWSE_REQUIRE_COMPILED": "1"})
    assert found.endswith("spans (no such file)")


def test_a_model_that_is_not_installed_is_missing(monkeypatch: pytest.MonkeyPatch):
    """So is what runs it."""
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    assert any("onnxruntime" in reason for reason in iter_missing({"DOWSE_REQUIRE_MODELS": "1"}))


def test_ci_requires_all_of_it():
    """A check that CI does not switch on guards nothing."""
    script = (Path(__file__).parents[2] / ".ci" / "run").read_text(encoding="utf-8")
    assert set() == {name for name in REQUIREMENTS if f"export {name}=1" not in script}
