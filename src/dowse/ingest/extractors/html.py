"""Web pages: the visible text, with headings, lists, tables, code and links."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.text_builder import TextBuilder


class HtmlExtractor:
    """Reads a page as its reader sees it; nothing is fetched and no script is run."""

    name = "html"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a web page."""
        # Imported late: a search that reads no web page should not wait for the parser.
        from dowse.ingest.html import compose_html

        builder = TextBuilder(path, allowance)
        facts = compose_html(builder, data, path=path)
        return builder.finish(title=facts.title, tags=facts.keywords, metadata=facts.metadata)
