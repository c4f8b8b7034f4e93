"""Mailboxes: many mails in one file, each a section."""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.text_builder import TextBuilder

# After a blank line, and with a header under it: a sentence may begin with “From ” too.
_START = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=[!-9;-~]+:)")
_ESCAPED = re.compile(rb"^>(?=>*From )", re.MULTILINE)


class MailboxExtractor:
    """Reads a mailbox of the mbox family."""

    name = "mailbox"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a mailbox."""
        # Imported late: a search that reads no mail should not wait for it.
        from dowse.ingest.mail.message import compose_message

        builder = TextBuilder(path, allowance)
        count = 0
        for count, mail in enumerate(_iter_messages(data), start=1):
            if builder.is_full:
                break
            builder.anchor("message", str(count))
            try:
                compose_message(builder, mail, allowance)
            except UnextractableError as error:
                # What the attachments may unpack to is used up; the mails so far are good.
                message = f"message {count} and those after it: {error.message}"
                builder.problem(error.code, message, error.hint)
                break
        return builder.finish(title=path.rpartition("/")[2], metadata={"messages": count})


def _iter_messages(data: bytes) -> Iterator[bytes]:
    """Yields the mails without the lines between them."""
    starts = [found.span() for found in _START.finditer(data)]
    if not starts:
        yield data
        return
    ends = [start for start, _ in starts[1:]] + [len(data)]
    for (_, start), end in zip(starts, ends, strict=True):
        yield _ESCAPED.sub(b"", data[start:end])
