"""The rules of analysis one by one, on both tokenizers."""

import pytest

from dowse.analysis.table import load_table
from support.spellings import spelt

TABLE = load_table()


@pytest.fixture(params=["reference.tokenising", "_tokenising"])
def tokenizer(request):
    """One tokenizer of each make; without a C compiler there is only one."""
    module = pytest.importorskip(f"dowse.kernels.{request.param}")
    return module.Tokenizer(TABLE.pages, TABLE.entries, TABLE.pool)


def parts(tokenizer, text):
    """The surfaces of the parts, in order."""
    surfaces, _, _, _, kinds = tokenizer.tokenize(text)
    return [s for s, kind in zip(surfaces, kinds, strict=True) if kind == 0]


def wholes(tokenizer, text):
    """The surfaces of the overlays with the positions they share."""
    surfaces, positions, _, _, kinds = tokenizer.tokenize(text)
    rows = zip(surfaces, positions, kinds, strict=True)
    return [(surface, position) for surface, position, kind in rows if kind == 1]


PARTS = [
    ("Hello, World", ["hello", "world"], "case folds and punctuation separates"),
    ("café Ångström naïve", ["cafe", "angstrom", "naive"], "Latin letters lose their accents"),
    ("Ελλάδα", ["ελλαδα"], "Greek letters lose their accents"),
    ("ὁδός ΟΔΌΣ", ["οδοσ", "οδοσ"], "final sigma and breathings fold"),
    ("æon Œuvre Øre Łódź đ ð þorn ħ ı",
     ["aeon", "oeuvre", "ore", "lodz", "d", "d", "thorn", "h", "i"], "letters without marks fold"),
    ("Straße STRASSE", ["strasse", "strasse"], "sharp s is ss"),
    ("ﬁne Ｆｕｌｌ １２", ["fine", "full", "12"], "ligatures and full-width forms are plain"),
    ("й ё Ї", ["й", "е", "ї"], "Cyrillic keeps its marks, but ё is е"),
    ("كِتَابٌ كـتاب", ["كتاب", "كتاب"], "Arabic points and tatweel vanish"),
    ("שָׁלוֹם צה״ל", ["שלום", "צהל"], "Hebrew points and gershayim vanish"),
    ("हिन्दी में", ["हिन्दी", "में"], "Devanagari signs stay and do not tear a word"),
    ("١٢٣ १२", ["123", "12"], "digits of any script are the same digits"),
    ("zero\u200bwidth so\u00adft \ufeffbom\u200d bi\u202ddi",
     ["zerowidth", "soft", "bom", "bidi"], "invisible characters vanish without breaking the word"),
    ("a\x01b", ["ab"], "control characters vanish"),
    ("a\0b", ["a", "b"], "NUL separates"),
    ("don't we’ll I'm they've you're he'd",
     ["don't", "we'll", "i'm", "they've", "you're", "he'd"], "contractions stay one word"),
    ("user's USER’S 1960's", ["user", "user", "1960"], "the possessive is stripped"),
    ("l'homme d'or", ["l", "homme", "d", "or"], "elisions are cut"),
    ("rock'n'roll", ["rock", "n", "roll"], "every other apostrophe cuts"),
    ("O'Brien", ["o", "brien"], "a name with an apostrophe is cut"),
    ("utf8 sha256 python3 3d", ["utf8", "sha256", "python3", "3d"], "digits do not cut"),
    ("getUserById", ["get", "user", "by", "id"], "humps cut"),
    ("HTTPServer iPhone", ["http", "server", "i", "phone"], "HTTP ends before Server"),
    ("URLs getURLsNow", ["urls", "get", "urls", "now"], "a plural s does not make a hump"),
    ("foo_bar error-handling node.js", ["foo", "bar", "error", "handling", "node", "js"], "signs"),
    ("foo--bar a._b _x_ -y- z.", ["foo", "bar", "a", "b", "x", "y", "z"], "joiners stand alone"),
    ("1,000 a,b", ["1", "000", "a", "b"], "commas cut"),
    ("C++ c# .NET", ["c", "c", "net"], "signs are not part of the part"),
    ("😀👍🏽 ☃", ["😀", "👍", "☃"], "each pictograph is a part, without its skin tone"),
    ("├── src │ x", ["src", "x"], "lines and boxes are no pictographs"),
    ("漢", ["漢"], "a run of one is a part"),
    ("日本語", ["日本", "本語"], "Han gives pairs"),
    ("日本語のPython入門", ["日本", "本語", "語の", "python", "入門"], "ASCII splits off"),
    ("データ", ["デー", "ータ"], "kana gives pairs, the long mark included"),
    ("한국어", ["한국", "국어"], "Hangul gives pairs"),
    ("ที่นี่", ["ที่นี่"], "Thai pairs are pairs of clusters"),
    ("ไทย", ["ไท", "ทย"], "Thai gives pairs"),
    ("မြန်မာ", ["မြန်", "န်မာ"], "Myanmar gives pairs of clusters"),
    ("x² ⅷ ①", ["x2", "viii", "1"], "compatibility numbers are plain"),
    ("", [], "an empty text has no tokens"),
    ("\ud800 \ue000 \ufffd", [], "lone surrogates, private use and lost characters separate"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "why"), PARTS, ids=[row[2] for row in PARTS])
