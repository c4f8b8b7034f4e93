"""A question asked again by meaning, with what its first hit says.

The first hit of words and meaning together is an answer about as often as not, or more often, and it says in
many words what the question says in few. So the question's vector is turned towards it, and away from what
the whole collection is about. Rocchio 1971 ("Relevance feedback in information retrieval", in Salton's "The
SMART Retrieval System")::

    again = (1 - share) * question + share * first hit - 0.2 * average chunk
    share = feedback + (score of the first - score of the second), 0.5 at most

Where we differ: nobody has said what is relevant. Only the first hit is taken for it, because those after it
are right less often, and it counts the more, the further it is ahead (docs/decisions/0008-feedback.md). What
is not relevant is the average chunk: texts near a collection's middle are a little near to every question.

Only what was found already is scored again: a second look at all vectors finds little more. All of it happens
in the directions to which the collection's vectors were rotated: to turn them back would take longer than to
score them.
"""

from typing import NamedTuple

from msgspec.structs import replace

from dowse.fusion import Legs, ScoreDistribution, TopHit, impute_semantic_scores
from dowse.search.legs.semantic import Semantic

LARGEST_SHARE = 0.5
AWAY = 0.2


class AskedAgain(NamedTuple):
    """What words and meaning say after the question was asked again.

    Attributes:
        share: Of the first hit in the question that was asked.
    """

    legs: Legs
    share: float

    @property
    def name(self) -> str:
        """What was asked, for explanations."""
        own = 1 - self.share
        return f"{own:.2f} * question's + {self.share:.2f} * first hit's - {AWAY:g} * average chunk's"


def ask_again(legs: Legs, top: TopHit, leg: Semantic, feedback: float) -> AskedAgain | None:
    """Scores by meaning once more, by a question that was turned to its first hit.

    Args:
        legs: What was found.
        top: The first hit of the legs together.
        leg: The semantic leg, as it was asked.
        feedback: The least share of the first hit in the question, above 0.

    Returns:
        The legs with the new scores; None when there is nothing to learn from: a first hit without a vector,
        or so few vectors that there is no average.
    """
    share = find_share(top.margin, feedback)
    vectors = leg.vectors
    turned = vectors.turn(leg.vector, top.key, share, AWAY)
    if turned is None:
        return None
    spread = vectors.spread(turned)
    if spread is None:
        return None
    semantic = vectors.score(turned, leg.located)
    semantic |= impute_semantic_scores(legs.get("lexical"), semantic)
    found = {**legs.found, "semantic": semantic}
    scored = replace(legs, found=found, distributions={"semantic": ScoreDistribution(*spread)})
    return AskedAgain(scored, share)


def find_share(margin: float, feedback: float) -> float:
    """Returns how much a first hit counts that is ahead of the second by a margin."""
    return max(feedback, min(LARGEST_SHARE, feedback + margin))
