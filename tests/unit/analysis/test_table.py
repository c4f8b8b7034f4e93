"""The installed table of classes and folds."""

import importlib.util
import sys
import unicodedata
from pathlib import Path

import pytest

from dowse.analysis import table
from dowse.errors import CorruptFileError

TOOL = Path(__file__).parents[3] / "tools" / "make_unicode_table.py"


def test_table_is_read_once():
    """Every caller gets the same arrays."""
    assert table.load_table() is table.load_table()


def test_table_is_what_the_tool_writes():
    """The file in the package is fresh, as far as this Python has the same Unicode."""
    if not TOOL.exists() or not table.load_table().version.startswith(unicodedata.unidata_version):
        pytest.skip("needs the repository and the Unicode version of the file")
    spec = importlib.util.spec_from_file_location("make_unicode_table", TOOL)
    tool = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tool
    spec.loader.exec_module(tool)
    assert table._PATH.read_bytes() == tool.build_table()


@pytest.mark.parametrize("damage", [lambda b: b"X" + b[1:], lambda b: b[:-1], lambda b: b""])
def test_a_damaged_table_is_named(tmp_path, monkeypatch, damage):
    """A file that is not the tool's is an error and not wrong terms."""
    path = tmp_path / "unicode.bin"
    path.write_bytes(damage(table._PATH.read_bytes()))
    monkeypatch.setattr(table, "_PATH", path)
    with pytest.raises(CorruptFileError):
        table.load_table.__wrapped__()
