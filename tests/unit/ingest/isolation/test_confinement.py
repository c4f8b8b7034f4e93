"""What a confined process may not do."""

import subprocess
import sys
from pathlib import Path

import pytest

FORBIDDEN = {
    "write": "open(target, 'w')",
    "low-level write": "import os; os.open(target, os.O_WRONLY | os.O_CREAT)",
    "connect": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "look up a name": "import socket; socket.getaddrinfo('example.org', 80)",
    "start a program": "import subprocess; subprocess.run(['true'])",
    "shell": "import os; os.system('true')",
    "fork": "import os; os.fork()",
    "delete": "import os; os.remove(target)",
    "make a folder": "import os; os.mkdir(target + '.d')",
    "rename": "import os; os.rename(target, target + '2')",
}
CONFINED = """
import sys
from dowse.ingest.limits import ExtractionLimits
from dowse.ingest.isolation.confinement import ForbiddenError, confine, conversion_allowed
target = sys.argv[1]
confine(ExtractionLimits(memory_bytes=64 << 20))
"""


def run(code: str, target: Path) -> str:
    """Runs code in a confined process; returns what it printed."""
    command = [sys.executable, "-c", CONFINED + code, str(target)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("deed", FORBIDDEN)
def test_a_forbidden_deed_is_refused(deed: str, tmp_path: Path) -> None:
    """It ends in an error before anything happens."""
    target = tmp_path / "target"
    target.write_text("here")
    code = f"try:\n    {FORBIDDEN[deed]}\nexcept ForbiddenError:\n    print('refused')\n"
    assert "refused" == run(code, target)
    assert ["target"] == [path.name for path in tmp_path.iterdir()]
    assert "here" == target.read_text()


def test_reading_is_allowed(tmp_path: Path) -> None:
    """Files can be read: that is what a worker is for."""
    (tmp_path / "a").write_text("tea")
    assert "tea" == run("print(open(target).read())", tmp_path / "a")


def test_memory_ends(tmp_path: Path) -> None:
    """More memory than allowed is an error in Python, not a machine that stands still."""
    code = "try:\n    b = bytearray(256 << 20)\nexcept MemoryError:\n    print('refused')\n"
    assert "refused" == run(code, tmp_path)


def test_a_converter_may_write_and_start_programs(tmp_path: Path) -> None:
    """Inside the exception both work; after it neither does."""
    code = (
        "import subprocess\n"
        "with conversion_allowed():\n"
        "    open(target, 'w').write('made')\n"
        "    subprocess.run(['true'], check=True)\n"
        "try:\n    open(target, 'w')\nexcept ForbiddenError:\n    print('refused')\n"
    )
    assert "refused" == run(code, tmp_path / "made")
    assert "made" == (tmp_path / "made").read_text()
