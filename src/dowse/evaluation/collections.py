"""Reads collections: folders in BEIR layout, golden sets as JSON, and our own golden set.

Every mistake in a file is an error with the file, the line and what is wrong: numbers of a collection that
was read in part would mislead.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import cast

from dowse.errors import FileNotReadableError, FolderNotFoundError, InvalidParameterError
from dowse.evaluation.judged import Collection, JudgedQuery, SourceText

OWN_GOLDEN_SET = Path(__file__).parent / "golden" / "golden_set.json"
Json = Mapping[str, object]


def own_collection() -> Collection:
    """Returns the golden set that comes with Dowse: a small project and questions about it."""
    return read_golden(OWN_GOLDEN_SET)


def read_beir(folder: Path, split: str = "test") -> Collection:
    """Returns a collection in BEIR layout: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/<split>.tsv``.

    Raises:
        FolderNotFoundError: There is no such folder.
        FileNotReadableError: One of the files is not there.
        InvalidParameterError: A file is not what it should be, or has no such split.
    """
    if not folder.is_dir():
        raise FolderNotFoundError(path=folder, reason="there is no such folder")
    judgements = folder / "qrels" / f"{split}.tsv"
    if not judgements.is_file():
        known = ", ".join(sorted(file.stem for file in (folder / "qrels").glob("*.tsv")))
        legal = f"splits of {folder}: {known}" if known else f"{folder} has no qrels/*.tsv"
        raise InvalidParameterError(name="the split", value=split, legal=legal)
    grades = _read_grades(judgements)
    texts = {key: _text(row, "text", place) for place, key, row in _iter_keyed(folder / "queries.jsonl")}
    unknown = [key for key in grades if key not in texts]
    if unknown:
        raise _broken(judgements, f"query {unknown[0]} is not in queries.jsonl")
    queries = [JudgedQuery(key, texts[key], "", judged) for key, judged in grades.items()]
    _open_lines(folder / "corpus.jsonl")  # missing: said now, and not after everything else
    return _build(folder.name, queries, iter_texts=partial(_iter_texts, folder / "corpus.jsonl"))


def _iter_texts(file: Path) -> Iterator[SourceText]:
    for place, key, row in _iter_keyed(file):
        yield SourceText(key, str(row.get("title") or ""), _text(row, "text", place))


def _read_grades(file: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for number, line in enumerate(_open_lines(file), 1):
        cells = line.split("\t")
        if number == 1 and cells[-1].strip() == "score":
            continue
        if not line.strip():
            continue
        try:
            query, document, grade = cells
            grades.setdefault(query, {})[document] = int(grade)
        except ValueError:
            reason = f"line {number} is not query, document and a whole number, with tabs between"
            raise _broken(file, reason) from None
    return grades


def read_golden(file: Path) -> Collection:
    """Returns a golden set: JSON with queries, categories and judgements by path.

    The paths are below the folder that ``corpus`` names, relative to the file; without it, below ``corpus``
    beside the file if that is there, or else below the file's own folder.

    Raises:
        FileNotReadableError: It cannot be read.
        FolderNotFoundError: Its corpus is not there.
        InvalidParameterError: It is not a golden set, or judges files that are not there, or with grades that
            its own ``relevance_scale`` does not have.
    """
    value = _parse("\n".join(_open_lines(file)), file, "it")
    rows = value.get("queries")
    if not isinstance(rows, list) or not rows:
        raise _broken(file, "it has no list of queries")
    folder = _find_corpus(file, value)
    named = value.get("relevance_scale")
    scale = tuple(named) if isinstance(named, dict) else ()
    queries = [_build_query(file, row, place) for place, row in enumerate(rows, 1)]
    for query in queries:
        missing = [path for path in query.grades if not (folder / path).is_file()]
        if missing:
            raise _broken(file, f"query {query.key} judges {missing[0]}, which is not in {folder}")
        unheard = [path for path, grade in query.grades.items() if scale and str(grade) not in scale]
        if unheard:
            legal = f"{', '.join(scale)} are its relevance_scale"
            raise _broken(file, f"query {query.key} gives {unheard[0]} a {query.grades[unheard[0]]}; {legal}")
    if len({query.key for query in queries}) != len(queries):
        raise _broken(file, "two queries have the same id")
    return _build(str(value.get("name") or file.stem), queries, folder=folder)


def _find_corpus(file: Path, value: Json) -> Path:
    named = value.get("corpus")
    beside = file.parent / "corpus"
    folder = file.parent / named if isinstance(named, str) else beside if beside.is_dir() else file.parent
    if not folder.is_dir():
        raise FolderNotFoundError(path=folder, reason="the corpus of the golden set is not there")
    return folder


def _build_query(file: Path, row: object, place: int) -> JudgedQuery:
    label = f"query number {place}"
    if not isinstance(row, dict):
        raise _broken(file, f"{label} is not an object")
    grades = row.get("judgments", row.get("judgements"))
    if not isinstance(grades, dict) or not all(type(grade) is int for grade in grades.values()):
        raise _broken(file, f"{label} has no “judgments” of whole numbers by path")
    place_name = f"{file}: {label}"
    key = str(place if row.get("id") in (None, "") else row["id"])
    return JudgedQuery(key, _text(row, "text", place_name), str(row.get("category") or ""), grades)


def _build(name: str, queries: list[JudgedQuery], **documents: object) -> Collection:
    answerable = tuple(query for query in queries if any(grade > 0 for grade in query.grades.values()))
    if not answerable:
        raise InvalidParameterError(
            name="the collection", value=name, legal="no query has a relevant document: nothing to measure"
        )
    left_out = len(queries) - len(answerable)
    return Collection(name, answerable, unanswerable=left_out, **documents)  # type: ignore[arg-type]


def _iter_keyed(file: Path) -> Iterator[tuple[str, str, Json]]:
    """Yields the place, the ``_id`` and the object of each line; no two have the same ``_id``."""
    seen: set[str] = set()
    for number, line in enumerate(_open_lines(file), 1):
        if not line.strip():
            continue
        place, row = f"{file}: line {number}", _parse(line, file, f"line {number}")
        key = _text(row, "_id", place)
        if key in seen:
            raise _broken(file, f"line {number} has the _id {key} of a line before")
        seen.add(key)
        yield place, key, row


def _open_lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        raise _broken(file, "it is not UTF-8") from None
    except OSError as error:
        raise FileNotReadableError(path=file, reason=error.strerror or str(error)) from error


def _parse(text: str, file: Path, what: str) -> Json:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _broken(file, f"{what} is not JSON") from None
    if not isinstance(value, dict):
        raise _broken(file, f"{what} is not a JSON object")
    return cast("Json", value)


def _text(row: Json, name: str, place: str) -> str:
    value = row.get(name)
    if not isinstance(value, str | int):
        raise InvalidParameterError(name="the collection", value=place, legal=f"it has no text “{name}”")
    return str(value)


def _broken(file: Path, reason: str) -> InvalidParameterError:
    return InvalidParameterError(name="the collection", value=str(file), legal=reason)
