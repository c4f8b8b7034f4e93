"""A question's vector turned towards one chunk and away from the average one; `search.feedback` says why."""

import numpy as np

from dowse.kernels.layout import F32

_NO_DIRECTION = 1e-3


def turn(question: F32, answer: F32, average: F32, share: float, away: float) -> F32:
    """Returns the unit vector of a question turned to an answer; as it was when nothing is left of it.

    Args:
        question: Of length 1.
        answer: What it is turned to.
        average: What it is turned away from.
        share: Of the answer, 0 to 1; the question has the rest.
        away: How much of the average is taken away.
    """
    again = (1.0 - share) * question + share * answer - away * average
    length = float(np.linalg.norm(again))
    if not length > _NO_DIRECTION:
        return question
    turned: F32 = (again / length).astype(np.float32)
    return turned
