"""Fixtures of the fault tests."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.fault_shim import HAS_SHIM, build_shim

SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes calls fail."""
    if not HAS_SHIM:
        pytest.skip("needs Linux and a C compiler")
    return build_shim(tmp_path_factory.mktemp("shim"))


@pytest.fixture
def fast_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder on which syncing costs nothing: calls are counted there, not timed."""
    if not SHARED_MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="dowse-faults-", dir=SHARED_MEMORY))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
