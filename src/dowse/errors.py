"""Every error that can end an operation, in one table.

The tree splits by who must act::

    DowseError
    ├── UsageError       the caller can fix it               exit 2 · HTTP 4xx
    ├── ResourceError    the surroundings must change        exit 2 · HTTP 503/507
    ├── DamageError      data on disk cannot be trusted      exit 3 · HTTP 500
    └── InternalError    our bug                             exit 3 · HTTP 500

Each class carries its row: a stable ``code``, the exit status, the HTTP status, a message template and a
hint, which is a sentence or the code of a remedy (`dowse.remedy`) that each face words. `ERRORS` lists the
rows for the reference page and the tests.
"""

from typing import ClassVar

from dowse.remedy import Remedy


class DowseError(Exception):
    """Base of all errors. Construct a subclass with the keyword arguments its template names."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 2
    http_status: ClassVar[int] = 500
    template: ClassVar[str] = "{message}"
    hint_template: ClassVar[str] = ""

    def __init__(self, **details: object) -> None:
        self.details = details
        self.message = self.template.format(**details)
        self.hint = str(self.hint_template).format(**details)
        super().__init__(self.message)


class UsageError(DowseError):
    """The caller can fix it."""

    code = "usage"
    http_status = 400


class QuerySyntaxError(UsageError):
    """A query could not be read in strict mode; `position` counts characters from 0."""

    code = "query-syntax"
    template = "{message} at character {position}\n  {query}\n  {caret}"

    def __init__(self, *, query: str, position: int, message: str) -> None:
        super().__init__(query=query, position=position, message=message, caret=" " * position + "^")


class InvalidPatternError(UsageError):
    """A wildcard or regular expression cannot be used; `position` counts characters from 0."""

    code = "invalid-pattern"
    template = "{message} at character {position} of the pattern\n  {pattern}\n  {caret}"
    hint_template = r"supported: . [ ] [^ ] \d \w \s ( ) | * + ? {{m,n}}; patterns match whole words"

    def __init__(self, *, pattern: str, position: int, message: str) -> None:
        super().__init__(pattern=pattern, position=position, message=message, caret=" " * position + "^")


class PatternTooComplexError(UsageError):
    """Matching the pattern would take too long."""

    code = "pattern-too-complex"
    template = "the pattern is too complex: {reason}\n  {pattern}"
    hint_template = "use fewer or smaller repetitions"


class UnknownModelError(UsageError):
    """A scoring model or preset was asked for by a name nobody has."""

    code = "unknown-model"
    template = "there is no {kind} “{name}”"
    hint_template = "known: {known}"


class UnknownFieldError(UsageError):
    """A filter or field was asked for by a name nobody has."""

    code = "unknown-field"
    template = "there is no field or filter “{name}”"
    hint_template = "known: {known}"


class UnknownModeError(UsageError):
    """A mode of searching was asked for by a name nobody has."""

    code = "unknown-mode"
    template = "there is no mode “{name}”"
    hint_template = "{nearest}known: {known}"


class ModeUnavailableError(UsageError):
    """A mode needs something that this index does not have."""

    code = "mode-unavailable"
    http_status = 409
    template = "mode “{name}” needs {needs}, which this index does not have"
    hint_template = "{remedy}"


class InvalidParameterError(UsageError):
    """A parameter lies outside its legal range."""

    code = "invalid-parameter"
    template = "{name} cannot be {value}"
    hint_template = "{legal}"


class UnknownParameterError(UsageError):
    """A parameter was set that neither the mode, its scoring model nor its fusion has."""

    code = "unknown-parameter"
    template = "neither {asked} has a parameter “{name}”"
    hint_template = "{nearest}known: {known}"


class ConfigError(UsageError):
    """A configuration file, or a variable of the environment, says what cannot be."""

    code = "config"
    template = "{place}: {message}"
    hint_template = "{hint}"


class FolderNotFoundError(UsageError):
    """The folder to index or search is not there, or is not a folder."""

    code = "folder-not-found"
    http_status = 404
    template = "{path}: {reason}"
    hint_template = Remedy.NAME_FOLDER


class FileNotReadableError(UsageError):
    """The file that was named is not there, or is not a file that can be read."""

    code = "file-not-readable"
    http_status = 404
    template = "{path}: {reason}"
    hint_template = "give the path of a file"


class UnknownTreeError(UsageError):
    """A request names a tree that is not in the index."""

    code = "unknown-tree"
    http_status = 404
    template = "there is no tree “{name}” in this index"
    hint_template = "trees: {known}"


class DocumentNotFoundError(UsageError):
    """No document has this key."""

    code = "document-not-found"
    http_status = 404
    exit_status = 1
    template = "no document “{key}” in this index"
    hint_template = "{nearest}"


class UncommittedChangesError(UsageError):
    """Something that commits by itself was asked for while texts are pending that it must not commit."""

    code = "uncommitted-changes"
    http_status = 409
    template = "texts were added to or deleted from {home} and not committed yet"
    hint_template = "commit them or roll them back first"


class ResourceError(DowseError):
    """The surroundings must change."""

    code = "resource"
    http_status = 503


class IndexNotFoundError(ResourceError):
    """There is no index at the given place yet."""

    code = "index-not-found"
    http_status = 404
    template = "there is no index at {home}"
    hint_template = Remedy.INDEX_FOLDER


class IndexLockedError(ResourceError):
    """Another process is writing and did not finish in time."""

    code = "index-locked"
    template = "another process is writing to {home} ({holder}); waited {waited_s:.0f} s"
    hint_template = Remedy.WAIT_LONGER


class DiskFullError(ResourceError):
    """There was no room to write; what was committed before is untouched."""

    code = "disk-full"
    http_status = 507
    template = "no room left on the disk that holds {home}"
    hint_template = "free some space and run the command again; everything committed so far is safe"


class WorkersUnavailableError(ResourceError):
    """The processes that read files cannot be started; what was committed before is untouched."""

    code = "workers-unavailable"
    template = "the processes that read files cannot be started: {reason}"
    hint_template = "check that this Python can start programs, and that there is memory left"


class StorageError(ResourceError):
    """The operating system refused a read or write; what was committed before is untouched."""

    code = "storage"
    template = "cannot write to {home}: {reason}"
    hint_template = "check the disk and the permissions of that folder; everything committed so far is safe"


class ReadOnlyIndexError(ResourceError):
    """The index home cannot be written to."""

    code = "read-only-index"
    template = "{home} is not writable: {reason}"
    hint_template = f"{Remedy.CHOOSE_HOME}; or change the folder's permissions"


class ModelMissingError(ResourceError):
    """A model, or a package that runs it, is not on this machine, or lacks a part."""

    code = "model-missing"
    template = "the model “{name}” cannot be used: {reason}"
    hint_template = "{remedy}"


class EmbeddingServiceError(ResourceError):
    """The service that makes vectors is down, refuses, or answers what cannot be used."""

    code = "embedding-service"
    template = "the embedding service at {url} {reason}"
    hint_template = "{remedy}"


class DamageError(DowseError):
    """Data on disk cannot be trusted."""

    code = "damage"
    exit_status = 3


class CorruptFileError(DamageError):
    """A file of the index is not what was written."""

    code = "corrupt-file"
    template = "{path} is damaged: {expectation}"
    hint_template = Remedy.REPAIR_INDEX


class UnsupportedFormatError(DamageError):
    """The index was written by another version of Dowse that this one cannot read."""

    code = "unsupported-format"
    template = "{home} has index format {found}; this version of Dowse reads {supported}"
    hint_template = f"use the newer Dowse that wrote it; or index elsewhere; {Remedy.CHOOSE_HOME}"


class ModelDamagedError(DamageError):
    """A file of a model is not what it should be: altered, cut short, or not a model at all."""

    code = "model-damaged"
    template = "{path} is not the file that the model “{name}” needs: {reason}"
    hint_template = "get it again: {remedy}"


class InternalError(DowseError):
    """Our bug."""

    code = "internal"
    exit_status = 3
    template = "this is a bug in Dowse: {message}"
    hint_template = "please report it with the command you ran"


ERRORS: tuple[type[DowseError], ...] = (
    QuerySyntaxError,
    InvalidPatternError,
    PatternTooComplexError,
    UnknownModelError,
    UnknownFieldError,
    UnknownModeError,
    ModeUnavailableError,
    InvalidParameterError,
    UnknownParameterError,
    ConfigError,
    FolderNotFoundError,
    FileNotReadableError,
    UnknownTreeError,
    DocumentNotFoundError,
    IndexNotFoundError,
    IndexLockedError,
    DiskFullError,
    WorkersUnavailableError,
    StorageError,
    ReadOnlyIndexError,
    ModelMissingError,
    EmbeddingServiceError,
    CorruptFileError,
    UnsupportedFormatError,
    ModelDamagedError,
    InternalError,
)
