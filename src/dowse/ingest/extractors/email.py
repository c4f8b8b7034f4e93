"""Mails: the subject is the title, attachments are sections."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.text_builder import TextBuilder


class EmailExtractor:
    """Reads one mail as it travels (RFC 5322, MIME)."""

    name = "email"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a mail."""
        # Imported late: a search that reads no mail should not wait for it.
        from dowse.ingest.mail.message import compose_message

        builder = TextBuilder(path, allowance)
        facts = compose_message(builder, data, allowance)
        return builder.finish(title=facts.subject, metadata=facts.metadata)
