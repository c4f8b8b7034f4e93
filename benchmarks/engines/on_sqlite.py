"""SQLite FTS5 with its Porter tokenizer and its own bm25()."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from engines.engine import Document, Query

_OPERATORS = {"union": " OR ", "intersection": " AND ", "phrase": " + "}


class OnSqlite:
    """One FTS5 table of key, title and body."""

    name = "SQLite FTS5"
    package = ""
    kinds = frozenset({"union", "intersection", "phrase"})
    index_of = ""
    keeps_text = True
    note = "porter unicode61, one transaction, keeps stop words"

    def __init__(self, home: Path) -> None:
        self._file = home / "fts5.db"

    def build(self, documents: Iterable[Document]) -> None:
        """Inserts everything in one transaction."""
        self._connection = sqlite3.connect(self._file)
        self._connection.execute(
            "CREATE VIRTUAL TABLE passages USING"
            " fts5(key UNINDEXED, title, body, tokenize = 'porter unicode61')"
        )
        self._connection.executemany("INSERT INTO passages VALUES (?, ?, ?)", documents)
        self._connection.commit()

    def settle(self) -> None:
        """Merges all of the index into one b-tree, as its manual advises for reading."""
        self._connection.execute("INSERT INTO passages(passages) VALUES ('optimize')")
        self._connection.commit()
        self._connection.close()

    def open(self) -> None:
        """Opens the database."""
        self._connection = sqlite3.connect(self._file)

    def translate(self, query: Query) -> str:
        """Returns the words in quotes, joined by the operator of the kind."""
        return _OPERATORS[query.kind].join(f'"{word}"' for word in query.words)

    def search(self, text: str, limit: int) -> list[str]:
        """Returns the keys of the best documents."""
        sql = "SELECT key FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self._connection.execute(sql, (text, limit))]
