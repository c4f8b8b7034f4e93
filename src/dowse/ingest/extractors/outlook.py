"""Outlook items: a mail as Outlook saves it, with its attachments."""

from dowse.ingest.allowance import Allowance
from dowse.ingest.composing import Composer
from dowse.ingest.extractor import Extracted


class OutlookExtractor:
    """Reads one item; items attached to it are sections."""

    name = "outlook"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads an Outlook item."""
        # Imported late: a search that reads no mail should not wait for it.
        from dowse.ingest.mail.outlook import compose_outlook

        composer = Composer(path, allowance)
        facts = compose_outlook(composer, data, allowance)
        return composer.finish(title=facts.subject, metadata=facts.metadata)
