"""Files inside files: attachments of mails, members of archives, each a section of what holds it."""

from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.text_builder import TextBuilder
from dowse.schema import Problem


def include_member(
    builder: TextBuilder, data: bytes, name: str, allowance: Allowance, *, kind: str, depth: int
) -> None:
    """Adds a file inside another as a section; what cannot be read becomes a problem.

    Args:
        builder: Of the file around it.
        data: Its content, unpacked.
        name: As it is called there; serves as heading and label and is never opened.
        allowance: Of the outermost file.
        kind: Of the anchor: ``member`` or ``part``.
        depth: Of its heading.

    Raises:
        UnextractableError: The allowance is used up, so that nothing more can be read.
    """
    # Imported late: it knows all extractors, and those that call this function are among them.
    from dowse.ingest.extraction import LIMIT_CODES, extract_member

    try:
        member = extract_member(data, name, allowance)
    except UnextractableError as error:
        if error.code in LIMIT_CODES:
            raise
        note_member_problem(builder, name, error)
        return
    if isinstance(member, Problem):
        builder.problem(member.code, f"“{name}”: {member.message}", member.hint)
    elif member is not None:
        if member.text.strip():
            builder.anchor(kind, name)
            builder.heading(depth, name)
        builder.include(member, depth)


def note_member_problem(builder: TextBuilder, name: str, error: UnextractableError) -> None:
    """Notes that a file inside this one cannot be read."""
    builder.problem(error.code, f"“{name}”: {error.message}", error.hint)
