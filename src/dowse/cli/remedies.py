"""The words of the command line for each remedy: the only place where hints name commands and flags."""

from dowse.schema import Remedy

WORDS: dict[str, str] = {
    Remedy.INDEX_FOLDER: "make one with: dowse index FOLDER",
    Remedy.MAKE_VECTORS: "make them: dowse index FOLDER",
    Remedy.MAKE_STATIC_VECTORS: "make it: dowse index FOLDER --static-only",
    Remedy.REPAIR_INDEX: "run: dowse doctor --repair",
    Remedy.EMBED_AGAIN: "dowse index makes what is missing there",
    Remedy.WAIT_LONGER: "wait for it to finish, or raise the time with --lock-timeout",
    Remedy.CHOOSE_HOME: "choose another place with --home",
    Remedy.NAME_FOLDER: 'give a folder that exists, for example: dowse "your question" .',
    Remedy.LIST_OPTIONS: "dowse config show lists all keys",
    Remedy.SET_OPTION: "for example: dowse config set {0} {1}",
    Remedy.CHANGE_OPTION: "change it: dowse config set {0} VALUE; who said it: dowse config show {0}",
    Remedy.SET_OWN_OPTION: "put it into your own configuration: dowse config set {0} VALUE",
    Remedy.TRUST_PROJECT: "if you trust this project: dowse config trust {0}",
    Remedy.LIST_TREES: "`dowse status` lists the trees",
    Remedy.LIST_MODES: "`dowse modes` shows what each mode needs",
    Remedy.SEARCH_BY_WORDS: "search by words: --keyword",
    Remedy.ALLOW_TIME: "allow it more time: --{0}",
    Remedy.INCLUDE_IGNORED: "to keep it, add a line with ! and its path to .dowseignore, or:"
    " dowse exclude add '!PATH'",
    Remedy.INCLUDE_PATTERN: "dowse include list shows them; dowse include add PATTERN adds one",
    Remedy.READ_HIDDEN: "to read hidden files: dowse config set discovery.hidden true",
    Remedy.INSPECT_FILE: "dowse inspect FILE shows more",
}


def word_hint(hint: str) -> str:
    """Returns a hint with each remedy in it worded for the command line."""
    return "; ".join(map(_word, hint.split("; ")))


def _word(part: str) -> str:
    code, _, rest = part.partition(" ")
    words = WORDS.get(code)
    if words is None:
        return part
    count = 2 if "{1}" in words else 1
    if code == Remedy.ALLOW_TIME:
        rest = rest.replace("_", "-")
    return words.format(*rest.split(" ", count - 1))
