"""A synonym rule of a request."""

from msgspec import Struct


class SynonymRule(Struct, frozen=True):
    """One rule: a query that has the words also searches for the synonyms.

    Attributes:
        words: The words in the query, folded; several words are separated by one space.
        synonyms: What is searched for as well, in the order given.
    """

    words: str
    synonyms: tuple[str, ...]
