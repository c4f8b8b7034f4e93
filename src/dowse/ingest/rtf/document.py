"""A rich text file as a whole."""

from dowse.ingest.decoding import REFUSED, decode
from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.keywords import split_keywords
from dowse.ingest.rtf.reader import RtfReader
from dowse.ingest.text_builder import TextBuilder

_START = b"{\\rtf"
_STARTS_WITHIN_BYTES = 1024
# The file's words for what all formats of ours call alike.
_NAMES = {
    "author": "author",
    "subject": "subject",
    "doccomm": "description",
    "creatim": "created",
    "revtim": "modified",
}


def extract_rtf(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads a rich text file; one that is none is read as plain text.

    Raises:
        UnextractableError: It is neither.
    """
    builder = TextBuilder(path, allowance)
    start = data.find(_START, 0, _STARTS_WITHIN_BYTES)
    if start < 0:
        if not data.lstrip().startswith(b"{\\"):
            return _extract_plain(data, builder)
        # A piece of rich text, as converters write it to be put into another.
        data, start = b"{" + data + b"}", 0
    flow = Flow(builder)
    reader = RtfReader(flow)
    reader.read(data[start:] if start else data)
    flow.add_all(reader.edges.values())
    flow.finish()
    info = reader.header.metadata
    metadata: dict[str, object] = {ours: info[theirs] for theirs, ours in _NAMES.items() if theirs in info}
    metadata["language"] = reader.language
    return builder.finish(
        title=reader.title or info.get("title", ""),
        tags=split_keywords(info.get("keywords", "")),
        metadata=metadata,
    )


def _extract_plain(data: bytes, builder: TextBuilder) -> Extracted:
    text, problems = decode(data, builder.path)
    for problem in problems:
        if problem.code in REFUSED:
            raise UnextractableError(problem.code, problem.message, problem.hint)
        builder.problem(problem.code, problem.message, problem.hint)
    builder.paragraph(text.decode("utf-8"))
    return builder.finish()
