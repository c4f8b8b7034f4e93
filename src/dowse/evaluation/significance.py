"""Can the difference between two configurations be chance? Two paired tests, without a library.

Both ask how often differences as large as those seen would come about if the two were alike. The
randomisation test assumes nothing more; Student's t assumes differences that are about normal, and is what
papers report.
Smucker, Allan and Carterette 2007 (CIKM) found both sound for retrieval, and the Wilcoxon and sign tests not.
"""

import math
import random
from collections.abc import Sequence

ROUNDS = 20_000
EXACT_UP_TO = 14
# Compared with sums of the same numbers in another order, which rounding may tell apart.
_TOLERANCE = 1e-12


def randomisation_p(differences: Sequence[float], seed: int = 0) -> float:
    """Returns the two-sided p of Fisher's randomisation test: signs of the differences are flipped at random.

    Differences of 0 stay 0 whichever way they are flipped and are left out. Up to 14 others all 2^n ways are
    counted; beyond, 20,000 random ones, of which the seen one counts as one more.
    """
    values = [abs(value) for value in differences if value]
    seen = abs(math.fsum(differences)) - _TOLERANCE
    if not values:
        return 1.0
    if len(values) <= EXACT_UP_TO:
        sums = [0.0]
        for value in values:
            sums = [total + sign * value for total in sums for sign in (1, -1)]
        return sum(abs(total) >= seen for total in sums) / len(sums)
    flips = random.Random(seed)
    whole, extreme = math.fsum(values), 1
    for _ in range(ROUNDS):
        bits = flips.getrandbits(len(values))
        flipped = math.fsum(value for place, value in enumerate(values) if bits >> place & 1)
        extreme += abs(whole - 2 * flipped) >= seen
    return extreme / (ROUNDS + 1)


def student_t_p(differences: Sequence[float]) -> float:
    """Returns the two-sided p of the paired t test; 1 when there is no difference at all."""
    count = len(differences)
    if count < 2 or not any(differences):
        return 1.0
    mean = math.fsum(differences) / count
    variance = math.fsum((value - mean) ** 2 for value in differences) / (count - 1)
    if variance <= 0:
        return 0.0
    t = mean / math.sqrt(variance / count)
    freedom = count - 1
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Returns the regularised incomplete beta function, by the continued fraction of DLMF 8.17.22."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # beyond it the fraction converges slowly; the function is symmetric
        return 1.0 - _incomplete_beta(b, a, 1.0 - x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front / a * _continued_fraction(a, b, x)


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Returns 1 / (1 + d1 / (1 + d2 / …)), evaluated from far inside outwards."""
    value = 1.0
    for step in range(300, 0, -1):
        m = step // 2
        if step % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        value = 1.0 + d / value
    return 1.0 / value
