"""All backends; the conformance suite runs over each."""

from dowse.storage.local_backend import LocalBackend

BACKENDS: tuple[type[LocalBackend], ...] = (LocalBackend,)
