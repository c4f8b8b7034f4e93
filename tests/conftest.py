"""Makes `tests/support` importable, which is beside this file, and ends runs that lack what they require."""

import os

import pytest

# Commands that tests run make no vectors unless a test asks for them: loading a model costs more than most
# tests take, and what they check must not depend on whether one is installed.
os.environ["DOWSE_EMBEDDING_KIND"] = "none"


def pytest_sessionstart() -> None:
    """Ends a run that would skip what it was told to test (`support.requirements`)."""
    from support.requirements import iter_missing

    missing = list(iter_missing(os.environ))
    if missing:
        pytest.exit("\n".join(missing), returncode=pytest.ExitCode.TESTS_FAILED)
