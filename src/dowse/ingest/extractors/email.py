"""Mails: the subject is the title, attachments are sections."""

from dowse.ingest.allowance import Allowance
from dowse.ingest.composing import Composer
from dowse.ingest.extractor import Extracted


class EmailExtractor:
    """Reads one mail as it travels (RFC 5322, MIME)."""

    name = "email"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a mail."""
        # Imported late: a search that reads no mail should not wait for it.
        from dowse.ingest.mail.message import compose_message

        composer = Composer(path, allowance)
        facts = compose_message(composer, data, allowance)
        return composer.finish(title=facts.subject, metadata=facts.metadata)
