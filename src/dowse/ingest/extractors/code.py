"""Source code: definitions are sections, comments are prose, the rest is code."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.text_reading import build_own_text, read_own_text


class CodeExtractor:
    """Reads source code of some fifty languages; `dowse.ingest.source_code` has their table."""

    name = "code"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a source file; nothing in it is run."""
        # Imported late: the table's patterns take a while to compile.
        from dowse.ingest.source_code.languages import find_language
        from dowse.ingest.source_code.outline import build_outline

        own = read_own_text(data, path)
        language = find_language(path)
        outline = build_outline(own.rows, language)
        return build_own_text(
            own,
            path,
            outline.headings,
            title=path.rstrip("/").rpartition("/")[2],
            code=outline.code,
            metadata={"language": language.name, "symbols": outline.symbols},
        )
