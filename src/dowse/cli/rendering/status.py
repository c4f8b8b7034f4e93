"""``dowse status`` and ``dowse doctor`` for people."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dowse.cli.remedies import word_hint
from dowse.cli.rendering.summary import describe_coverage, iter_problems
from dowse.cli.terminal import Style, count, format_bytes, format_duration, without_controls

if TYPE_CHECKING:
    from dowse.schema import DoctorReport, IndexStatus, TreeStatus

SHOWN_PROBLEMS = 20
SLOWER = "(slower; install a C compiler and Dowse again for the compiled ones)"


def iter_status_lines(status: "IndexStatus", style: Style, now: float) -> Iterator[str]:
    """Yields the status, the whole index first, then each tree with its problems."""
    deleted = sum(segment.deleted for segment in status.segments)
    yield f"{style.paint('index', 'bold')}      {without_controls(status.home)}"
    yield (
        f"holds      {count(status.documents, 'document')}, {count(status.chunks, 'chunk')},"
        f" {format_bytes(status.disk_bytes)} on disk"
    )
    yield f"segments   {len(status.segments):,}" + (
        f" ({deleted:,} rows deleted)" if deleted else ""
    )
    yield (
        f"version    Dowse {status.version}, format {status.format_version},"
        f" generation {status.generation:,}"
    )
    lines = iter_kernel_lines(status.kernels, status.kernel_fallbacks)
    yield "kernels    " + "\n           ".join(without_controls(line) for line in lines)
    yield f"vectors    {without_controls(describe_vectors(status))}"
    kept = [one for one in status.caches if one.memory_bytes]
    if kept:
        yield "caches     " + ", ".join(f"{one.name} {format_bytes(one.memory_bytes)}" for one in kept)
    for tree in status.trees:
        yield ""
        yield from iter_tree_lines(tree, style, now)


def describe_vectors(status: "IndexStatus") -> str:
    """Returns how many chunks can be found by meaning, or why none can."""
    parts = [] if status.coverage is None else [describe_coverage(status.coverage), status.embedding_model]
    return ", ".join([*parts, word_hint(status.no_vectors)] if status.no_vectors else parts)


def iter_kernel_lines(kernels: str, fallbacks: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields which kernels run, what to do when they are the slow ones, and why those that fell back did."""
    yield kernels if kernels == "compiled" else f"{kernels} {SLOWER}"
    reasons: dict[str, list[str]] = {}
    for name, reason in fallbacks:
        # Where nothing was compiled every reason is the same but for the name.
        reasons.setdefault(reason.replace(f"_{name}", "_NAME"), []).append(name)
    for reason, names in reasons.items():
        yield f"{', '.join(names)}: {reason}"


def iter_tree_lines(tree: "TreeStatus", style: Style, now: float) -> Iterator[str]:
    """Yields one tree: name, folder, size, age, problems."""
    name = style.paint(without_controls(tree.name), "path")
    yield f"{style.paint('tree', 'bold')}       {name}"
    yield f"folder     {without_controls(tree.root or 'none: texts were added by a program')}"
    yield (
        f"holds      {count(tree.documents, 'document')}, {count(tree.chunks, 'chunk')},"
        f" {format_bytes(tree.text_bytes)} of text, language {tree.language}"
    )
    if len(tree.formats) > 1:
        yield "formats    " + ", ".join(f"{number:,} {name}" for name, number in tree.formats)
    if tree.coverage is not None:
        yield f"vectors    {describe_coverage(tree.coverage)}"
    if tree.is_mounted:
        yield "mounted    read only"
    if tree.last_sync is not None:
        watched = ", watched" if tree.is_watched else ""
        yield f"looked at  {describe_age(now - tree.last_sync)}{watched}"
    yield from iter_pending(tree, style)
    if tree.problems:
        yield f"problems   {len(tree.problems):,}"
        yield from (f"  {line}" for line in iter_problems(tree.problems, SHOWN_PROBLEMS))


def iter_pending(tree: "TreeStatus", style: Style) -> Iterator[str]:
    """Yields what the tree does not know yet of its folder."""
    if not tree.has_root:
        yield style.paint("missing    the folder is not there; its documents are kept (dowse sweep)", "error")
    elif tree.pending is not None and (tree.pending.to_read or tree.pending.to_remove):
        to_read, to_remove = tree.pending.to_read, tree.pending.to_remove
        parts = [f"{count(to_read, 'file')} to read"] if to_read else []
        parts += [f"{to_remove:,} gone"] if to_remove else []
        yield f"pending    {', '.join(parts)} (dowse index)"


def describe_age(seconds: float) -> str:
    """Returns how long ago something was."""
    if seconds < 1:
        return "just now"
    if seconds < 3600:
        return f"{format_duration(int(seconds)).replace('.0 s', ' s')} ago"
    if seconds < 48 * 3600:
        return f"{count(int(seconds // 3600), 'hour')} ago"
    return f"{count(int(seconds // 86400), 'day')} ago"


def iter_doctor_lines(report: "DoctorReport", style: Style) -> Iterator[str]:
    """Yields what a check found and mended, the verdict last."""
    for finding in report.findings:
        place = without_controls(f"{finding.location}: {finding.message}")
        yield f"{style.paint('damaged:', 'error')} {place}"
    for name in report.repaired:
        yield f"{style.paint('repaired:', 'good')} {without_controls(name)}"
    size = f"{count(report.checked_files, 'file')}, {format_bytes(report.checked_bytes)}"
    if report.is_healthy:
        yield f"healthy: {size} checked"
    else:
        findings = count(len(report.findings), "finding")
        yield f"{findings} in {size}; mend with: dowse doctor --repair"
