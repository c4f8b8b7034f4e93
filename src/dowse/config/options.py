"""The table of options: everything that can be configured, once.

Parsing, the configuration commands, the reference page and the JSON schema are made from it. The options of
``search`` are those of a request (`schema.request_options`): what a request can say can be made permanent.
"""

from typing import Literal, NamedTuple

from dowse.schema.request_options import REQUEST_OPTIONS, RequestOption

Kind = Literal["text", "whole number", "number", "yes or no", "list", "path", "paths"]
Scope = Literal["anywhere", "project", "user"]
Value = str | int | float | bool | tuple[str, ...] | None

MEBIBYTE = 1024 * 1024


class Option(NamedTuple):
    """One row of the table.

    Attributes:
        name: Its key, with the table it stands in: ``search.limit``.
        kind: What values look like. A list holds texts; a path is relative to its file.
        default: None when nothing is the default.
        help: One line for people, without a full stop.
        minimum: Smallest legal number.
        maximum: Largest legal number.
        choices: All legal texts; empty when any will do.
        scope: Who may set it: ``project`` files, the ``user`` (file and environment), or both.
        has_variable: Whether an environment variable sets it.
        is_verbatim: Whether a text is taken as it is: spaces at its ends and line ends count.
        is_address: Whether it is shown without what may be secret in an address.
    """

    name: str
    kind: Kind
    default: Value
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    scope: Scope = "anywhere"
    has_variable: bool = True
    is_verbatim: bool = False
    is_address: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that sets it; empty when none does."""
        return "DOWSE_" + self.name.upper().replace(".", "_") if self.has_variable else ""


_KINDS: dict[str, Kind] = {
    "text": "text",
    "name": "text",
    "choice": "text",
    "whole number": "whole number",
    "number": "number",
    "yes or no": "yes or no",
    "texts": "list",
    "parameters": "list",
    "synonyms": "path",
}
"""How a request option is written in a configuration file: parameters as ``"k1=1.5"``, synonyms as the file
that has them."""


def _search_option(option: RequestOption) -> Option:
    kind = _KINDS[option.kind]
    default = None if kind == "path" else option.default
    return Option(
        option.config_key, kind, default, option.help, option.minimum, option.maximum, option.choices
    )


OPTIONS: tuple[Option, ...] = (
    Option(
        "root", "yes or no", False, "stop here: files further up and the user's file do not count",
        scope="project", has_variable=False,
    ),
    Option("home", "path", None, "folder of the index (default: your data folder)"),
    Option(
        "trusted", "paths", (), "project folders whose files may name folders outside of themselves",
        scope="user", has_variable=False,
    ),
    Option("include", "list", (), "patterns; when there are any, only files that fit one are indexed"),
    Option("exclude", "list", (), "patterns of files and folders that are not indexed"),
    Option(
        "discovery.max_file_bytes", "whole number", 2 * MEBIBYTE, "largest text file that is read", minimum=1,
    ),
    Option(
        "discovery.max_document_bytes", "whole number", 64 * MEBIBYTE,
        "largest file of other formats that is read: PDF, office files, mail, archives", minimum=1,
    ),
    Option("discovery.hidden", "yes or no", False, "whether names with a leading dot are read"),
    Option("discovery.gitignore", "yes or no", True, "whether .gitignore files count, as .dowseignore does"),
    Option(
        "chunking.strategy", "text", "structure", "how texts are cut into chunks",
        choices=("structure", "paragraph", "sentence", "recursive", "words"),
    ),
    Option("chunking.max_words", "whole number", 320, "longest chunk, in words", minimum=8, maximum=5_000),
    Option(
        "chunking.overlap_words", "whole number", 40,
        "words repeated in the next chunk; at most half of max_words", minimum=0, maximum=2_500,
    ),
    Option(
        "extraction.seconds", "number", 30.0, "longest time to read one file", minimum=0.1, maximum=3_600,
        scope="user",
    ),
    Option(
        "extraction.memory_bytes", "whole number", 1024 * MEBIBYTE, "most memory to read one file",
        minimum=128 * MEBIBYTE, scope="user",
    ),
    Option(
        "extraction.text_bytes", "whole number", 16 * MEBIBYTE,
        "most text kept of one file; the rest is cut off", minimum=1_024, scope="user",
    ),
    Option(
        "extraction.workers", "whole number", 0,
        "processes that read files; 0 for as many as fit this machine", minimum=0, maximum=64, scope="user",
    ),
    Option(
        "watch.debounce_ms", "whole number", 400, "how long a changed file must rest before it is read",
        minimum=0, maximum=60_000, scope="user",
    ),
    Option(
        "watch.reconcile_minutes", "number", 60.0, "time between two full comparisons with the disk",
        minimum=0.1, maximum=10_080, scope="user",
    ),
    Option(
        "embedding.kind", "text", "onnx", "what makes vectors: a model here, a service elsewhere, or nothing",
        choices=("onnx", "http", "none"), scope="user",
    ),
    Option(
        "embedding.model", "text", "bge-small-en-v1.5",
        "model that makes vectors; for http, the service's name for it",
        scope="user",
    ),
    Option(
        "embedding.folders", "paths", (), "folders of models of your own",
        scope="user", has_variable=False,
    ),
    Option(
        "embedding.threads", "whole number", 0, "texts that the model reads at once; 0 for one a processor",
        minimum=0, maximum=64, scope="user",
    ),
    Option(
        "embedding.max_tokens", "whole number", 0,
        "tokens of a chunk that count; 0 for 256, or the model's limit if that is less",
        minimum=0, maximum=32_768, scope="user",
    ),
    Option(
        "embedding.url", "text", "",
        "for http: where the service is. Your texts and questions are sent there",
        scope="user", is_address=True,
    ),
    Option(
        "embedding.dimensions", "whole number", 0, "for http: the length of the service's vectors",
        minimum=0, maximum=65_536, scope="user",
    ),
    Option(
        "embedding.key_variable", "text", "DOWSE_EMBEDDING_KEY",
        "for http: the environment variable that holds the key; keys are never in a file", scope="user",
    ),
    Option(
        "embedding.query_prefix", "text", "",
        "for http: what the model wants before a question; a space at its end counts",
        scope="user", is_verbatim=True,
    ),
    Option(
        "embedding.passage_prefix", "text", "",
        "for http: what the model wants before a passage; a space at its end counts",
        scope="user", is_verbatim=True,
    ),
    Option(
        "embedding.timeout_seconds", "number", 30.0,
        "for http: longest time of one request while vectors are made", minimum=0.1, maximum=3_600,
        scope="user",
    ),
    Option(
        "embedding.question_timeout_seconds", "number", 10.0,
        "for http: longest time that a search waits for the service; then words answer",
        minimum=0.1, maximum=600, scope="user",
    ),
    Option(
        "embedding.retries", "whole number", 3,
        "for http: further attempts while vectors are made, when the service is overloaded or silent",
        minimum=0, maximum=20, scope="user",
    ),
    *(_search_option(option) for option in REQUEST_OPTIONS if option.is_configurable),
)  # fmt: skip

TREE_OPTIONS: tuple[Option, ...] = (
    Option("path", "path", None, "the folder; required", has_variable=False),
    Option("include", "list", None, "instead of the general ones; relative to the tree", has_variable=False),
    Option("exclude", "list", None, "instead of the general ones; relative to the tree", has_variable=False),
    Option("language", "text", None, "that of the texts, for word forms and stop words", has_variable=False),
    Option("stop_words", "text", None, "default, none, auto, or words with commas", has_variable=False),
)  # fmt: skip
"""What a table ``[tree.NAME]`` may say."""

BY_NAME = {option.name: option for option in OPTIONS}


def get_default(name: str) -> Value:
    """Returns the default of an option.

    Raises:
        KeyError: There is no such option.
    """
    return BY_NAME[name].default


def describe_legal(option: Option) -> str:
    """Returns which values are legal, for people: ``a whole number from 1 to 10,000``."""
    if option.choices:
        return f"one of: {', '.join(option.choices)}"
    words = {
        "text": "a text",
        "yes or no": "true or false",
        "list": "a list of texts",
        "path": "a path",
        "paths": "a list of paths",
    }
    described = words.get(option.kind, f"a {option.kind}")
    if option.minimum is None:
        return described
    if option.maximum is None:
        return f"{described} from {option.minimum:,} up"
    return f"{described} from {option.minimum:,} to {option.maximum:,}"
