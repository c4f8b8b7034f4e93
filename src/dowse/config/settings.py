"""Settings as the rest of Dowse uses them: frozen, typed, with paths resolved."""

import os
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dowse.config.merging import Effective, Origin, TreeConfig
from dowse.errors import ConfigError, InvalidParameterError
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.ignore_rules import DiscoverySettings
from dowse.ingest.limits import DEFAULT_LIMITS, ExtractionLimits


class WatchSettings(Struct, frozen=True):
    """How folders are watched."""

    debounce_ms: int = 400
    reconcile_minutes: float = 60.0


class FolderSettings(Struct, frozen=True):
    """How one folder becomes a tree.

    Attributes:
        workers: Processes that read files; 0 for as many as fit the machine.
        name: That of its configured tree; None when it is none.
        language: None when nothing was said.
        stop_words: None when nothing was said.
    """

    discovery: DiscoverySettings = DiscoverySettings()
    chunking: ChunkingSettings = ChunkingSettings()
    limits: ExtractionLimits = DEFAULT_LIMITS
    workers: int = 0
    name: str | None = None
    language: str | None = None
    stop_words: str | None = None


class Settings(Struct, frozen=True):
    """All settings that hold in one folder.

    Attributes:
        home: Folder of the index; None for the default one.
        effective: Every value with its origin.
    """

    home: str | None
    trees: tuple[TreeConfig, ...]
    watch: WatchSettings
    chunking: ChunkingSettings
    limits: ExtractionLimits
    workers: int
    effective: Effective

    def find_tree(self, folder: Path) -> TreeConfig | None:
        """Returns the deepest configured tree that is a folder or holds it."""
        real = os.path.realpath(folder)
        best: TreeConfig | None = None
        for tree in self.trees:
            root = os.path.realpath(tree.path)
            holds = real == root or real.startswith(root.rstrip(os.sep) + os.sep)
            if holds and (best is None or len(root) > len(os.path.realpath(best.path))):
                best = tree
        return best

    def for_folder(self, root: Path) -> FolderSettings:
        """Returns how a folder is indexed: as its tree says where it is one, else as for all."""
        real = os.path.realpath(root)
        tree = next((tree for tree in self.trees if os.path.realpath(tree.path) == real), None)
        values = self.effective.values
        include, include_below = self._patterns("include", tree, real)
        exclude, exclude_below = self._patterns("exclude", tree, real)
        discovery = DiscoverySettings(
            max_file_bytes=_number(values["discovery.max_file_bytes"]),
            max_document_bytes=_number(values["discovery.max_document_bytes"]),
            uses_gitignore=values["discovery.gitignore"] is True,
            includes_hidden=values["discovery.hidden"] is True,
            include=include,
            exclude=exclude,
            include_below=include_below,
            exclude_below=exclude_below,
        )
        general = FolderSettings(discovery, self.chunking, self.limits, self.workers)
        if tree is None:
            return general
        return replace(general, name=tree.name, language=tree.language, stop_words=tree.stop_words)

    def _patterns(self, key: str, tree: TreeConfig | None, root: str) -> tuple[tuple[str, ...], str]:
        """Returns patterns, and where the root lies below the folder that they are relative to."""
        own = None if tree is None else getattr(tree, key)
        if own is not None:
            return own, ""
        patterns, origin = self.effective.values[key], self.effective.origins[key]
        assert isinstance(patterns, tuple)
        return patterns, _place_below(origin, root)


def _place_below(origin: Origin, root: str) -> str:
    if origin.kind != "project":
        return ""
    around = os.path.realpath(origin.folder).rstrip(os.sep) + os.sep
    return root[len(around) :].replace(os.sep, "/") + "/" if root.startswith(around) else ""


def build_settings(effective: Effective) -> Settings:
    """Makes settings of effective values.

    Raises:
        ConfigError: Values that are legal each do not go together.
    """
    values = effective.values
    home = values["home"]
    return Settings(
        home=None if home is None else str(home),
        trees=effective.trees,
        watch=WatchSettings(**_group(effective, "watch")),
        chunking=_build_chunking(effective),
        limits=ExtractionLimits(
            seconds=float(_number(values["extraction.seconds"])),
            memory_bytes=_number(values["extraction.memory_bytes"]),
            text_bytes=_number(values["extraction.text_bytes"]),
        ),
        workers=_number(values["extraction.workers"]),
        effective=effective,
    )


def _build_chunking(effective: Effective) -> ChunkingSettings:
    try:
        return ChunkingSettings(**_group(effective, "chunking"))
    except InvalidParameterError as error:
        origins = [effective.origins[f"chunking.{name}"] for name in ("overlap_words", "max_words")]
        place = next((origin.place for origin in origins if origin.place), "chunking")
        raise ConfigError(place=place, message=error.message, hint=error.hint) from error


def _group(effective: Effective, group: str) -> dict[str, Any]:
    prefix = group + "."
    values = effective.values.items()
    return {name.removeprefix(prefix): value for name, value in values if name.startswith(prefix)}


def _number(value: object) -> Any:
    assert isinstance(value, int | float)
    return value
