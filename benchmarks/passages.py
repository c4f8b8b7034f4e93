"""Passages and queries for the speed benchmarks; read lazily, the same on every machine."""

import gzip
import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from beir import data_folder
from engines.engine import Document, Query

SEED = 2026
MAX_WORD_CHARS = 20
WORDS_PER_PASSAGE = 160
TEXT_SUFFIXES = {".md", ".txt", ".rst"}
_WORD = re.compile(r"[^\W_]+")


def iter_passages(folder: Path | None, count: int | None) -> Iterator[Document]:
    """Yields passages; beyond what there is, they repeat under new keys.

    Args:
        folder: Text files to cut into passages; None for the 100,000 in the data folder.
        count: How many; None for each once.
    """
    yielded = 0
    for number in itertools.count():
        for document in _iter_folder(folder) if folder else _iter_archive():
            if count is not None and yielded == count:
                return
            yield document._replace(doc_key=f"{document.doc_key}~{number}") if number else document
            yielded += 1
        if count is None or yielded == 0:
            return


def _iter_archive() -> Iterator[Document]:
    with gzip.open(data_folder() / "passages-100k.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Document(row["_id"], row["title"], row["text"])


def _iter_folder(folder: Path) -> Iterator[Document]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in TEXT_SUFFIXES and file.is_file():
            words = file.read_text("utf-8", "replace").split()
            for start in range(0, len(words), WORDS_PER_PASSAGE):
                text = " ".join(words[start : start + WORDS_PER_PASSAGE])
                yield Document(f"{file.relative_to(folder)}#{start}", file.stem, text)


def corpus_queries(folder: Path | None, count: int) -> list[Query]:
    """Returns queries of 2 to 5 consecutive words, each from another passage."""
    source = random.Random(SEED)
    kept: list[tuple[float, list[str]]] = []
    for document in iter_passages(folder, None):
        words = _WORD.findall(document.text)
        length, start = source.randint(2, 5), source.random()
        at = int(start * max(len(words) - length, 1))
        run = words[at : at + length]
        draw = source.random()
        # A text without spaces between words (Chinese, Thai) would give whole sentences as words.
        if len(run) == length and all(len(word) <= MAX_WORD_CHARS for word in run):
            kept.append((draw, run))
    return [Query("union", tuple(run)) for _, run in sorted(kept)[:count]]


def web_queries() -> dict[str, list[Query]]:
    """Returns the queries of the web log by kind; terms are unions of one word.

    Its few mixed and negated queries are left out: not every engine has words for them.
    """
    kinds: dict[str, list[Query]] = {"union": [], "phrase": [], "intersection": []}
    with (data_folder() / "queries-web-log.txt").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            kind = "union" if row["tags"][0] == "term" else row["tags"][0]
            words = tuple(_WORD.findall(row["query"]))
            if kind in kinds and words:
                kinds[kind].append(Query(kind, words))
    return kinds
