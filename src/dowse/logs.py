"""What Dowse writes to Python's `logging`: one logger per package, such as ``dowse.indexing``.

The module `logging` is not imported before somebody else does: that takes 15 ms, as long as all of a search,
and until then nobody can have asked for records. A program that wants them configures `logging` as usual;
``dowse --verbose`` shows them on stderr. Where nobody has, nothing is printed.
"""

import sys

DEBUG, INFO, WARNING = 10, 20, 30


class Log:
    """The logger of the package that a module is in.

    Args:
        module: Its ``__name__``.
    """

    __slots__ = ("_name",)

    def __init__(self, module: str) -> None:
        self._name = ".".join(module.split(".")[:2])

    def debug(self, message: str, *values: object) -> None:
        """Records a step that only matters when something is looked into."""
        self._write(DEBUG, message, values)

    def info(self, message: str, *values: object) -> None:
        """Records what was done."""
        self._write(INFO, message, values)

    def warning(self, message: str, *values: object) -> None:
        """Records what went wrong and stopped nothing."""
        self._write(WARNING, message, values)

    def _write(self, level: int, message: str, values: tuple[object, ...]) -> None:
        if "logging" not in sys.modules:
            return
        import logging

        root = logging.getLogger("dowse")
        if not root.handlers:  # else Python would print warnings by itself
            root.addHandler(logging.NullHandler())
        logging.getLogger(self._name).log(level, message, *values)


def show_records() -> None:
    """Prints all records on stderr from now on, with the time and the package of each."""
    import logging

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s", "%H:%M:%S"))
    root = logging.getLogger("dowse")
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
