"""Which fields a part of a query looks at."""

from dowse.schema import FIELD_COUNT

Fields = frozenset[int]
ALL_FIELDS: Fields = frozenset(range(FIELD_COUNT))
