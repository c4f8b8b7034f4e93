"""Dumps the hits of 1,000 requests over every mode, fusion, filter and stage, and compares two dumps.

A change that must not change answers is shown to be one: build an index and dump it with the code before, do
the same with the code after, and compare. Scores are compared digit by digit.

    .venv/bin/python tools/dump_hits.py build vault HOME FOLDER      a folder, with the model's vectors
    .venv/bin/python tools/dump_hits.py build passages HOME FILE     pushed texts, with static vectors
    .venv/bin/python tools/dump_hits.py dump HOME DUMP               one line of JSON per request
    .venv/bin/python tools/dump_hits.py compare DUMP DUMP            status 1 when any answer differs

FILE holds one JSON object per line with ``_id``, ``title`` and ``text``, compressed by gzip. The requests are
made from texts of the index, and are the same for the same texts.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import dowse

SEED, COUNT = 13, 1000
LIMIT = 20
_WORD = re.compile(r"[^\W\d_]{3,20}")
FUSIONS = (
    "calibrated", "linear", "linear_z", "rrf", "score_variance", "query_type", "strong_signal", "two_lists",
)  # fmt: skip
FILTERS = (
    "ext:md", "-ext:md", ".md", "ext:md,html", "lang:en", "type:text", "type:markdown", "-type:code",
    "dir:{folder}", "path:*{word}*", "tag:{word}", "-tag:{word}", "date:2020..", "date:..2019", "date:10y",
    "size:>1k", "size:1k..4k", "-size:<500", "author:{word}", "title:{word}", "meta.status:open",
)  # fmt: skip
SHAPES = (
    "{a} {b}", "{a} {b} {c}", "{a}", '"{run}"', '{c} "{run}"', "{a} AND {b}", "{a} OR {b}", "{a} -{b}",
    "+{a} {b}", "({a} OR {b}) {c}", "{a}^3 {b}", "{prefix}*", "*{suffix}", "{prefix}*{suffix}", "{typo}",
    "{typo} {b}", "{a}~1 {b}", "/{prefix}[a-z]+/", "NEAR({a}, {b}, 8)", "ONEAR({a}, {b}, 8)",
    "FIRST({a}, 20)", "2 OF ({a} {b} {c})", "sounds:{a}", 'exact:"{run}"', '"{run}"~3', "title:{a} {b}",
    "body:({a} {b})", "headings:{a}", "WEAKAND({a}, {b}, {c})", "named:{a}", "{sentence}", "{a} {b}?",
)  # fmt: skip
WORD_MODES = (
    "bm25f", "bm25", "boolean", "phrase", "proximity", "span", "quorum", "exact", "prefix", "wildcard",
    "fuzzy", "phonetic", "dfr", "lm_dirichlet",
)  # fmt: skip
OPTIONS: tuple[dict[str, Any], ...] = (
    {}, {}, {}, {"dedupe": True}, {"diversify": 0.6}, {"expand": "prf"}, {"offset": 10}, {"fuzzy": "always"},
    {"fuzzy": "never"}, {"default_operator": "all"}, {"default_operator": "any"},
    {"fields": ("title", "body")}, {"parameters": (("k1", 0.9),), "mode": "bm25f"}, {"preset": "ra"},
    {"explain": True}, {"also": ()}, {"hypothesis": "", "mode": "hybrid"},
    {"scan": "exact", "mode": "semantic"}, {"scan": "careful", "mode": "semantic"},
    {"dedupe": True, "diversify": 0.5, "offset": 5},
)  # fmt: skip


def build(kind: str, home: str, source: Path) -> None:
    """Builds the index to ask."""
    with dowse.open(home) as index:
        if kind == "vault":
            index.sync_folder(source)
            index.embed()
            return
        with gzip.open(source, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                key = row["_id"]
                tags = [str(value) for value in row.get("metadata", {}).values()]
                path = key.partition("#")[0]
                index.add(key, row["text"], title=row["title"], path=path, tags=tags)
        index.commit()
        index.embed(with_model=False)


def iter_requests(texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yields requests as plain values; texts are pairs of key and text."""
    source = random.Random(SEED)
    for _ in range(COUNT):
        values = _draw(source, texts)
        shape, request = source.choice(SHAPES), {"mode": "auto", **source.choice(OPTIONS)}
        way = source.randrange(5)
        if request["mode"] == "auto" and way < 2:
            request["mode"] = source.choice(WORD_MODES)
            shape = "{prefix}" if request["mode"] == "prefix" else shape
        elif request["mode"] == "auto" and way < 4:
            request |= {"mode": "hybrid", "fusion": source.choice(FUSIONS)}
        if source.random() < 0.4 and request["mode"] not in ("exact", "phrase", "fuzzy", "prefix"):
            shape = f"{shape} {source.choice(FILTERS)}"
        request["query"] = shape.format_map(values)
        if "hypothesis" in request:
            request["hypothesis"] = values["sentence"]
        if "also" in request:
            request["also"] = (f"{values['d']} {values['e']}",)
        yield request