def test_parts_follow_the_rules(tokenizer, text, expected, why):
    """The parts of a text are the ones the rule says."""
    assert expected == parts(tokenizer, text), why


WHOLES = [
    ("error-handling", [("errorhandling", 0)]),
    ("errorHandling", [("errorhandling", 0)]),
    ("error_handling", [("errorhandling", 0)]),
    ("the node.js way", [("nodejs", 1)]),
    ("foo_bar", [("foobar", 0)]),
    ("getUserById", [("getuserbyid", 0)]),
    ("O'Brien", [("obrien", 0)]),
    ("2026.4.10 3.14", [("2026.4.10", 0), ("3.14", 3)]),
    ("1,000,000 3,14 1,234.5", [("1000000", 0), ("3.14", 3), ("1234.5", 5)]),
    ("2026-04-10", [("20260410", 0)]),
    ("v1.2", [("v12", 0)]),
    ("C++ c# F#, g++ notepad++", [("c++", 0), ("c#", 1), ("f#", 2), ("g++", 3), ("notepad++", 4)]),
    ("C++入門 C＃", [("c++", 0), ("c#", 2)]),
    ("NotePad++", [("notepad++", 0), ("notepad", 0)]),
    ("Visual-C++", [("visualc", 0), ("c++", 1)]),
    ("a++b c#d e+++ f##", []),
    (".NET (.net) “.Net", [(".net", 0), (".net", 1), (".net", 2)]),
    ("x .gitignore", [(".gitignore", 1)]),
    ("a..b ,.c .5", []),
    ("ASP.NET", [("aspnet", 0)]),
    ("don't", []),
    ("word—word a – b", []),
    ("co‑op well–known", [("coop", 0), ("wellknown", 2)]),
    ("z\u00ad-\u00adz", [("zz", 0)]),
    (".".join("abcdefghijklmnop"), [("abcdefghijklmnop", 0)]),
    (".".join("abcdefghijklmnopq"), []),
    ("x" * 32 + "-" + "y" * 32, [("x" * 32 + "y" * 32, 0)]),
    ("x" * 32 + "-" + "y" * 33, []),
]


@pytest.mark.parametrize(("text", "expected"), WHOLES, ids=[row[0][:30] for row in WHOLES])
def test_wholes_follow_the_rules(tokenizer, text, expected):
    """The overlays of a text are the ones the rules say, at the position of their first part."""
    assert expected == wholes(tokenizer, text)


def test_surfaces_end_at_the_cap(tokenizer):
    """A long word is cut after 64 code points and still spans all its characters."""
    surfaces, _, starts, ends, _ = tokenizer.tokenize("é" * 100)
    assert (["e" * 64], [0], [100]) == (surfaces, starts, ends)


