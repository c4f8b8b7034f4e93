"""What every extracted text must be like, whatever the file it came from."""

from dowse.ingest import Extracted


def assert_well_formed(extracted: Extracted) -> None:
    """Fails unless the text can be decoded and everything that was found in it lies in it, in order."""
    size = len(extracted.text)
    assert extracted.text.decode("utf-8").encode("utf-8") == extracted.text
    assert extracted.title
    assert (0, size) == (extracted.sections[0].byte_start, extracted.sections[0].byte_end)
    assert all(0 <= part.byte_start <= part.byte_end <= size for part in extracted.sections)
    assert all(0 <= start <= end <= size for start, end in extracted.code_spans)
    places = [anchor.byte_start for anchor in extracted.anchors]
    assert sorted(places) == places
    assert all(0 <= place <= size for place in places)
