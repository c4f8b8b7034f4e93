"""The extractors: one file each, listed in `dowse.ingest.formats`, imported when first needed."""

import functools
from importlib import import_module
from typing import TYPE_CHECKING, cast

from dowse.errors import InvalidParameterError
from dowse.ingest.extractor import Extractor
from dowse.ingest.formats import BY_NAME, FORMATS

if TYPE_CHECKING:
    EXTRACTORS: tuple[Extractor, ...]


@functools.cache
def get_extractor(name: str) -> Extractor:
    """Returns the extractor of the format with this name.

    Raises:
        InvalidParameterError: There is none.
    """
    row = BY_NAME.get(name)
    if row is None:
        legal = f"formats are: {', '.join(BY_NAME)}"
        raise InvalidParameterError(name="format", value=name, legal=legal)
    module, _, class_name = row.extractor.partition(".")
    return cast(Extractor, getattr(import_module(f"{__name__}.{module}"), class_name)())


def __getattr__(name: str) -> object:
    if name == "EXTRACTORS":
        return tuple(get_extractor(row.name) for row in FORMATS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