def test_han_characters_are_overlays_too(tokenizer):
    """Every Han character of a longer run is there on its own; kana are not."""
    surfaces, positions, _, _, kinds = tokenizer.tokenize("東京へ")
    expected = [("東京", 0, 0), ("東", 0, 2), ("京へ", 1, 0), ("京", 1, 2)]
    assert expected == list(zip(surfaces, positions, kinds, strict=True))


def test_last_han_character_shares_the_last_position(tokenizer):
    """The last character of a run has no pair of its own and joins the last one."""
    surfaces, positions, _, _, _ = tokenizer.tokenize("東京")
    assert [("東京", 0), ("東", 0), ("京", 0)] == list(zip(surfaces, positions, strict=True))


def test_places_are_those_of_the_text_as_given(tokenizer):
    """Starts and ends slice the original, overlays and vanished characters included."""
    text = "  My\u200b node.js, user's C++!"
    surfaces, _, starts, ends, _ = tokenizer.tokenize(text)
    slices = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    expected = ["My", "node.js", "node", "js", "user", "C++", "C"]
    assert expected == slices
    assert ["my", "nodejs", "node", "js", "user", "c++", "c"] == surfaces


def test_overlays_take_no_position(tokenizer):
    """The field length counts parts only."""
    assert 4 == tokenizer.feed("error-handling in C++", 0, 4)
    assert 6 == tokenizer.token_count


def test_feed_refuses_what_does_not_fit(tokenizer):
    """Texts, rows and fields beyond the columns' types are refused before anything is added."""
    for text, row, field in [("x" * 65_536, 0, 0), ("x", 1 << 32, 0), ("x", 0, 8), ("x", -1, 0)]:
        with pytest.raises(ValueError, match="out of range"):
            tokenizer.feed(text, row, field)
    assert 0 == tokenizer.token_count


def test_finish_numbers_terms_in_byte_order(tokenizer):
    """Surfaces may share a term; list ids are the term's place in byte order, then the field."""
    tokenizer.feed("b a Z ab", 7, 5)
    assert [b"b", b"a", b"z", b"ab"] == tokenizer.surfaces()
    offsets, spellings, list_ids, rows, positions, *_ = tokenizer.finish([b"b", b"a", b"a", b"ab"])
    assert [b"a", b"ab", b"b"] == spelt(offsets, spellings)
    assert [2 * 8 + 5, 5, 5, 8 + 5] == list_ids.tolist()
    assert ([7] * 4, [0, 1, 2, 3]) == (rows.tolist(), positions.tolist())
    assert (0, 0) == (tokenizer.token_count, tokenizer.surface_count)


def test_finish_wants_a_stem_for_each_surface_of_letters(tokenizer):
    """A list of another length is refused."""
    tokenizer.feed("a b 1", 0, 0)
    for stems in ([b"a"], [b"a", b"b", b"1"]):
        with pytest.raises(ValueError, match="one stem for each surface of letters"):
            tokenizer.finish(stems)


def test_what_is_not_made_of_letters_is_its_own_term(tokenizer):
    """Stems are of letters alone; the rest keeps its spelling and its place among them."""
    tokenizer.feed("plants utf8s growing 42", 0, 0)
    assert [b"plants", b"growing"] == tokenizer.new_letters()
    offsets, spellings, *_ = tokenizer.finish([b"plant", b"grow"])
    assert [b"42", b"grow", b"plant", b"utf8s"] == spelt(offsets, spellings)


def test_letters_are_new_once(tokenizer):
    """Each surface of letters is told when it was fed first, and again only after `finish`."""
    tokenizer.feed("one two", 0, 0)
    assert [b"one", b"two"] == tokenizer.new_letters()
    tokenizer.feed("two 2 three one", 1, 0)
    assert ([b"three"], []) == (tokenizer.new_letters(), tokenizer.new_letters())
    tokenizer.finish([b"one", b"two", b"three"])
    tokenizer.feed("two", 0, 0)
    assert [b"two"] == tokenizer.new_letters()


