"""What a run of the tests must have: in CI, tests that would be skipped for want of it must fail."""

import importlib
from collections.abc import Iterator, Mapping

# Variable → what it asks for.
REQUIREMENTS = {
    "DOWSE_REQUIRE_COMPILED": "every kernel compiled",
    "DOWSE_REQUIRE_MODELS": "the models that are installed with Dowse, and what runs them",
}


def iter_missing(environ: Mapping[str, str]) -> Iterator[str]:
    """Yields what the environment requires and is not there, each with the reason."""
    for variable, find in (("DOWSE_REQUIRE_COMPILED", _iter_twins), ("DOWSE_REQUIRE_MODELS", _iter_models)):
        if environ.get(variable) == "1":
            for reason in find():
                yield f"{variable}=1 asks for {REQUIREMENTS[variable]}: {reason}"


def _iter_twins() -> Iterator[str]:
    from dowse.kernels import FALLBACKS, KERNELS

    if KERNELS != "compiled":
        yield ", ".join(f"{name} ({reason})" for name, reason in FALLBACKS.items()) or "the twins were chosen"


def _iter_models() -> Iterator[str]:
    from dowse.embedding.models import DEFAULT_CROSS_ENCODER, DEFAULT_MODEL, find_model
    from dowse.errors import ModelMissingError

    for module in ("onnxruntime", "tokenizers"):
        try:
            importlib.import_module(module)
        except ImportError as error:
            yield str(error)
    for name in (DEFAULT_MODEL, DEFAULT_CROSS_ENCODER):
        try:
            find_model(name)
        except ModelMissingError as error:
            yield error.message
