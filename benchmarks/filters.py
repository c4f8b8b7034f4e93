"""How much slower is a query with filters than the same query without, the first time and again?

Corpus: small Markdown documents (20–60 words, Zipf-like, fixed seed) with a date between 2015 and 2026, one
of eight extensions, tags and an author, pushed through the library. Queries: pairs of words, asked for as the
library does by default (top 10, with snippets), and for keys alone. Every filtered query of “the first time”
has a value that no query had before, so no mask of it is kept; unfiltered and filtered queries take turns, so
that other work on the machine hits both alike. Times are processor time of the asking thread.

What would make it misleading: filters that let nothing through (the first ones let about a thirtieth through,
so a page is full); keys alone, where most of either time is reading the query: two filters to parse
cost as much as ranking two words. The bar is for whole answers.

    python benchmarks/filters.py [--documents N]
"""

import argparse
import datetime
import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import dowse
from machine import describe_commit, describe_machine, describe_versions
from reports import table

SEED = 2026
EXTENSIONS = ("md", "txt", "py", "rst", "html", "toml", "csv", "tex")
QUERIES = 200
BAR = 1.5
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def make_words(source: random.Random) -> list[str]:
    """Returns made-up words, the frequent ones first."""
    return ["".join(source.choices(_SYLLABLES, k=source.randint(2, 4))) for _ in range(20_000)]


def iter_documents(count: int) -> Iterator[tuple[str, str, list[str]]]:
    """Yields path, text and tags of documents."""
    source = random.Random(SEED)
    words = make_words(source)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    first = datetime.date(2015, 1, 1)
    for number in range(count):
        date = first + datetime.timedelta(days=source.randrange(365 * 11))
        body = " ".join(source.choices(words, cum_weights=weights, k=source.randint(20, 60)))
        path = f"folder{number % 300}/sub{number % 7}/note{number}.{source.choice(EXTENSIONS)}"
        front = f"---\ndate: {date}\nauthor: Author {source.randrange(500)}\n---\n"
        yield path, front + body, [f"tag{source.randrange(100)}"]


def build(index: dowse.Index, count: int) -> float:
    """Pushes the documents and returns the seconds that took."""
    started = time.perf_counter()
    for path, text, tags in iter_documents(count):
        index.add(path, text, path=path, tags=tags, format="markdown")
    index.commit()
    return time.perf_counter() - started


def ask(index: dowse.Index, query: str, *, snippets: bool) -> float:
    """Returns the milliseconds that a query took."""
    request = dowse.SearchRequest(query, snippets=snippets, fuzzy="never")
    started = time.thread_time()
    index.search(request)
    return (time.thread_time() - started) * 1e3


def compare(index: dowse.Index, pairs: list[tuple[str, str]], *, snippets: bool) -> tuple[float, float]:
    """Returns the median milliseconds of plain queries and of filtered ones, asked in turns."""
    plain, filtered = [], []
    for words, filters in pairs:
        plain.append(ask(index, words, snippets=snippets))
        filtered.append(ask(index, f"{words} {filters}", snippets=snippets))
    return statistics.median(plain), statistics.median(filtered)


def main() -> None:
    """Runs everything and prints one table."""
    parser = argparse.ArgumentParser(description="Queries with and without filters.")
    parser.add_argument("--documents", type=int, default=100_000)
    arguments = parser.parse_args()
    source = random.Random(SEED + 1)
    words = make_words(random.Random(SEED))
    queries = [" ".join(source.sample(words[20:2_000], 2)) for _ in range(QUERIES)]
    rows = []
    with tempfile.TemporaryDirectory(prefix="dowse-filters-") as place, dowse.open(Path(place)) as index:
        took_s = build(index, arguments.documents)
        for query in queries[:20]:
            ask(index, query, snippets=True)
        days = [f"2023-{1 + day // 28:02}-{1 + day % 28:02}" for day in range(QUERIES)]
        kinds = {
            "`date:2023.. ext:md`, again": ["date:2023.. ext:md"] * QUERIES,
            "`date:DAY.. ext:md`, the first time": [f"date:{day}.. ext:md" for day in days],
            "`date:7d`, the first time": [f"date:{day + 1}d" for day in range(QUERIES)],
            "`tag:tagN`, the first time": [f"tag:tag{number}" for number in range(QUERIES)],
            "`author:N`, the first time": [f"author:{number}" for number in range(QUERIES)],
            "`dir:folderN`, the first time": [f"dir:folder{number}" for number in range(QUERIES)],
            "`path:noteN`, the first time": [f"path:note{number}" for number in range(QUERIES)],
        }
        for (label, filters), snippets in itertools.product(kinds.items(), (False, True)):
            pairs = list(zip(queries, filters, strict=True))
            plain, filtered = compare(index, pairs, snippets=snippets)
            verdict = f"{BAR:g} {'met' if filtered <= BAR * plain else 'MISSED'}" if snippets else "—"
            name = f"{label}, {'answers' if snippets else 'keys alone'}"
            rows.append([name, f"{plain:.2f}", f"{filtered:.2f}", f"{filtered / plain:.2f}", verdict])
    print(f"{describe_commit()}\n{describe_machine()}\n{describe_versions(['dowse', 'numpy'])}\n")
    print(f"{arguments.documents:,} documents, indexed in {took_s:.1f} s\n")
    print(table(("", "plain ms", "filtered ms", "ratio", "at most"), rows))


if __name__ == "__main__":
    main()
