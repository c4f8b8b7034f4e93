"""Encodings that nothing names."""

import pytest

from dowse.ingest.decoding import decode
from dowse.ingest.encoding_guess import guess_encoding

TEXTS = {
    "cp1251": "Москва — столица России, город федерального значения. Население велико.",
    "koi8-r": "Москва - столица России, город федерального значения. Население велико.",
    "shift_jis": "東京は日本の首都であり、世界最大級の都市である。多くの人々がここで働いている。",
    "euc-jp": "東京は日本の首都であり、世界最大級の都市である。多くの人々がここで働いている。",
    "gb18030": "北京是中华人民共和国的首都，是全国的政治中心和文化中心。这里有很多历史古迹。",
    "big5": "臺北市是中華民國的首都，也是臺灣的政治、文化中心。這裡有很多歷史古蹟。",
    "euc-kr": "서울은 대한민국의 수도이자 최대 도시이다. 많은 사람들이 이곳에서 일하고 있다.",
    "iso-8859-2": "Żółta łódź płynęła, a kapitan śpiewał pieśń o dalekich lądach.",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco děti běžely přes rozkvetlou louku k řece.",
    "cp1252": "Le garçon a mangé une crème brûlée à l’hôtel près de la forêt; c’était délicieux.",
    "latin-1": "Die Straße über die Brücke führt größtenteils am Fluß entlang; schöne Häuser säumen sie.",
    "cp1253": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας και η μεγαλύτερη πόλη της χώρας.",
    "cp1254": "İstanbul, Türkiye'nin en kalabalık şehridir; ekonomik açıdan çok önemlidir. Güneş ışığı.",
    "cp1255": "ירושלים היא עיר הבירה של מדינת ישראל והעיר הגדולה ביותר בה.",
    "cp1256": "القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها من حيث عدد السكان.",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_paragraph_is_enough_to_tell(encoding: str) -> None:
    """The text comes out as it was written, alone and as a comment in a program."""
    text = TEXTS[encoding]
    for whole in (text, f"def main():\n    # {text}\n    return 1\n" * 3):
        stored, problems = decode(whole.encode(encoding), "a.txt")
        assert whole == stored.decode()
        assert ["not-utf8"] == [problem.code for problem in problems]


def test_too_little_to_tell_is_western() -> None:
    """A few odd bytes are Windows-1252, and Latin-1 where that has no such letter; the guess is named."""
    assert ("cp1252", "Windows-1252") == guess_encoding(b"caf\xe9")
    assert ("latin-1", "Latin-1") == guess_encoding(b"caf\xe9 \x81")
    assert "Windows-1252" in decode(b"caf\xe9", "a.txt")[1][0].message


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_marks_are_believed(encoding: str) -> None:
    """A mark at the start says it all."""
    assert ("grüße".encode(), ()) == decode("\ufeffgrüße".encode(encoding), "a.txt")
