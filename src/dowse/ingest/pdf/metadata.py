"""What a PDF says of itself."""

import re
from typing import NamedTuple

import pypdfium2

_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")
# Titles that programs write by themselves.
_NO_TITLE = re.compile(
    r"(?:untitled|title|unknown|none|null|document\d*|slide 1|powerpoint presentation|[\W\d_]*)\Z"
    r"|[\w\s()\\/.:-]+\.(?:docx?|dvi|pptx?|xlsx?|indd|qxd|tex|pdf|rtf|odt|p65|cdr|ps|eps|html?)\Z",
    re.IGNORECASE,
)
_PRINTED_BY = re.compile(r"Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)


class PdfMetadata(NamedTuple):
    """A file's own words on itself; empty where it says nothing. Dates are ISO 8601."""

    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: tuple[str, ...] = ()
    created: str = ""
    modified: str = ""
    pages: int = 0

    @property
    def metadata(self) -> dict[str, object]:
        """The facts as a document's metadata."""
        return {
            "author": self.author,
            "subject": self.subject,
            "created": self.created,
            "modified": self.modified,
            "pages": self.pages,
        }


def read_metadata(document: pypdfium2.PdfDocument) -> PdfMetadata:
    """Reads the file's table of facts."""
    named = document.get_metadata_dict()
    title = _PRINTED_BY.sub("", _clean(named.get("Title", "")))
    author = _clean(named.get("Author", ""))
    subject = _clean(named.get("Subject", ""))
    return PdfMetadata(
        title="" if _NO_TITLE.match(title) else title,
        author="" if author.lower() in ("anonymous", "unknown") else author,
        subject="" if subject.lower() == "unspecified" else subject,
        keywords=tuple(
            word for part in re.split("[,;]", named.get("Keywords", "")) if (word := _clean(part))
        ),
        created=parse_date(named.get("CreationDate", "")),
        modified=parse_date(named.get("ModDate", "")),
        pages=len(document),
    )


def parse_date(text: str) -> str:
    """Returns a PDF's date, such as ``D:20240131120000+01'00'``, as ISO 8601; empty when it is none."""
    match = _DATE.match(text.strip())
    if match is None:
        return ""
    year, month, day, hour, minute, second, utc, zone, zone_minutes = match.groups()
    date = "-".join(part for part in (year, month, day) if part)
    if hour is None or day is None:
        return date
    offset = "Z" if utc else f"{zone}:{zone_minutes or '00'}" if zone else ""
    return f"{date}T{hour}:{minute or '00'}:{second or '00'}{offset}"


def _clean(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())
