"""Plans words beside filters, ``green tea ext:md date:2023..``, without binding part by part.

The words are ranked as a bag of which a hit must have one term; filters become one mask of rows. `Binder`
gives the same query the same meaning.
"""

from dowse.matching import Condition, Documents, FilteredRows
from dowse.planning.filters import join_filters
from dowse.planning.plan import ClausePlan, Needed
from dowse.planning.reading import WordReader
from dowse.query import nodes

# Terms of the bag; the kernel looks at each of them for every row.
_MANY = 16


def plan_filtered(root: nodes.Node, words: WordReader, documents: Documents) -> ClausePlan | None:
    """Plans a query of bare words and filters; None when there is anything else to it.

    Args:
        documents: Answers filters.
    """
    if type(root) is not nodes.BagOfWords:
        return None
    texts: list[str] = []
    needed: list[nodes.Node] = []
    excluded: list[Condition] = []
    for item in root.items:
        if type(item) is nodes.Word:
            texts.append(item.text)
        elif type(item) is nodes.Filter or type(item) is nodes.RangeFilter:
            needed.append(item)
        elif type(item) is nodes.Not and isinstance(item.item, nodes.Filter | nodes.RangeFilter):
            excluded.append(_condition(item.item))
        else:
            return None
    weights = words.bag(" ".join(texts), keeps_stop_words=False)
    if not 0 < len(weights) <= _MANY:
        return None  # without words, stop words count after all
    conditions = tuple([_condition(item) for item in join_filters(needed)])
    return ClausePlan(
        tuple(weights.items()),
        Needed((range(len(weights)),)),
        filters=FilteredRows(documents, conditions, tuple(excluded)),
        terms=frozenset(weights),
    )


def _condition(node: nodes.Node) -> Condition:
    if isinstance(node, nodes.Filter):
        return Condition(node.name, node.values)
    assert isinstance(node, nodes.RangeFilter), "only filters have conditions"
    return Condition(node.name, (), node.low, node.high)
