"""The guide's walk is walked: every command is run, and shows what the guide says."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GARDEN = Path(__file__).with_name("garden")

BLOCK = re.compile(r"^```console\n\$ (dowse [^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d[\d,.]*")
ABSOLUTE_PATH = re.compile(r"(?<=\s)/\S+")
# Whether there are any depends on whether a model is installed.
VECTORS = re.compile(r"^(vectors\b|to search by meaning too: ).*\n", re.MULTILINE)
SIZE_OR_AGE = re.compile(r"0 (bytes?|[kM]B|ms|s ago|s)\b|just now")


def mask(text: str) -> str:
    """Returns the text without what differs from run to run: numbers, times, sizes, paths, vectors."""
    text = VECTORS.sub("", text)
    return SIZE_OR_AGE.sub("0", ABSOLUTE_PATH.sub("/", NUMBER.sub("0", text)))


def run(command: str, folder: Path) -> str:
    """Returns what a command shows, hits and words in the order a terminal has them."""
    return subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env=os.environ | {"DOWSE_HOME": str(folder / "home"), "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    ).stdout


def test_guide_shows_what_happens(tmp_path: Path) -> None:
    """Each block of the guide, in order, in one folder; a file is added before `dowse index`."""
    shutil.copytree(GARDEN, tmp_path / "garden")
    blocks = BLOCK.findall((ROOT / "docs" / "guide.md").read_text(encoding="utf-8"))
    assert len(blocks) > 5
    for command, expected in blocks:
        if command == "dowse index garden":
            (tmp_path / "garden" / "new.md").write_text("more\n")
        assert (command, mask(expected)) == (command, mask(run(command, tmp_path)))
