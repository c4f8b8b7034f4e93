"""What a reader can do about an error or a problem, as codes: each face has its own words for them.

Nothing below the faces knows a flag or a command, because people who ask over HTTP or through an agent
have no command line. A hint is a plain sentence, or the code of a remedy followed by the data that a face
needs to word it, separated by spaces: ``set-option discovery.max_file_bytes 4000000``. Sentences and codes
in one hint are separated by semicolons.
"""

from enum import StrEnum


class Remedy(StrEnum):
    """The codes, each with the data that follows it."""

    INDEX_FOLDER = "index-folder"
    MAKE_VECTORS = "make-vectors"
    MAKE_STATIC_VECTORS = "make-static-vectors"
    REPAIR_INDEX = "repair-index"
    EMBED_AGAIN = "embed-again"
    WAIT_LONGER = "wait-longer"
    CHOOSE_HOME = "choose-home"
    NAME_FOLDER = "name-folder"
    LIST_OPTIONS = "list-options"
    SET_OPTION = "set-option"
    """Option, value."""
    CHANGE_OPTION = "change-option"
    """Option."""
    SET_OWN_OPTION = "set-own-option"
    """Option."""
    TRUST_PROJECT = "trust-project"
    """Folder."""
    LIST_TREES = "list-trees"
    LIST_MODES = "list-modes"
    SEARCH_BY_WORDS = "search-by-words"
    ALLOW_TIME = "allow-time"
    """Request option."""
    INCLUDE_IGNORED = "include-ignored"
    INCLUDE_PATTERN = "include-pattern"
    READ_HIDDEN = "read-hidden"
    INSPECT_FILE = "inspect-file"

    def about(self, *data: str) -> str:
        """Returns the code with its data, as a hint carries it."""
        return " ".join((self.value, *data))
