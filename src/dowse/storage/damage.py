"""Tells damage from a bug where a kernel refuses what it reads.

Large segments are compared with their checksums in the background, and bytes can rot later, so a kernel may
meet arrays that do not fit together. It raises what Python raises for any wrong index or value. Only then,
and only for the segment at hand, its bytes are checked: if they have changed it is damage, which can be
healed; otherwise the error is ours, and stays what it was.
"""

import weakref
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Protocol, TypeVar

KERNEL_ERRORS = (IndexError, ValueError, OverflowError)
Kernel = TypeVar("Kernel")


class Checked(Protocol):
    """Bytes that can be compared with their checksums."""

    def verify(self) -> None:
        """Raises CorruptFileError when a byte is not as it was written."""


def build_guarded(kernel: type[Kernel], checked: Checked, *arguments: object) -> Kernel:
    """Builds a kernel object whose methods raise CorruptFileError where the bytes it reads are damaged.

    Args:
        kernel: Its class; compiled or the twin.
        checked: Where the bytes come from; not kept alive.
        arguments: What the kernel is built of.
    """
    plain: Any = kernel
    built = _guarded_class(plain)(*arguments)
    built.checked = weakref.ref(checked)
    guarded: Kernel = built
    return guarded


@cache
def _guarded_class(kernel: Any) -> Any:
    methods = {
        name: _guard(method)
        for name in dir(kernel)
        if not name.startswith("_") and callable(method := getattr(kernel, name))
    }
    return type(kernel.__name__, (kernel,), {"__doc__": kernel.__doc__, **methods})


def _guard(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *arguments: object, **named: object) -> Any:
        try:
            return method(self, *arguments, **named)
        except KERNEL_ERRORS:
            checked = self.checked()
            if checked is not None:
                checked.verify()
            raise

    return call