def test_terms_are_sorted_bytewise_however_they_begin(tokenizer):
    """Spellings alike in many bytes, prefixes of each other, and any bytes are in order, each once."""
    stems = [b"alikealike%c%s" % (32 + i % 90, b"x" * (i % 3)) for i in range(500)]
    stems += [b"alikealike"[:i] for i in range(1, 11)] + ["ärger".encode(), b"\xff", b"a\0", b"\0", b"a\0\0"]
    letters = ["a" * (1 + i % 60) + "bcdefghij"[i // 60] for i in range(len(stems))]
    tokenizer.feed(" ".join(letters), 0, 0)
    offsets, spellings, list_ids, *_ = tokenizer.finish(stems)
    expected = sorted(set(stems))
    assert expected == spelt(offsets, spellings)
    assert [8 * expected.index(stem) for stem in stems] == list_ids.tolist()


def test_a_tokenizer_works_again_after_finish(tokenizer):
    """What is given away leaves no trace, and the arrays outlive the tokenizer's next batch."""
    tokenizer.feed("one two", 0, 0)
    _, _, first, *_ = tokenizer.finish([b"one", b"two"])
    tokenizer.feed("three", 1, 0)
    assert [b"three"] == tokenizer.surfaces()
    assert [0, 8] == first.tolist()


def test_empty_finish_gives_empty_arrays(tokenizer):
    """Nothing fed, nothing given, with the right types."""
    arrays = tokenizer.finish([])
    kinds = ["uint64", "uint8", "uint32", "uint32", "uint16", "uint64", "uint8", "uint32", "uint32"]
    assert kinds == [str(array.dtype) for array in arrays]
    assert [1, 0, 0, 0, 0, 1, 0, 0, 0] == [len(array) for array in arrays]


def test_finish_gives_the_words_in_byte_order_with_rows_counted_once(tokenizer):
    """A word has the number of its term, and counts a row once, in however many fields it is."""
    tokenizer.feed("teas tea ärger", 3, 0)
    tokenizer.feed("tea teas tea", 3, 5)
    tokenizer.feed("tea", 4, 5)
    assert [b"teas", b"tea", b"arger"] == tokenizer.surfaces()
    *_, offsets, spellings, terms, doc_freqs = tokenizer.finish([b"tea", b"tea", b"anger"])
    assert ([0, 5, 8, 12], b"argerteateas") == (offsets.tolist(), spellings.tobytes())
    assert ([0, 1, 1], [1, 2, 1]) == (terms.tolist(), doc_freqs.tolist())


def test_letters_are_told_from_the_rest(tokenizer):
    """Only letters and marks of scripts with spaces are letters."""
    words = ["word", "हिन्दी", "don't", "utf8", "日本", "c++", "ไท"]
    expected = [True, True, False, False, False, False, False]
    assert expected == [tokenizer.is_letters(word) for word in words]
    for word in words:
        tokenizer.feed(word, 0, 0)
    letters = tokenizer.new_letters()
    assert expected == [word.encode() in letters for word in words]


def test_many_surfaces_keep_their_ids(tokenizer):
    """The table grows without losing or doubling anything."""
    words = [f"w{i}" for i in range(5_000)]
    tokenizer.feed(" ".join(words), 0, 0)
    tokenizer.feed(" ".join(words), 1, 0)
    assert [w.encode() for w in words] == tokenizer.surfaces()
    assert 10_000 == tokenizer.token_count


@pytest.mark.parametrize("unit", ["aB", "漢", "a#", ".aB# ", "ﷺ", "กี", "😀", "1,", "x'", "\u0301"])
def test_the_longest_texts_fit(tokenizer, unit):
    """Texts of the greatest length, however dense in tokens, are taken whole."""
    text = (unit * 65_535)[:65_535]
    length = tokenizer.feed(text, 0, 0)
    assert length <= 65_535
    _, positions, _, _, _ = tokenizer.tokenize(text)
    assert length == (positions[-1] + 1 if positions else 0)
    assert len(positions) == tokenizer.token_count
