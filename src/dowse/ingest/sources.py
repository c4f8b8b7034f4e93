"""The list of all sources, each with the kind by which the catalogue names it."""

from dowse.ingest.folder_source import FolderSource
from dowse.ingest.source import Source

SOURCES: tuple[type[Source], ...] = (FolderSource,)
