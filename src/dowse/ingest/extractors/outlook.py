"""Outlook items: a mail as Outlook saves it, with its attachments."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.text_builder import TextBuilder


class OutlookExtractor:
    """Reads one item; items attached to it are sections."""

    name = "outlook"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads an Outlook item."""
        # Imported late: a search that reads no mail should not wait for it.
        from dowse.ingest.mail.outlook import compose_outlook

        builder = TextBuilder(path, allowance)
        facts = compose_outlook(builder, data, allowance)
        return builder.finish(title=facts.subject, metadata=facts.metadata)
