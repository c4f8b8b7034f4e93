"""The formats that are read: their names, their file name endings, where their extractors live.

A table rather than attributes of the extractors: every search asks which files of a folder are to be read,
and should not wait for the code that reads them.
"""

from enum import Enum
from typing import NamedTuple

EXTRACTION_VERSION = 1
"""Grows whenever files should be read again because they would be read better."""


class Kind(Enum):
    """What kind of bytes a format is made of."""

    SIMPLE_TEXT = "simple-text"
    """Text that is read line by line, by our own code: a short one is read in this process."""
    TEXT = "text"
    """Text that people can read in an editor, but that holds other things or needs a large parser."""
    BINARY = "binary"


class Format(NamedTuple):
    """One format.

    Attributes:
        name: Stable, stored with each document.
        extractor: Module in `dowse.ingest.extractors` and class in it.
        extensions: Lower-case file name endings with the dot, separated by spaces.
    """

    name: str
    extractor: str
    kind: Kind
    extensions: str

    @property
    def reads_text(self) -> bool:
        """Whether people can read such a file in an editor."""
        return self.kind is not Kind.BINARY


FORMATS: tuple[Format, ...] = (
    Format("markdown", "markdown.MarkdownExtractor", Kind.SIMPLE_TEXT, ".md .markdown .mdx"),
    Format("restructuredtext", "restructuredtext.RestructuredTextExtractor", Kind.SIMPLE_TEXT, ".rst"),
    Format("text", "plain_text.PlainTextExtractor", Kind.SIMPLE_TEXT, ".txt .text .log"),
    Format("html", "html.HtmlExtractor", Kind.TEXT, ".html .htm .xhtml .shtml"),
    Format("pdf", "pdf.PdfExtractor", Kind.BINARY, ".pdf"),
    Format("docx", "docx.DocxExtractor", Kind.BINARY, ".docx .docm .dotx"),
    Format("pptx", "pptx.PptxExtractor", Kind.BINARY, ".pptx .pptm .ppsx"),
    Format("odt", "open_document.OpenTextExtractor", Kind.BINARY, ".odt .ott .fodt"),
    Format("odp", "open_document.OpenPresentationExtractor", Kind.BINARY, ".odp .otp .fodp"),
    Format("rtf", "rtf.RtfExtractor", Kind.TEXT, ".rtf"),
    Format("epub", "epub.EpubExtractor", Kind.BINARY, ".epub"),
    Format("legacy-office", "compound_office.CompoundOfficeExtractor", Kind.BINARY, ".doc .dot .ppt .pps"),
    Format("mailbox", "mailbox.MailboxExtractor", Kind.TEXT, ".mbox .mbx"),
    Format("outlook", "outlook.OutlookExtractor", Kind.BINARY, ".msg"),
    Format("email", "email.EmailExtractor", Kind.TEXT, ".eml"),
    Format("archive", "archive.ArchiveExtractor", Kind.BINARY, ".zip .tar .tgz .gz .bz2 .tbz2 .xz .txz"),
    Format(
        "spreadsheet",
        "spreadsheet.SpreadsheetExtractor",
        Kind.BINARY,
        ".xlsx .xlsm .xltx .xltm .xlsb .xls .xlt .ods .ots .fods",
    ),
    Format("csv", "delimited.DelimitedExtractor", Kind.SIMPLE_TEXT, ".csv .tsv .tab"),
    Format(
        "json",
        "json_values.JsonExtractor",
        Kind.SIMPLE_TEXT,
        ".json .jsonl .ndjson .jsonc .json5 .geojson .webmanifest",
    ),
    Format("yaml", "yaml_text.YamlExtractor", Kind.SIMPLE_TEXT, ".yaml .yml"),
    Format("toml", "toml_text.TomlExtractor", Kind.SIMPLE_TEXT, ".toml"),
    Format(
        "ini",
        "ini_text.IniExtractor",
        Kind.SIMPLE_TEXT,
        ".ini .cfg .conf .properties .editorconfig .desktop .service",
    ),
    Format("notebook", "notebook.NotebookExtractor", Kind.SIMPLE_TEXT, ".ipynb"),
    Format("subtitles", "subtitles.SubtitlesExtractor", Kind.SIMPLE_TEXT, ".srt .vtt .sub .sbv .ass .ssa"),
    Format("org", "org.OrgExtractor", Kind.SIMPLE_TEXT, ".org"),
    Format("asciidoc", "asciidoc.AsciiDocExtractor", Kind.SIMPLE_TEXT, ".adoc .asciidoc .asc"),
    Format("latex", "latex.LatexExtractor", Kind.SIMPLE_TEXT, ".tex .latex .ltx"),
    Format(
        "code",
        "code.CodeExtractor",
        Kind.SIMPLE_TEXT,
        ".py .pyi .pyw .pyx .pxd .pxi .js .mjs .cjs .jsx .vue .svelte .ts .tsx .mts .cts .java .kt "
        ".kts .scala .sc .groovy .gradle .c .h .cpp .cc .cxx .hpp .hh .hxx .ino .cu .cuh .cs .m .mm "
        ".go .rs .rb .rake .gemspec .php .phtml .swift .dart .lua .pl .pm .t .r .jl .ex .exs .erl "
        ".hrl .hs .lhs .ml .mli .fs .fsx .fsi .clj .cljs .cljc .edn .el .lisp .scm .rkt .cl .sh .bash "
        ".zsh .fish .ksh .ps1 .psm1 .psd1 .bat .cmd .sql .psql .ddl .css .scss .sass .less .proto "
        ".thrift .graphql .gql .graphqls .tf .tfvars .hcl .nix .zig .vim .cmake .mk .mak .just "
        ".dockerfile .f90 .f95 .f03 .f .pas .pp .dpr .vb .bas .vbs .s .asm .sol",
    ),
)

TEXT_NAMES = frozenset(
    {
        "authors", "caddyfile", "changelog", "changes", "codeowners", "contributors", "copying",
        "credits", "faq", "history", "install", "licence", "license", "maintainers", "news",
        "notice", "patents", "procfile", "readme", "thanks", "todo", "version",
    }
)  # fmt: skip
"""Names without an extension, in lower case, that are plain text."""

CODE_NAMES = frozenset(
    {
        "brewfile", "cmakelists.txt", "containerfile", "dockerfile", "fastfile", "gemfile",
        "gnumakefile", "jenkinsfile", "justfile", "makefile", "podfile", "rakefile", "sconstruct",
        "vagrantfile", "vimrc",
    }
)  # fmt: skip
"""Names, in lower case, that are source code whatever their ending."""

BY_NAME = {row.name: row for row in FORMATS}
_BY_EXTENSION = {extension: row for row in FORMATS for extension in row.extensions.split()}


def find_format(path: str) -> Format | None:
    """Returns the format that a file's name promises; None when nothing reads that kind of file."""
    name = path.rpartition("/")[2].lower()
    if name in CODE_NAMES:
        return BY_NAME["code"]
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        return _BY_EXTENSION.get("." + extension)
    return BY_NAME["text"] if name in TEXT_NAMES else None