def _draw(source: random.Random, texts: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Returns words, a run of words, a sentence and a folder of one text."""
    while True:
        key, text = source.choice(texts)
        words = _WORD.findall(text)
        if len(words) < 20:
            continue
        a, b, c, d, e = source.sample(words, 5)
        at = source.randrange(len(words) - 12)
        run = text.split()
        start = source.randrange(max(1, len(run) - 3))
        piece = re.sub(r'[\\"]', "", " ".join(run[start : start + 3])) or a
        swap = source.randrange(len(a) - 1)
        return {
            "a": a, "b": b, "c": c, "d": d, "e": e, "word": a, "run": piece,
            "sentence": " ".join(words[at : at + 12]), "prefix": b[:3], "suffix": c[-3:],
            "typo": a[:swap] + a[swap + 1] + a[swap] + a[swap + 2 :],
            "folder": key.split("/")[0] if "/" in key else "x",
        }  # fmt: skip


def dump(home: str, target: Path) -> None:
    """Asks all requests and writes their answers."""
    with dowse.open(home) as index, target.open("w", encoding="utf-8") as out:
        keys = sorted((one.doc_key, one.tree) for one in index.list_documents())
        chosen = random.Random(SEED).sample(keys, min(400, len(keys)))
        texts = [(key, index.get(key, tree=tree).text) for key, tree in chosen]
        for number, request in enumerate(iter_requests(texts)):
            print(json.dumps(_answer(index, number, request), ensure_ascii=False), file=out)


def _answer(index: dowse.Index, number: int, request: dict[str, Any]) -> dict[str, Any]:
    asked = dowse.SearchRequest(limit=LIMIT, snippets=number % 2 == 0, **request)
    try:
        response = index.search(asked)
    except dowse.DowseError as error:
        return {"request": request, "error": type(error).__name__}
    return {
        "request": request,
        "total": response.total,
        "is_exact": response.total_is_exact,
        "is_fuzzy": response.is_fuzzy,
        "suggestion": response.suggestion,
        "interpretation": response.interpretation,
        "hits": [[hit.tree, hit.doc_key, hit.chunk, repr(hit.score)] for hit in response.hits],
        "snippets": [hit.snippet.text if hit.snippet else "" for hit in response.hits],
        "lines": [[hit.line_start, hit.line_end] for hit in response.hits],
    }


def compare(first: Path, second: Path) -> int:
    """Prints which answers differ, and how; returns how many do."""
    rows = [[json.loads(line) for line in file.open(encoding="utf-8")] for file in (first, second)]
    differing = abs(len(rows[0]) - len(rows[1]))
    for number, (one, two) in enumerate(zip(*rows, strict=False)):
        names = [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]
        if not names:
            continue
        differing += 1
        print(f"{number} {json.dumps(one['request'], ensure_ascii=False)}: {', '.join(names)}")
        for name in names:
            print(f"    - {str(one.get(name))[:300]}\n    + {str(two.get(name))[:300]}")
    hits = sum(len(row.get("hits", ())) for row in rows[0])
    print(f"{differing} of {len(rows[0])} answers differ ({hits} hits compared)")
    return differing


def main() -> int:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("build")
    one.add_argument("kind", choices=("vault", "passages"))
    one.add_argument("home")
    one.add_argument("source", type=Path)
    one = commands.add_parser("dump")
    one.add_argument("home")
    one.add_argument("target", type=Path)
    one = commands.add_parser("compare")
    one.add_argument("first", type=Path)
    one.add_argument("second", type=Path)
    given = parser.parse_args()
    if given.command == "build":
        build(given.kind, given.home, given.source)
    elif given.command == "dump":
        dump(given.home, given.target)
    else:
        return 1 if compare(given.first, given.second) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
