"""The numbers a fusion takes: their names, defaults and legal ranges, in one place.

The shape of `scoring.model.Parameter`, written again: that module needs NumPy, and fusing does not.
"""


from dowse.schema import Parameter


def check_parameters(fusion: object, parameters: tuple[Parameter, ...]) -> None:
    """Raises InvalidParameterError unless every number of a fusion is in its range."""
    for parameter in parameters:
        parameter.check(getattr(fusion, parameter.name))


# Chosen on CISI, CACM and NFCorpus's questions for development: docs/decisions/0006-fusion-weights.md.
LEXICAL_WEIGHT = Parameter("lexical_weight", 0.4, 0.0, 10.0, "how much the words count")
SEMANTIC_WEIGHT = Parameter("semantic_weight", 0.6, 0.0, 10.0, "how much the meaning counts")
WEIGHTS = (LEXICAL_WEIGHT, SEMANTIC_WEIGHT)

# Chosen on the same: docs/decisions/0008-feedback.md.
FEEDBACK = Parameter("feedback", 0.2, 0.0, 1.0, "how much the first hit adds to the question, at least")
