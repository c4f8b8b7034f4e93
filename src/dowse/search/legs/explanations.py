"""Explains scores that words and meaning gave together."""

from dowse.fusion import Fused
from dowse.schema import Explanation
from dowse.search.legs.hybrid_ranking import Tier
from dowse.search.legs.lexical import RUN_BOOST
from dowse.search.lexical.searcher import Searcher
from dowse.search.lexical.weighting import explain_row

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
    score = found.legs.get("semantic") if again is None else again.legs.get("semantic")
    sources = {"lexical": own}
    if fused.key in score:
        meaning = EXPECTED if fused.key in found.expected else cosine
        sources["semantic"] = Explanation(score[fused.key], meaning, (), "leg-score")
    return fused.explain(sources)


def _explain_run(words: Explanation, factor: float) -> Explanation:
    share = Explanation((factor - 1.0) / RUN_BOOST, "share of the run in the weight of all words")
    run = Explanation(factor, f"1 + {RUN_BOOST:g} * share of a run", (share,))
    name = "words * factor of those that stand one after the other as in the query"
    return Explanation(words.value * factor, name, (words, run))

