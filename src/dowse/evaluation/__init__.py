"""How good are the answers?

Runs judged questions through the library and compares what is found with what should be: a table of
measures for each way to search, and for two ways, question by question, where they differ and whether that
can be chance. It is a user of the engine like any other face; the command line shows what it finds.

May import: everything below it: `engine`, `search`, `fusion`, `errors`.

Main types: `Collection` (documents and judged questions: `read_beir`, `read_golden`, `own_collection`) ·
`Configuration` (a named way to search) · `Run` (its rankings) · `Comparison` (two runs) · `METRICS` ·
`known_items` and `tuning` (weights that suit a folder, from questions made of its own texts).

Reading order: `metrics` · `judged` · `collections` · `configurations` · `running` · `significance` ·
`comparing` · `known_items` · `tuning`.

Invariants:
1. Measures are those of trec_eval: linear gain, and an ideal ranking of all that was judged relevant, found
   or not. A test compares them with ir-measures.
2. A document ranks where its best chunk does, and counts once.
3. A question without any relevant document cannot be answered well or badly, and is left out.
4. Nothing is random: the same runs give the same comparison.

Not for: tuning on what is reported. Choose numbers on one collection or split, report another.
"""

from dowse.evaluation.collections import own_collection, read_beir, read_golden
from dowse.evaluation.comparing import Comparison, compare, find_failures
from dowse.evaluation.configurations import Configuration, parse_configuration
from dowse.evaluation.judged import Collection, JudgedQuery, SourceText
from dowse.evaluation.metrics import METRICS, Metric, get_metric
from dowse.evaluation.running import (
    Run,
    embed_collection,
    find_unindexed,
    index_collection,
    list_keys,
    open_collection,
    run_configuration,
)

__all__ = [
    "METRICS",
    "Collection",
    "Comparison",
    "Configuration",
    "JudgedQuery",
    "Metric",
    "Run",
    "SourceText",
    "compare",
    "embed_collection",
    "find_failures",
    "find_unindexed",
    "get_metric",
    "index_collection",
    "list_keys",
    "open_collection",
    "own_collection",
    "parse_configuration",
    "read_beir",
    "read_golden",
    "run_configuration",
]
