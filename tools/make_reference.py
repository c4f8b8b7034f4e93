"""Writes docs/reference/ from the tables in the code: ``python tools/make_reference.py``.

A test compares the pages with what this would write (`tests/documentation/test_reference.py`).
"""

import argparse
import inspect
import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from dowse.cli.arguments import build_parser
from dowse.cli.command import CommandRow
from dowse.cli.commands import COMMANDS
from dowse.cli.exit_status import MEANINGS
from dowse.cli.remedies import word_hint
from dowse.cli.rendering.modes import build_command, list_fusions, list_models
from dowse.config.json_schema import build_schema
from dowse.config.options import OPTIONS, TREE_OPTIONS, Option, describe_legal
from dowse.config.writing import show_toml
from dowse.errors import ERRORS, DowseError
from dowse.fusion import FUSIONS
from dowse.ingest.formats import CODE_NAMES, FORMATS, TEXT_NAMES
from dowse.schema import Field, Parameter
from dowse.schema.document_explanation import REASONS
from dowse.scoring.registry import ALIASES, PRESETS
from dowse.search.modes import MODES, Mode

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTE = "<!-- Made by tools/make_reference.py from {source}; edit that, not this page. -->\n"


def render_commands() -> str:
    """Returns the page of all commands."""
    statuses = "".join(f"| {status} | {meaning} |\n" for status, meaning in MEANINGS)
    head = (
        "# Commands\n\n" + NOTE.format(source="src/dowse/cli/commands/") + "\n"
        "`dowse QUERY [FOLDER]` is short for `dowse search QUERY [FOLDER]`.\n"
        "`dowse -V` prints the version.\n\n"
        "Data goes to stdout, words to stderr.\n\n"
        f"| exit status | meaning |\n| --- | --- |\n{statuses}\n"
    )
    sections = [render_command(command) for command in COMMANDS]
    return head + "\n".join([*sections, render_presets(), render_reasons()])


def render_command(command: CommandRow) -> str:
    """Returns the section of one command."""
    parser = build_parser(command)
    rows = "".join(render_argument(action) for action in parser._actions)
    text = f"## dowse {command.name}\n\n{capitalise(command.summary)}.\n\n"
    text += f"| argument | meaning |\n| --- | --- |\n{rows}"
    if parser.epilog:
        text += f"\n```text\n{parser.epilog.rstrip()}\n```\n"
    return text


def render_presets() -> str:
    """Returns the section of the names ``--preset`` takes."""
    rows = "".join(f"| `{preset.name}` | {escape(preset.purpose)} |\n" for preset in PRESETS)
    return f"## Presets\n\nWhat `--preset` takes.\n\n| name | purpose |\n| --- | --- |\n{rows}"


def render_reasons() -> str:
    """Returns the section of the reasons ``dowse explain`` gives."""
    rows = "".join(f"| `{reason}` | {escape(meaning)} |\n" for reason, meaning in REASONS)
    return (
        "## Reasons\n\nWhy `dowse explain` says a document is not shown, in the order in which they are\n"
        f"looked for.\n\n| reason | meaning |\n| --- | --- |\n{rows}"
    )


def render_modes() -> str:
    """Returns the page of all modes, fusions and scoring models."""
    head = (
        "# Modes, fusions and scoring models\n\n"
        + NOTE.format(source="src/dowse/search/modes.py and the registries of fusion/ and scoring/")
        + "\nA mode says how a query is read and what its matches are scored with: `--mode NAME`. What may\n"
        "be typed in a query is on [the page of the query language](../query-language.md).\n\n"
        "| mode | purpose | parameters | scoring model | needs | example |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
    )
    rows = "".join(
        f"| `{mode.name}` | {escape(mode.purpose)} | {render_numbers(mode)} |"
        f" {mode.model or 'of the preset'} | {mode.needs} | `{escape(build_command(mode))}` |\n"
        for mode in MODES
    )
    return "\n".join([head + rows, render_fusions(), render_models()])


def render_numbers(mode: Mode) -> str:
    """Returns the parameters of a mode for a table cell; those of a fusion are listed there."""
    own = [render_parameters(mode.parameters)] if mode.parameters else []
    return "<br>".join([*own, "those of [its fusion](#fusions)"] if mode.fuses else own)


def render_fusions() -> str:
    """Returns the section of all fusions."""
    head = (
        "## Fusions\n\nA fusion makes one ranking of words and meaning, in the modes "
        + " and ".join(f"`{mode.name}`" for mode in MODES if mode.fuses)
        + ":\n`--fusion NAME`. The two are its legs. Where words answer alone, it has nothing to do.\n\n"
        "Where no weights are set, those of "
        + ", ".join(f"`{kind.name}`" for kind in FUSIONS if kind.takes_coverage_weights)
        + " also go by how many chunks have a\nvector, and of which kind; the defaults here are for an index"
        " that the model has read to the end.\n\n"
        "| fusion | what it does | parameters |\n| --- | --- | --- |\n"
    )
    rows = "".join(
        f"| `{entry.name}`{' (default)' if entry.is_default else ''} | {escape(entry.purpose)} |"
        f" {render_parameters(entry.parameters)} |\n"
        for entry in list_fusions()
    )
    return head + rows


