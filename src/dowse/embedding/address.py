"""The address of a service: checked before anything is sent, and shown without what may be secret in it.

A user and a password in an address would be written into a file, and from there into whatever shows the file.
So there is one place for what must stay secret, the key, and an address that holds anything else is refused.
"""

import re
from urllib.parse import SplitResult, urlsplit

from dowse.errors import InvalidParameterError

EXAMPLE = "give an address such as http://localhost:11434/v1"
NO_PASSWORD = (
    "leave them out; a key goes into the environment variable that embedding.key_variable names"
    " (DOWSE_EMBEDDING_KEY, unless you say otherwise)"
)
_SECRETS = re.compile(r"^([a-z]+://)?.*@", re.DOTALL | re.IGNORECASE)
_QUERY = re.compile(r"\?.+", re.DOTALL)


def parse_address(url: str) -> SplitResult:
    """Returns the parts of an address.

    Raises:
        InvalidParameterError: It is none, or holds a user or a password, which is not repeated.
    """
    if not _is_usable(url):
        raise InvalidParameterError(name="url", value=f"“{show_address(url)}”", legal=EXAMPLE)
    parts = urlsplit(url)
    if "@" in parts.netloc:
        value = "an address with a user or a password in it"
        raise InvalidParameterError(name="url", value=value, legal=NO_PASSWORD)
    return parts


def show_address(url: str) -> str:
    """Returns an address for people, whether it can be used or not: without user, password and query.

    A query may hold a key. Whatever comes before the last @ is left out, for a password may hold any sign.
    """
    return _QUERY.sub("?…", _SECRETS.sub(r"\1…@", url))


def _is_usable(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_complete = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        return False
    # A request line is ASCII; host names have an encoding of their own for other characters.
    is_one_line = url.isprintable() and " " not in url and (parts.path + parts.query).isascii()
    return is_complete and is_one_line
