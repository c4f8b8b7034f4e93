"""What the command line does not import: that is what makes it start fast."""

import os
import subprocess
import sys
from pathlib import Path

HEAVY = (
    "numpy", "rich", "sqlite3", "dowse.engine", "dowse.search", "dataclasses", "msgspec", "Stemmer", "shutil",
    "dowse.cli.commands.search", "dowse.config",
)  # fmt: skip


def test_help_imports_nothing_heavy() -> None:
    """``dowse --help`` loads neither numpy, nor rich, nor the engine, nor any command."""
    script = (
        "import sys; from dowse.cli import main; main(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert "[]\n" == done.stderr


UNNEEDED = (
    "rich", "markdown_it", "yaml", "tomlkit", "tomllib", "platformdirs", "asyncio", "concurrent.futures",
    "multiprocessing", "subprocess", "importlib.metadata", "tempfile", "pydantic", "jsonschema",
    "onnxruntime", "tokenizers", "dowse.embedding", "dowse.search.stages.likeness", "dowse.suggest",
    "dowse.similar",
    "dowse.watch", "dowse.evaluation", "dowse.search.legs", "dowse.engine.embeddings",
    "dowse.indexing.writer", "dowse.indexing.document_cache", "dowse.indexing.vector_indexing",
    "dowse.ingest.documents",
    "dowse.ingest.extractor",
    "dowse.ingest.encoding_guess",
    "dowse.ingest.extractors", "dowse.ingest.isolation", "dowse.ingest.pdf", "shutil",
    "dowse.cli.commands.index", "dowse.cli.commands.watch", "dowse.query.lexing", "dowse.query.grammar",
    "dowse.fusion", "difflib", "hashlib", "dataclasses", "string",
)  # fmt: skip


def test_a_search_imports_only_what_it_needs(tmp_path: Path) -> None:
    """With nothing new to read, no parser, writer, model or bar is loaded; times are benchmarked."""
    (tmp_path / "note.md").write_text("# Note\n\nSome words about plants.\n")
    script = (
        f"import sys; from dowse.cli import main; main(['plants', {str(tmp_path)!r}, '--keyword']);"
        f"print([name for name in {UNNEEDED!r} if name in sys.modules])"
    )
    environment = os.environ | {"DOWSE_HOME": str(tmp_path / ".home")}
    for _ in range(2):  # the first one reads and indexes
        done = subprocess.run(
            [sys.executable, "-c", script],
            env=environment, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    assert "[]" == done.stdout.splitlines()[-1]
