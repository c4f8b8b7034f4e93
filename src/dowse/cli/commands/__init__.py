"""Which commands are there?

One file per command; this tuple is the whole list, in the order of the help. A command's module is loaded
when that command is meant, so a search pays for no other; the light parts of `cli` and the standard library
are all that it imports at the top, because its own ``--help`` needs no more.

May import: all of `cli`; the engine only inside `run`.

To add one: write the file, add a row here, run ``tools/make_reference.py``.
"""

from dowse.cli.command import CommandRow

COMMANDS = (
    CommandRow("search", "search a folder; `dowse QUERY [FOLDER]` does the same", "search.SearchCommand"),
    CommandRow("index", "index a folder, or bring its index up to date", "index.IndexCommand"),
    CommandRow("watch", "keep folders up to date while files change", "watch.WatchCommand"),
    CommandRow("get", "show one document as it is indexed", "get.GetCommand"),
    CommandRow(
        "similar", "find what is like a document, one of its chunks, or a text", "similar.SimilarCommand"
    ),
    CommandRow(
        "explain", "explain why a document is a hit for a query, or why it is not", "explain.ExplainCommand"
    ),
    CommandRow(
        "suggest", "complete a word or a title; with --spell, check the spelling", "suggest.SuggestCommand"
    ),
    CommandRow("terms", "browse the vocabulary with frequencies", "terms.TermsCommand"),
    CommandRow("modes", "show all ways to search, with their parameters and examples", "modes.ModesCommand"),
    CommandRow("ls", "list trees, documents or chunks; --why says why a file is in or out", "ls.LsCommand"),
    CommandRow(
        "inspect", "show the sections and chunks of a file, as indexing sees them", "inspect.InspectCommand"
    ),
    CommandRow("init", "write a configuration, .dowse.toml, for a folder", "init.InitCommand"),
    CommandRow("config", "show or change the configuration", "config.ConfigCommand"),
    CommandRow("model", "show, choose, add or check the models for search by meaning", "model.ModelCommand"),
    CommandRow("include", "say which files are indexed, and no others", "patterns.IncludeCommand"),
    CommandRow("exclude", "say which files and folders are not indexed", "patterns.ExcludeCommand"),
    CommandRow(
        "delete", "take a document or a tree out of the index (never your files)", "delete.DeleteCommand"
    ),
    CommandRow("tree", "list, remove, export, import or mount trees", "tree.TreeCommand"),
    CommandRow("status", "show what is indexed and which files had problems", "status.StatusCommand"),
    CommandRow("sweep", "remove what is gone from the index, and give disk space back", "sweep.SweepCommand"),
    CommandRow("doctor", "check the index for damage, and mend it with --repair", "doctor.DoctorCommand"),
    CommandRow("eval", "measure how good the answers are, on judged questions", "eval.EvalCommand"),
    CommandRow(
        "tune",
        "propose weights that suit a folder, from its own titles, headings and links",
        "tune.TuneCommand",
    ),
    CommandRow(
        "rebuild", "make the searchable part of the index anew from its catalogue", "rebuild.RebuildCommand"
    ),
    CommandRow("version", "show the version and what it runs on", "version.VersionCommand"),
    CommandRow("help", "show help, for one command with `dowse help COMMAND`", "help.HelpCommand"),
)

DEFAULT_COMMAND = COMMANDS[0]


def get_command(name: str) -> CommandRow:
    """Returns the command with this name.

    Raises:
        KeyError: There is none.
    """
    for command in COMMANDS:
        if command.name == name:
            return command
    raise KeyError(name)
