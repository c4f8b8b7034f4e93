"""What is wrong with a query, collected once for both modes."""

from dowse.errors import QuerySyntaxError
from dowse.schema import Problem

# A megabyte of “()” is wrong in half a million places; nobody reads beyond the first few.
MAX_PROBLEMS = 50
MAX_MESSAGE_CHARS = 400  # names in messages are as long as somebody typed them


class Problems:
    """Collects problems while a query is read; then they are returned, or the first one is raised."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._found: list[tuple[int, str, bool]] = []

    def report(self, position: int, message: str, *, is_strict_only: bool = False) -> None:
        """Adds a problem; strict ones are no problem to people, only to programs."""
        if len(self._found) < MAX_PROBLEMS:
            place = min(position, len(self._query))
            self._found.append((place, message[:MAX_MESSAGE_CHARS], is_strict_only))

    def settle(self, *, strict: bool) -> tuple[Problem, ...]:
        """Returns the problems in the order of the text.

        Raises:
            QuerySyntaxError: In strict mode, for the first of them.
        """
        if not self._found:
            return ()
        found = sorted(self._found, key=lambda entry: entry[0])
        if strict:
            raise QuerySyntaxError(query=self._query, position=found[0][0], message=found[0][1])
        return tuple(
            Problem("query-syntax", f"character {position}", message)
            for position, message, is_strict_only in found
            if not is_strict_only
        )