def render_models() -> str:
    """Returns the section of all scoring models."""
    head = (
        "## Scoring models\n\n`--model NAME` takes another model than the mode's own; `--param NAME=NUMBER`\n"
        "sets a parameter of the mode, the fusion or the model. `b` alone sets that of every field. `FIELD`\n"
        "is one of "
        + ", ".join(f"`{field.label}`" for field in Field)
        + ".\n\n| model | what it is | parameters |\n| --- | --- | --- |\n"
    )
    rows = "".join(
        f"| `{entry.name}` | {escape(entry.purpose)} | {render_parameters(entry.parameters)}"
        f"{'<br>' if entry.parameters else ''}{render_parameters(entry.field_parameters, '.FIELD')} |\n"
        for entry in list_models()
    )
    aliases = ", ".join(f"`{alias}` is `{name}`" for alias, name in ALIASES.items())
    return f"{head}{rows}\nA slash stands for a choice. Other names: {aliases}.\n"


def render_parameters(parameters: Sequence[Parameter], suffix: str = "") -> str:
    """Returns parameters with ranges and effects for a table cell."""
    return "<br>".join(
        f"`{one.name}{suffix}` {one.low:g} to {one.high:g}, default {one.default:g}: {escape(one.effect)}"
        for one in parameters
    )


def render_argument(action: argparse.Action) -> str:
    """Returns the table row of one argument."""
    value = f" {action.metavar}" if action.option_strings and action.metavar else ""
    names = [f"`{name}{value}`" for name in action.option_strings] or [f"`{action.metavar}`"]
    optional = " (optional)" if not action.option_strings and action.nargs == "?" else ""
    return f"| {', '.join(names)}{optional} | {escape(action.help or '')} |\n"


def render_errors() -> str:
    """Returns the page of all errors."""
    head = (
        "# Errors\n\n" + NOTE.format(source="src/dowse/errors.py") + "\n"
        "Every error has a stable code. On the command line it is one line, `dowse: …`, often\n"
        "with a second one, `hint: …`, that says what to do. Words in braces are filled in.\n\n"
    )
    return head + "\n".join(render_error(error) for error in ERRORS)


def render_error(error: type[DowseError]) -> str:
    """Returns the section of one error."""
    lines = [f"## {error.code}\n", f"{inspect.getdoc(error)}\n"]
    lines.append(f"- message: {quote(error.template)}")
    if error.hint_template:
        # The template escapes braces that the hint shows.
        hint = word_hint(str(error.hint_template)).replace("{{", "{").replace("}}", "}")
        lines.append(f"- hint: {quote(hint)}")
    lines.append(f"- exit status: {error.exit_status}")
    lines.append(f"- HTTP status: {error.http_status}")
    lines.append(f"- in Python: `dowse.errors.{error.__name__}`")
    return "\n".join(lines) + "\n"


def quote(template: str) -> str:
    """Returns a template as inline code, its first line only."""
    return f"`{template.splitlines()[0]}`"


def capitalise(text: str) -> str:
    """Returns a sentence with a capital first letter."""
    return text[:1].upper() + text[1:]


def escape(text: str) -> str:
    """Returns text that is safe in a table cell."""
    return text.replace("|", "\\|")


def render_configuration() -> str:
    """Returns the page of all options."""
    head = (
        "# Configuration\n\n" + NOTE.format(source="src/dowse/config/options.py") + "\n"
        "Keys of `.dowse.toml` and of your own `config.toml`. How they are found and merged:\n"
        "[the guide to configuration](../configuration.md). For editors there is a\n"
        "[JSON schema](config.schema.json).\n\n"
        "| key | default | legal values | who may set it | variable |\n| --- | --- | --- | --- | --- |\n"
    )
    rows = "".join(render_option(option) for option in OPTIONS)
    meanings = "".join(f"- `{option.name}`: {option.help}.\n" for option in OPTIONS)
    trees = "".join(
        f"| `{option.name}` | {describe_legal(option)} | {escape(option.help)} |\n" for option in TREE_OPTIONS
    )
    return (
        f"{head}{rows}\n## Meaning\n\n{meanings}\n## Trees\n\nA table `[tree.NAME]` has these keys.\n\n"
        f"| key | legal values | meaning |\n| --- | --- | --- |\n{trees}"
    )


def render_option(option: Option) -> str:
    """Returns the row of one option."""
    default = "none" if option.default is None else f"`{show_toml(option.default)}`"
    variable = f"`{option.variable}`" if option.variable else ""
    who = {"anywhere": "anyone", "project": "a project", "user": "you"}[option.scope]
    return f"| `{option.name}` | {default} | {escape(describe_legal(option))} | {who} | {variable} |\n"


def render_schema() -> str:
    """Returns the JSON schema of the configuration."""
    return json.dumps(build_schema(), indent=2) + "\n"


def render_formats() -> str:
    """Returns the page of all formats, each in the words of its extractor's module."""
    rows = ""
    for row in FORMATS:
        module = import_module(f"dowse.ingest.extractors.{row.extractor.partition('.')[0]}")
        purpose = (module.__doc__ or "").split("\n", 1)[0]
        endings = " ".join(f"`{ending}`" for ending in row.extensions.split())
        rows += f"| `{row.name}` | {escape(purpose)} | {endings} |\n"
    names = " ".join(f"`{name}`" for name in sorted(TEXT_NAMES | CODE_NAMES))
    return (
        "# Formats\n\n" + NOTE.format(source="src/dowse/ingest/formats.py") + "\n"
        "The content decides first, the name second. A file with another ending is read as plain text when "
        "it is one.\n\n"
        f"| name | what it is | endings |\n| --- | --- | --- |\n{rows}\n"
        f"Known without an ending: {names}\n"
    )


PAGES = {
    "formats.md": render_formats,
    "commands.md": render_commands,
    "configuration.md": render_configuration,
    "config.schema.json": render_schema,
    "errors.md": render_errors,
    "modes.md": render_modes,
}


def main() -> None:
    """Writes all pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, render in PAGES.items():
        (FOLDER / name).write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
