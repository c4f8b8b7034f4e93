"""Explains scores that words and meaning gave together."""

from dowse.explanation import Explanation
from dowse.fusion import Fused
from dowse.search.lexical_leg import RUN_BOOST
from dowse.search.meaning_ranking import Tier
from dowse.search.searcher import Searcher
from dowse.search.weighing import explain_row

EXPECTED = "score, expected of a chunk without a vector: that of others whose words match as well"


def explain_fused(searcher: Searcher, tier: Tier, fused: Fused) -> Explanation:
    """Explains a fused score, and inside it what the words gave, and which question the meaning answers."""
    words, found, again = tier.words, tier.found, tier.again
    weighed = searcher.weigh_again(words.request, words.root)
    own = explain_row(
        weighed, searcher.snapshot, *found.places[fused.key], searcher.tables(words.request)
    )
    if fused.key in found.runs:
        own = _explain_run(own, found.runs[fused.key])
    question = "the question's" if again is None else again.name
    cosine = f"score, the cosine of the chunk's vector and {question}"
    return _with_sources(fused.explain(), own, EXPECTED if fused.key in found.expected else cosine)


def _explain_run(words: Explanation, factor: float) -> Explanation:
    share = Explanation((factor - 1.0) / RUN_BOOST, "share of the run in the weight of all words")
    run = Explanation(factor, f"1 + {RUN_BOOST:g} * share of a run", (share,))
    name = "words * factor of those that stand one after the other as in the query"
    return Explanation(words.value * factor, name, (words, run))


def _with_sources(node: Explanation, words: Explanation, meaning: str) -> Explanation:
    leg = node.description.partition(" ")[0]
    parts = []
    for part in node.parts:
        is_score = part.description == "score"
        if is_score and leg == "lexical":
            parts.append(words)
        elif is_score and leg == "semantic":
            parts.append(Explanation(part.value, meaning))
        else:
            parts.append(_with_sources(part, words, meaning))
    return Explanation(node.value, node.description, tuple(parts))
