"""Outlook's items (`.msg`) as documents, in the same words as mails."""

import io
import struct

import olefile

from dowse.ingest.html import compose_html
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.mail.compressed_rtf import decompress_rtf
from dowse.ingest.mail.message import MailMetadata, compose_plain_body
from dowse.ingest.mail.outlook_items import OutlookItem, open_item
from dowse.ingest.members import include_member
from dowse.ingest.text_builder import TextBuilder

_SUBJECT, _SENDER_NAME, _SENDER, _SENDER_SMTP = 0x0037, 0x0C1A, 0x0C1F, 0x5D01
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_SENT, _RECEIVED = 0x0039, 0x0E06
_NAME, _ADDRESS, _SMTP, _RECIPIENT_KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
_FILE_NAME, _LONG_FILE_NAME, _CONTENT = 0x3704, 0x3707, 0x3701
_DISPLAYED = {1: 0x0E04, 2: 0x0E03}
_MAX_ITEMS = 1000
# What olefile raises for files that are broken in some way.
_BROKEN = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, OverflowError)


def compose_outlook(builder: TextBuilder, data: bytes, allowance: Allowance) -> MailMetadata:
    """Adds an Outlook item with its attachments; items inside it are sections.

    Raises:
        UnextractableError: It is damaged, or the allowance is used up.
    """
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            outermost = open_item(file)
            waiting = [(outermost, 1)]
            count = 0
            while waiting and count < _MAX_ITEMS:
                item, depth = waiting.pop()
                count += 1
                waiting += reversed(_compose(builder, item, allowance, depth))
            return _read_facts(outermost)
    except _BROKEN as error:
        raise UnextractableError(
            "damaged-file", "this Outlook item is damaged or cut off", "save it again from Outlook"
        ) from error


def _compose(
    builder: TextBuilder, item: OutlookItem, allowance: Allowance, depth: int
) -> list[tuple[OutlookItem, int]]:
    """Adds one item and returns those attached to it."""
    facts = _read_facts(item)
    builder.heading(depth, facts.subject)
    attached = list(item.iter_items("attach"))
    names = [name for attachment in attached if (name := _file_name(attachment))]
    shown = {
        "From": facts.sender,
        "To": facts.recipients,
        "Cc": facts.copies,
        "Date": facts.date,
        "Attachments": ", ".join(names),
    }
    builder.paragraph("\n".join(f"{name}: {value}" for name, value in shown.items() if value))
    _compose_body(builder, item, allowance, depth)
    inner = []
    for attachment in attached:
        found = attachment.find_inner()
        if found is not None:
            inner.append((found, depth + 1))
        elif content := attachment.binary(_CONTENT):
            name = _file_name(attachment) or "attachment"
            include_member(builder, content, name, allowance, kind="part", depth=depth + 1)
    return inner


def _compose_body(builder: TextBuilder, item: OutlookItem, allowance: Allowance, depth: int) -> None:
    """Adds the body in the plainest form there is."""
    if (plain := item.text(_BODY)).strip():
        compose_plain_body(builder, plain)
    elif html := item.binary(_HTML) or item.text(_HTML):
        compose_html(builder, html, depth_offset=depth, path=builder.path)
    elif packed := item.binary(_RTF):
        # Imported late: it knows all extractors, this one among them.
        from dowse.ingest.extraction import extract_member
        from dowse.ingest.extractor import Extracted

        body = extract_member(decompress_rtf(packed, allowance), "body.rtf", allowance)
        if isinstance(body, Extracted):
            builder.include(body, depth)
        elif body is not None:
            builder.problem(body.code, f"the body: {body.message}", body.hint)


def _read_facts(item: OutlookItem) -> MailMetadata:
    name = item.text(_SENDER_NAME)
    address = item.text(_SENDER_SMTP) or item.text(_SENDER)
    return MailMetadata(
        subject=item.text(_SUBJECT),
        sender=_person(name, address),
        recipients=_recipients(item, 1),
        copies=_recipients(item, 2),
        date=item.time(_SENT) or item.time(_RECEIVED),
    )


def _recipients(item: OutlookItem, kind: int) -> str:
    people = [
        _person(recipient.text(_NAME), recipient.text(_SMTP) or recipient.text(_ADDRESS))
        for recipient in item.iter_items("recip")
        if (recipient.number(_RECIPIENT_KIND) or 1) & 0xF == kind
    ]
    return ", ".join(person for person in people if person) or item.text(_DISPLAYED[kind])


def _person(name: str, address: str) -> str:
    # Addresses inside a company are paths of its directory and say nothing to readers.
    if "@" not in address or address in name:
        return name.strip()
    return f"{name.strip()} <{address.strip()}>" if name.strip() else address.strip()


def _file_name(attachment: OutlookItem) -> str:
    return (attachment.text(_LONG_FILE_NAME) or attachment.text(_FILE_NAME) or attachment.text(_NAME)).strip()
