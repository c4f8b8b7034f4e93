"""The extractors, listed: one file each, found by extension or by a known file name."""

from dowse.errors import InvalidParameterError
from dowse.ingest.extractor import Extractor
from dowse.ingest.extractors.archive import ArchiveExtractor
from dowse.ingest.extractors.asciidoc import AsciiDocExtractor
from dowse.ingest.extractors.code import CODE_NAMES, CodeExtractor
from dowse.ingest.extractors.compound_office import CompoundOfficeExtractor
from dowse.ingest.extractors.delimited import DelimitedExtractor
from dowse.ingest.extractors.docx import DocxExtractor
from dowse.ingest.extractors.email import EmailExtractor
from dowse.ingest.extractors.epub import EpubExtractor
from dowse.ingest.extractors.html import HtmlExtractor
from dowse.ingest.extractors.ini_text import IniExtractor
from dowse.ingest.extractors.json_values import JsonExtractor
from dowse.ingest.extractors.latex import LatexExtractor
from dowse.ingest.extractors.mailbox import MailboxExtractor
from dowse.ingest.extractors.markdown import MarkdownExtractor
from dowse.ingest.extractors.notebook import NotebookExtractor
from dowse.ingest.extractors.open_document import OpenPresentationExtractor, OpenTextExtractor
from dowse.ingest.extractors.org import OrgExtractor
from dowse.ingest.extractors.outlook import OutlookExtractor
from dowse.ingest.extractors.pdf import PdfExtractor
from dowse.ingest.extractors.plain_text import PlainTextExtractor
from dowse.ingest.extractors.pptx import PptxExtractor
from dowse.ingest.extractors.restructuredtext import RestructuredTextExtractor
from dowse.ingest.extractors.rtf import RtfExtractor
from dowse.ingest.extractors.spreadsheet import SpreadsheetExtractor
from dowse.ingest.extractors.subtitles import SubtitlesExtractor
from dowse.ingest.extractors.toml_text import TomlExtractor
from dowse.ingest.extractors.yaml_text import YamlExtractor

EXTRACTORS: tuple[Extractor, ...] = (
    MarkdownExtractor(),
    RestructuredTextExtractor(),
    PlainTextExtractor(),
    HtmlExtractor(),
    PdfExtractor(),
    DocxExtractor(),
    PptxExtractor(),
    OpenTextExtractor(),
    OpenPresentationExtractor(),
    RtfExtractor(),
    EpubExtractor(),
    CompoundOfficeExtractor(),
    MailboxExtractor(),
    OutlookExtractor(),
    EmailExtractor(),
    ArchiveExtractor(),
    SpreadsheetExtractor(),
    DelimitedExtractor(),
    JsonExtractor(),
    YamlExtractor(),
    TomlExtractor(),
    IniExtractor(),
    NotebookExtractor(),
    SubtitlesExtractor(),
    OrgExtractor(),
    AsciiDocExtractor(),
    LatexExtractor(),
    CodeExtractor(),
)

KNOWN_NAMES = frozenset(
    {
        "readme", "license", "licence", "copying", "notice", "authors", "contributors",
        "maintainers", "changelog", "changes", "history", "news", "todo", "install", "faq",
        "thanks", "credits", "version", "codeowners", "patents", "procfile", "caddyfile",
    }
)  # fmt: skip
"""Names without an extension, in lower case, that are text."""

_BY_EXTENSION = {
    extension: extractor for extractor in EXTRACTORS for extension in extractor.extensions
}
_BY_NAME = {extractor.name: extractor for extractor in EXTRACTORS}
_PLAIN_TEXT = _BY_NAME["text"]


def find_extractor(path: str) -> Extractor | None:
    """Returns the extractor for a path, or None when nothing reads that kind of file."""
    name = path.rpartition("/")[2].lower()
    if name in CODE_NAMES:
        return _BY_NAME["code"]
    stem, dot, extension = name.rpartition(".")
    if dot and stem:
        return _BY_EXTENSION.get("." + extension)
    return _PLAIN_TEXT if name in KNOWN_NAMES else None


def get_extractor(name: str) -> Extractor:
    """Returns the extractor of this name.

    Raises:
        InvalidParameterError: There is none.
    """
    extractor = _BY_NAME.get(name)
    if extractor is None:
        raise InvalidParameterError(
            name="format", value=name, legal=f"formats are: {', '.join(_BY_NAME)}"
        )
    return extractor
