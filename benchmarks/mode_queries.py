"""Queries for `modes.py`: made from words and texts of the corpus, the same on every machine."""

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from engines.engine import Document
from passages import SEED, iter_passages

PER_SET = 100
_WORD = re.compile(r"[^\W_]+")
_PLAIN = re.compile(r"[A-Za-z]+")
_LETTERS = "etaoinshrdlucmfwyp"
# Too frequent to be typed alone, or as one of the words that must be there.
_LITTLE = {
    *_WORD.findall("the of and to in is a that for be on this as are by with or it an if not from at can"),
    *_WORD.findall("der die und in den von zu des mit das dem ist im"),
}


class ModeQuery(NamedTuple):
    """One query before any engine's syntax.

    Attributes:
        kind: The query set it belongs to; engines know what it means.
        words: What it is made of.
    """

    kind: str
    words: tuple[str, ...]


Draw = Callable[[random.Random, Document], Sequence[str] | None]


def _all_words(text: str) -> list[str]:
    """Returns the words of a text, unless it is of a language without spaces between them."""
    words = _WORD.findall(text)
    return [] if any(len(word) > 30 for word in words) else [word.lower() for word in words]


def _telling(text: str, shortest: int = 3) -> list[str]:
    found = (word.lower() for word in _PLAIN.findall(text))
    return [word for word in found if shortest <= len(word) <= 20 and word not in _LITTLE]


def _run(low: int, high: int) -> Draw:
    def draw(source: random.Random, document: Document) -> Sequence[str] | None:
        words, size = _all_words(document.text), source.randint(low, high)
        at = int(source.random() * max(len(words) - size, 1))
        run = words[at : at + size]
        return run if len(run) == size and any(word not in _LITTLE for word in run) else None

    return draw


def _some(low: int, high: int, shortest: int = 3) -> Draw:
    def draw(source: random.Random, document: Document) -> Sequence[str] | None:
        words, size = sorted(set(_telling(document.text, shortest))), source.randint(low, high)
        return source.sample(words, size) if len(words) >= size else None

    return draw


def _gapped(source: random.Random, document: Document) -> Sequence[str] | None:
    """A run of three or four words with one in the middle left out."""
    run = _run(3, 4)(source, document)
    return run and [*run[:1], *run[2:]]


def _near(source: random.Random, document: Document) -> Sequence[str] | None:
    """Three words that stand within ten of each other."""
    run = _run(10, 10)(source, document)
    words = [word for word in run or [] if word not in _LITTLE and len(word) > 2 and word.isalpha()]
    return source.sample(words, 3) if len(set(words)) == len(words) >= 3 else None


def _piece(source: random.Random, document: Document) -> Sequence[str] | None:
    size = source.randint(8, 30)
    at = int(source.random() * max(len(document.text) - size, 1))
    piece = document.text[at : at + size].strip()
    return [piece] if len(piece) >= 8 else None


def _beginning(source: random.Random, document: Document) -> Sequence[str] | None:
    words = _telling(document.text)
    size = source.randint(1, 6)
    return [source.choice(words)[:size]] if words else None


def _ending(source: random.Random, document: Document) -> Sequence[str] | None:
    words = _telling(document.text, 6)
    return [source.choice(words)[-source.randint(3, 5) :]] if words else None


def _inner(source: random.Random, document: Document) -> Sequence[str] | None:
    """A word with a letter and a stretch in the middle unknown: begi?n*ng."""
    words = _telling(document.text, 7)
    if not words:
        return None
    word = source.choice(words)
    return [f"{word[:3]}?{word[4]}*{word[-2:]}"]


def _expression(source: random.Random, document: Document) -> Sequence[str] | None:
    words = _telling(document.text, 6)
    if not words:
        return None
    word = source.choice(words)
    forms = (
        f"{word[:3]}[a-m]?{word[4:]}.*",
        f"{word[:2]}.{word[3:]}s?",
        f"({word[:4]}|{source.choice(words)[:5]})[a-z]+",
        f".*{word[2:6]}.*",
    )
    return [source.choice(forms)]


def _typo(low: int, high: int, edits: int) -> Draw:
    """A word with typing errors: a letter too many, one missing, a wrong one, or two swapped."""

    def draw(source: random.Random, document: Document) -> Sequence[str] | None:
        words = [word for word in _telling(document.text, low) if len(word) <= high]
        if not words:
            return None
        word = source.choice(words)
        for _ in range(edits):
            at, letter = source.randrange(1, len(word) - 1), source.choice(_LETTERS)
            word = source.choice(
                (
                    word[:at] + letter + word[at:],
                    word[:at] + word[at + 1 :],
                    word[:at] + letter + word[at + 1 :],
                    word[:at] + word[at + 1] + word[at] + word[at + 2 :],
                )
            )
        return [word]

    return draw


def _name(source: random.Random, document: Document) -> Sequence[str] | None:
    words = [word for word in _PLAIN.findall(document.text) if 4 < len(word) < 12 and word.istitle()]
    return [source.choice(words)] if words else None


def _whole(source: random.Random, document: Document) -> Sequence[str] | None:
    return [document.text] if len(_telling(document.text)) > 30 else None


def _title(source: random.Random, document: Document) -> Sequence[str] | None:
    """A title with a letter missing."""
    title = document.title.strip()
    at = int(source.random() * len(title))
    return [title[:at] + title[at + 1 :]] if 8 <= len(title) <= 60 else None


_DRAWS: dict[str, Draw] = {
    "term": _some(1, 1),
    "union": _run(2, 5),
    "bm25": _run(2, 5),
    "dfr": _run(2, 5),
    "lm_dirichlet": _run(2, 5),
    "intersection": _some(2, 3),
    "boolean": _some(4, 4),
    "phrase": _run(2, 4),
    "sloppy phrase": _gapped,
    "proximity": _near,
    "span": _near,
    "quorum": _some(4, 6),
    "exact": _piece,
    "prefix": _beginning,
    "wildcard, leading": _ending,
    "wildcard, inner": _inner,
    "regex": _expression,
    "fuzzy, 1 edit": _typo(5, 8, 1),
    "fuzzy, 2 edits": _typo(9, 16, 2),
    "typing errors": _typo(6, 14, 1),
    "phonetic": _name,
    "filter": _some(2, 2),
    "more like this": _whole,
    "named": _title,
    "autocomplete": _beginning,
    "autocomplete, typing errors": _typo(5, 12, 1),
}


def mode_queries() -> dict[str, list[ModeQuery]]:
    """Returns the query sets, each query from another passage."""
    source = random.Random(SEED)
    documents = list(iter_passages(None, None))
    found: dict[str, list[ModeQuery]] = {}
    for kind, draw in _DRAWS.items():
        kept: list[ModeQuery] = []
        while len(kept) < PER_SET:
            words = draw(source, source.choice(documents))
            if words:
                kept.append(ModeQuery(kind, tuple(words)))
        found[kind] = kept
    return found
