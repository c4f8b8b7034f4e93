"""Where and with what a benchmark ran."""

import importlib.metadata
import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def git(*arguments: str) -> str:
    """Returns what a git command prints, without the end of line."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def describe_commit() -> dict[str, object]:
    """Returns the commit, and whether sources were changed since."""
    changed = git("status", "--porcelain", "--", "src", "benchmarks", ":!benchmarks/runs")
    return {"commit": git("rev-parse", "--short", "HEAD"), "has_changes": bool(changed)}


def describe_machine() -> dict[str, object]:
    """Returns processor, cores, memory, system and load."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = {line.partition(":")[2].strip() for line in lines if line.startswith("model name")}
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": ", ".join(sorted(models)) or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(pages / 2**30, 1),
        "system": platform.platform(),
        "load": os.getloadavg()[0],
    }


def describe_versions(packages: Iterable[str]) -> dict[str, str]:
    """Returns the versions of Python, SQLite and some distributions."""
    versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions
