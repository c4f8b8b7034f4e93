"""A mail as a document: subject, people, date, body, attachments."""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.ingest.html import compose_html
from dowse.ingest.limits import Allowance
from dowse.ingest.mail.headers import decode_text, header_text, parse_mail_date
from dowse.ingest.mail.parts import MailMessage, Part, read_messages
from dowse.ingest.members import include_member
from dowse.ingest.text_builder import TextBuilder

_SHOWN = ("From", "To", "Cc", "Bcc", "Date")
_EXTENSIONS = {
    "message/rfc822": ".eml",
    "text/html": ".html",
    "text/calendar": ".txt",
    "application/pdf": ".pdf",
}


class MailMetadata(NamedTuple):
    """What a mail says of itself; the date is ISO 8601."""

    subject: str = ""
    sender: str = ""
    recipients: str = ""
    copies: str = ""
    date: str = ""

    @property
    def metadata(self) -> dict[str, object]:
        """The facts as a document's metadata."""
        return {"author": self.sender, "to": self.recipients, "cc": self.copies, "date": self.date}


def compose_message(
    builder: TextBuilder, data: bytes, allowance: Allowance, *, depth: int = 1
) -> MailMetadata:
    """Adds a mail with all messages inside it.

    Args:
        builder: Where it goes.
        data: The mail as it travels.
        allowance: For its attachments.
        depth: Of the heading, which is the subject.

    Raises:
        UnextractableError: The allowance is used up.
    """
    messages = read_messages(data)
    for message in messages:
        _compose(builder, message, allowance, depth + message.depth)
    headers = messages[0].headers
    return MailMetadata(
        subject=header_text(headers, "Subject"),
        sender=header_text(headers, "From"),
        recipients=header_text(headers, "To"),
        copies=header_text(headers, "Cc"),
        date=parse_mail_date(header_text(headers, "Date")),
    )


def _compose(builder: TextBuilder, message: MailMessage, allowance: Allowance, depth: int) -> None:
    builder.heading(depth, header_text(message.headers, "Subject"))
    shown = [f"{name}: {value}" for name in _SHOWN if (value := header_text(message.headers, name))]
    if names := [part.name for part in message.parts if part.is_attached and part.name]:
        shown.append(f"Attachments: {', '.join(names)}")
    builder.paragraph("\n".join(shown))
    bodies = [part for part in message.parts if not part.is_attached]
    for part in _without_twins(bodies):
        compose_body(builder, part, depth)
    for part in message.parts:
        if part.is_attached and part.content.strip():
            name = part.name or "attachment" + _EXTENSIONS.get(part.content_type, "")
            include_member(builder, part.content, name, allowance, kind="part", depth=depth + 1)


def compose_body(builder: TextBuilder, part: Part, depth: int) -> None:
    """Adds a part that is text."""
    if part.content_type == "text/html":
        compose_html(builder, part.content, depth_offset=depth, path=builder.path, declared=part.charset)
    else:
        compose_plain_body(builder, decode_text(part.content, part.charset))


def compose_plain_body(builder: TextBuilder, text: str) -> None:
    """Adds plain text, paragraph by paragraph; quoted replies are kept."""
    paragraph: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            builder.paragraph("\n".join(paragraph))
            paragraph = []
    builder.paragraph("\n".join(paragraph))


def _without_twins(bodies: Sequence[Part]) -> list[Part]:
    """Drops what a mail says again in another form: of such a group the plain text is kept."""
    plain = {
        part.alternative
        for part in bodies
        if part.alternative and part.content_type == "text/plain" and part.content.strip()
    }
    kept = []
    for part in bodies:
        is_twin = part.alternative in plain and part.content_type != "text/plain"
        is_odd = part.alternative > 0 and part.content_type not in ("text/plain", "text/html")
        if not is_twin and not is_odd:
            kept.append(part)
    return kept
