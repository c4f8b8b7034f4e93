"""Query sets of `modes.py` on tantivy, those that it has a query for."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines.on_tantivy import FIELDS, OnTantivy
from mode_queries import ModeQuery

_ANY_LETTERS, _ONE_LETTER = ".*", "."


class ModesOnTantivy(OnTantivy):
    """Parses what its query language can say, and builds the rest from query objects."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._makers: dict[str, Callable[[tuple[str, ...]], Any]] = {
            "term": lambda words: self._parse(words[0]),
            "union": lambda words: self._parse(" ".join(words)),
            "intersection": lambda words: self._parse(" ".join(f"+{word}" for word in words)),
            "boolean": lambda words: self._parse("+{} +({} {}) -{}".format(*words)),
            "phrase": lambda words: self._parse(f'"{" ".join(words)}"'),
            "sloppy phrase": lambda words: self._parse(f'"{" ".join(words)}"~2'),
            "quorum": self._quorum,
            "prefix": lambda words: self._regex(words[0] + _ANY_LETTERS),
            "wildcard, leading": lambda words: self._regex(_ANY_LETTERS + words[0]),
            "wildcard, inner": lambda words: self._regex(
                words[0].replace("*", _ANY_LETTERS).replace("?", _ONE_LETTER)
            ),
            "regex": lambda words: self._regex(words[0]),
            "fuzzy, 1 edit": lambda words: self._fuzzy(words[0], 1),
            "fuzzy, 2 edits": lambda words: self._fuzzy(words[0], 2),
            "more like this": self._similar,
        }

    @property
    def can_ask(self) -> frozenset[str]:
        """The query sets it can answer."""
        return frozenset(self._makers)

    def open(self) -> None:
        """Opens the index."""
        super().open()
        self._schema = self._index.schema

    def ask(self, query: ModeQuery, limit: int) -> list[str]:
        """Returns the keys of the best documents."""
        made = self._makers[query.kind](query.words)
        found = self._searcher.search(made, limit, count=False).hits
        return [self._searcher.doc(address).get_first("key") for _, address in found]

    def _parse(self, text: str) -> Any:
        return self._index.parse_query(text, list(FIELDS))

    def _in_any_field(self, make: Callable[[str], Any]) -> Any:
        import tantivy

        either = [(tantivy.Occur.Should, make(field)) for field in FIELDS]
        return tantivy.Query.boolean_query(either)

    def _regex(self, pattern: str) -> Any:
        import tantivy

        return self._in_any_field(
            lambda field: tantivy.Query.regex_query(self._schema, field, pattern)
        )

    def _fuzzy(self, word: str, distance: int) -> Any:
        import tantivy

        return self._in_any_field(
            lambda field: tantivy.Query.fuzzy_term_query(self._schema, field, word, distance, True)
        )

    def _quorum(self, words: tuple[str, ...]) -> Any:
        import tantivy

        parts = [(tantivy.Occur.Should, self._parse(word)) for word in words]
        return tantivy.Query.boolean_query(parts, -(-len(words) * 3 // 5))

    def _similar(self, words: tuple[str, ...]) -> Any:
        import tantivy

        fields = {"body": list(words)}
        return tantivy.Query.more_like_this_document_fields_query(
            self._schema, fields, min_doc_frequency=5, min_term_frequency=2, min_word_length=3
        )
