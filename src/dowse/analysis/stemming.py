"""Stems by Snowball, by way of PyStemmer: the only place that knows it."""

import functools
import importlib
import threading
from typing import Any


def _snowball() -> Any:
    # Imported on first use: a command that analyses nothing does not load it. By name, because it
    # has no types to check against.
    return importlib.import_module("Stemmer")


@functools.cache
def stemmer_names() -> frozenset[str]:
    """Every algorithm the installed Snowball has."""
    return frozenset(_snowball().algorithms())


def stemmer_version(name: str) -> str:
    """Name and version of an algorithm, or ``none``; stems may differ between versions."""
    return name if name == "none" else f"{name}-{_snowball().version()}"


class Stemming:
    """One Snowball algorithm; ``none`` leaves words as they are."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._of_thread = threading.local()

    def stem(self, words: list[bytes]) -> list[bytes]:
        """Returns the stems of UTF-8 words, in order; a word whose stem is empty stays itself."""
        if self._name == "none":
            return words
        stems: list[bytes] = self._stemmer().stemWords(words)
        if all(stems):
            return stems
        return [stem or word for stem, word in zip(stems, words, strict=True)]

    def _stemmer(self) -> Any:
        """Returns this thread's stemmer: threads must not share one, and a new one costs 10 µs.

        It has no cache of its own, which only costs where every word comes once.
        """
        found = getattr(self._of_thread, "stemmer", None)
        if found is None:
            found = self._of_thread.stemmer = _snowball().Stemmer(self._name, 0)
        return found
