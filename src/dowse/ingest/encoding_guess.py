"""Which encoding is a text in that does not say it and is not UTF-8?

Two cases, told apart by how the bytes beyond ASCII stand. In languages of the Latin alphabet they are among
ASCII letters; there the accented letters of each language are compared. In all other scripts words are made
of them, and charset-normalizer knows them by their frequencies. It is not asked about Latin letters: of
French it says Windows-1250 (measured with 3.5), which turns “à” into “ŕ”.
"""

import re
from collections import Counter

_NAMES = {
    "cp1252": "Windows-1252",
    "latin-1": "Latin-1",
    "cp1250": "Windows-1250",
    "iso8859_2": "ISO 8859-2",
    "cp1254": "Windows-1254",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "iso8859_5": "ISO 8859-5",
    "cp866": "DOS 866",
    "cp1253": "Windows-1253",
    "iso8859_7": "ISO 8859-7",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "cp874": "Windows-874",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
}
_OTHER_SCRIPTS = (
    "cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866", "cp1253", "iso8859_7", "cp1255", "cp1256", "cp874",
    "cp932", "euc_jp", "gb18030", "big5", "cp949",
)  # fmt: skip
# Letters beyond ASCII of each language; languages of Windows-1252 first, which wins when all are as good.
_WESTERN = (
    "àâæçéèêëîïôœùûüÿ", "äöüß", "áéíóúüñ¿¡ºª", "áâãàçéêíóôõúüºª", "àèéìíîòóù", "åäöé", "æøåé", "éëïöüè",
    "áéíóúýþæöð", "àèéíïóòúüç·",
)  # fmt: skip
_ALPHABETS = {
    "cp1252": _WESTERN,
    "cp1250": (
        "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ",
    ),
    "cp1254": ("çğıöşüâîû",),
}  # fmt: skip
_ALPHABETS["iso8859_2"] = _ALPHABETS["cp1250"]
_SAMPLE_BYTES = 1 << 16
_MIN_HIGH_BYTES = 8
_MIN_MARGIN = 0.1
_OTHER_SCRIPT_SHARE = 0.6
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_ASCII_LETTERS = bytes(range(128))
_SYMBOL_IN_WORD = re.compile(r"(?<=[a-z])[^\w\s\x00-\x7f’‘´·](?=[a-z])")


def guess_encoding(data: bytes) -> tuple[str, str]:
    """Returns the codec that reads a text which is not UTF-8, and its name as people write it.

    A text that is too short to tell is read as Windows-1252, the usual source of such bytes, or as Latin-1,
    which cannot fail.
    """
    sample = _cut_sample(data)
    high, in_own_words = _count_high(sample)
    codec = None
    if high >= _MIN_HIGH_BYTES:
        is_latin = in_own_words < _OTHER_SCRIPT_SHARE * high
        codec = _guess_latin(sample) if is_latin else _guess_other_script(sample)
    codec = codec or "cp1252"
    if codec == "cp1252" and not _can_decode(data, codec):
        codec = "latin-1"
    return codec, _NAMES[codec]


def _count_high(sample: bytes) -> tuple[int, int]:
    """Counts the bytes beyond ASCII, and those of them in words that are mostly made of such."""
    high = in_own_words = 0
    for word in _WORD.findall(sample):
        count = len(word.translate(None, _ASCII_LETTERS))
        high += count
        in_own_words += count if count * 2 >= len(word) else 0
    return high, in_own_words


def _cut_sample(data: bytes) -> bytes:
    """Returns the beginning, up to a byte after which no character is cut in two."""
    sample = data[:_SAMPLE_BYTES]
    if len(data) <= _SAMPLE_BYTES:
        return sample
    end = max(sample.rfind(b"\n"), sample.rfind(b" "))
    return sample[:end] if end > 0 else sample


def _guess_other_script(sample: bytes) -> str | None:
    # Imported late: hardly any text needs it.
    from charset_normalizer import from_bytes

    if _has_kana(sample):
        return "euc_jp"
    # Lines of ASCII, as in programs with foreign comments, would only drown the rest.
    foreign = b"\n".join(line for line in sample.split(b"\n") if not line.isascii())
    found = from_bytes(foreign, cp_isolation=list(_OTHER_SCRIPTS), enable_fallback=False).best()
    return found.encoding if found is not None and found.encoding in _NAMES else None


def _has_kana(sample: bytes) -> bool:
    """Says whether it is Japanese in EUC: Chinese and Korean in such encodings have no kana to speak of."""
    if not _can_decode(sample, "euc_jp"):
        return False
    text = sample.decode("euc_jp")
    kana = sum("\u3041" <= char <= "\u3093" for char in text)
    return kana > 0.15 * sum(not char.isascii() for char in text)


def _guess_latin(sample: bytes) -> str:
    """Returns the codec under which the accented letters are those of one language."""
    best, best_score = "cp1252", _latin_score(sample, "cp1252") + _MIN_MARGIN
    for codec in ("cp1250", "iso8859_2", "cp1254"):
        score = _latin_score(sample, codec)
        if score > best_score:
            best, best_score = codec, score
    return best


def _latin_score(sample: bytes, codec: str) -> float:
    """Returns the share of accented letters that one language has, less what no word holds."""
    if not _can_decode(sample, codec):
        return -1.0
    text = sample.decode(codec).lower()
    letters = Counter(filter(_is_accented, text))
    total = letters.total()
    odd = len(_SYMBOL_IN_WORD.findall(text))
    if not total:
        return 0.0
    share = max(sum(letters[letter] for letter in alphabet) for alphabet in _ALPHABETS[codec]) / total
    return share - odd / total


def _is_accented(char: str) -> bool:
    return not char.isascii() and (char.isalpha() or char < "\xa0")


def _can_decode(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
