"""A folder, an index home, and ``dowse`` in a process of its own."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PAGES = {
    "README.md": "# Garden\n\nEverything about growing vegetables.\n",
    "guide/tomato.md": (
        "# Tomatoes\n\nTomatoes like sun.\n\n## Watering\n\n### In summer\n\n"
        "Water the plants every morning, never at noon.\n"
    ),
    "guide/potato.md": "# Potatoes\n\nPotatoes grow below the ground and need little water.\n",
    "notes/index.txt": "An index of seeds: beans, peas, and a draft about carrots.\n",
    "notes/carrot.txt": "Carrots grow below the ground.\n",
}


class Outcome(NamedTuple):
    """What a process left behind."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, object]:
        """The one object on stdout."""
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value


class Shell:
    """Runs ``dowse`` in a folder, with an index home that nobody else uses."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.home = home
        hidden = ("NO_COLOR", "FORCE_COLOR", "DOWSE_DEBUG", "COLUMNS")
        self.environment = {k: v for k, v in os.environ.items() if k not in hidden}
        config = home.parent / "config.toml"
        self.environment |= {"DOWSE_HOME": str(home), "DOWSE_CONFIG": str(config), "TERM": "xterm"}

    def run(self, *words: str, **environment: str) -> Outcome:
        """Runs one command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "dowse", *words],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    def run_on_terminal(self, *words: str, **environment: str) -> str:
        """Runs one command with stdout on a terminal and returns what that showed."""
        master, slave = pty.openpty()
        try:
            subprocess.run(
                [sys.executable, "-m", "dowse", *words],
                cwd=self.folder,
                env=self.environment | environment,
                stdout=slave,
                stderr=subprocess.PIPE,
                timeout=60,
            )
            return os.read(master, 100_000).decode()
        finally:
            os.close(slave)
            os.close(master)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        """Starts one command in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "dowse", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )


def write_pages(folder: Path, pages: dict[str, str]) -> None:
    """Writes a folder of small files."""
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
