"""The engines that `lexical.py` compares, each behind the same small protocol.

Not for: anything but benchmarks. Reading order: `engine` · one file for each member · `ENGINES` below.
Importing this package imports none of the engines themselves: each runs in a process of its own.
"""

from engines.engine import Document, Engine, Query
from engines.on_bm25s import OnBm25s
from engines.on_dowse import OnDowse, OnDowseKeepingStopWords, OnDowseWithSnippets
from engines.on_sqlite import OnSqlite
from engines.on_tantivy import OnTantivy, OnTantivyStoringText
from engines.on_whoosh import OnWhoosh

ENGINES: tuple[type[Engine], ...] = (
    OnDowse,
    OnDowseKeepingStopWords,
    OnDowseWithSnippets,
    OnTantivy,
    OnTantivyStoringText,
    OnBm25s,
    OnSqlite,
    OnWhoosh,
)

__all__ = ["ENGINES", "Document", "Engine", "Query"]
