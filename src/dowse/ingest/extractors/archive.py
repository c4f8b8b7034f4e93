"""Archives: every member that can be read is a section under its path.

Nothing is written to disk. Paths are labels only, so that it does not matter where they lead; links, devices
and folders are passed over. What is unpacked is counted piece by piece, and no header is believed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.members import include_member, note_member_problem
from dowse.ingest.text_builder import TextBuilder

if TYPE_CHECKING:
    from dowse.ingest.streams import UnpackedStream

_PASSED_OVER = ("__MACOSX/",)
_TAR_NAMES = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
Member = tuple[str, bytes | UnextractableError]


class ArchiveExtractor:
    """Reads ZIP and TAR archives and single compressed files."""

    name = "archive"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads an archive; a compressed file that is no archive is read as that file."""
        # Imported late: the decompressors are large.
        from dowse.ingest.streams import UnpackedStream

        if data.startswith(b"PK"):
            return _compose(_iter_zip(data, allowance), path, allowance)
        stream = UnpackedStream(data, allowance)
        if stream.is_tar or (path.lower().endswith(_TAR_NAMES) and stream.is_tar_like):
            return _compose(_iter_tar(stream), path, allowance)
        if stream.is_packed:
            return _extract_single(stream.read(), path, allowance)
        raise UnextractableError("damaged-file", "this is no archive that can be read, or a damaged one")


def _compose(members: Iterator[Member], path: str, allowance: Allowance) -> Extracted:
    builder = TextBuilder(path, allowance)
    count = 0
    try:
        for name, content in members:
            count += 1
            if isinstance(content, UnextractableError):
                note_member_problem(builder, name, content)
            else:
                include_member(builder, content, name, allowance, kind="member", depth=1)
            if builder.is_full:
                break
    except UnextractableError as error:
        if builder.is_empty or allowance.depth:
            raise
        builder.problem(error.code, f"only its first {count} files are indexed: {error.message}", error.hint)
    return builder.finish(title=path.rpartition("/")[2], metadata={"members": count})


def _iter_zip(data: bytes, allowance: Allowance) -> Iterator[Member]:
    # Imported late: the decompressors are large.
    from dowse.ingest.packages import Package

    package = Package(data, allowance)
    for name in package.names:
        if name.startswith(_PASSED_OVER):
            continue
        try:
            yield name, package.read(name)
        except UnextractableError as error:
            if error.code not in ("encrypted", "damaged-file"):
                raise
            yield name, error


def _iter_tar(stream: "UnpackedStream") -> Iterator[Member]:
    import tarfile

    try:
        # A stream is read once, from its start to its end; nothing in it can send the reader back.
        with tarfile.open(fileobj=stream, mode="r|", errorlevel=0) as archive:
            for member in archive:
                if not member.isreg() or member.issparse():
                    continue
                content = archive.extractfile(member)
                if content is not None:
                    yield member.name, content.read()
    except (tarfile.TarError, EOFError, OSError, ValueError, OverflowError) as error:
        raise UnextractableError("damaged-file", "this archive is damaged or cut off") from error


def _extract_single(data: bytes, path: str, allowance: Allowance) -> Extracted:
    """Reads the one file in a compressed file as if it lay beside it."""
    # Imported late: it knows all extractors, this one among them.
    from dowse.ingest.extraction import choose_extractor, extract

    inner = path.rpartition(".")[0] or path
    allowance.enter_member()
    try:
        return extract(data, inner, choose_extractor(data, inner), allowance)
    finally:
        allowance.leave_member()
