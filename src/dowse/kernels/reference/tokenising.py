"""Text to tokens: folds characters by table, finds words, and interns their folded surfaces.

Two passes. The first looks every character up and drops those that vanish, so the second, which
cuts words, never sees them: rules such as "a hyphen between two word characters" need no
exceptions. What the rules are and why stands in the docstring of `dowse.analysis`; the table is
made by `tools/make_unicode_table.py`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import FIELD_SLOTS, U8, U16, U32, U64
from dowse.kernels.reference.folding import read_entry

PART, WHOLE, UNIGRAM = range(3)

SURFACE_CAP = 64
MAX_WHOLE_PARTS = 16
MAX_TEXT_CHARS = 65_535

OTHER, SPACE, OPEN, DASH, UNDERSCORE, DOT, COMMA, APOSTROPHE, PLUS, HASH = range(10)
SYMBOL, HAN, UNSEGMENTED, LETTER, UPPER, DIGIT, MARK, IGNORED = range(10, 18)

_CONTRACTIONS = frozenset(("t", "d", "m", "ll", "re", "ve"))


class Token(NamedTuple):
    """One token; `start` and `end` are places in the text as given."""

    surface: str
    position: int
    start: int
    end: int
    kind: int


class Scan:
    """One text after the first pass: class, fold and place of every character that is left."""

    def __init__(self, looked_up: Iterator[tuple[int, str]]) -> None:
        self.classes: list[int] = []
        self.folds: list[str] = []
        self.places: list[int] = []
        for place, (kind, fold) in enumerate(looked_up):
            if kind != IGNORED:
                self.classes.append(kind)
                self.folds.append(fold)
                self.places.append(place)

    def class_at(self, i: int) -> int:
        """The class of character `i`; the text is surrounded by spaces."""
        return self.classes[i] if 0 <= i < len(self.classes) else SPACE

    def is_word(self, i: int) -> bool:
        """True when character `i` is a letter, digit or mark of a script that separates words."""
        return LETTER <= self.class_at(i) <= MARK

    def surface(self, begin: int, end: int) -> str:
        """The folded text of a range of characters, not yet capped."""
        return "".join(self.folds[begin:end])

    def token(self, surface: str, position: int, begin: int, end: int, kind: int) -> Token:
        """A token for the characters from `begin` up to `end`."""
        start, stop = self.places[begin], self.places[end - 1] + 1
        return Token(surface[:SURFACE_CAP], position, start, stop, kind)

    def tokens(self) -> Iterator[Token]:
        """All tokens in order of position; overlays come before the part they share it with."""
        i, position = 0, 0
        while i < len(self.classes):
            kind = self.classes[i]
            if self.is_word(i):
                compound = Compound(self, i)
                yield from compound.tokens(position)
                position += len(compound.parts)
                i = compound.next
            elif kind in (HAN, UNSEGMENTED):
                clusters = self.clusters(i)
                yield from self.bigrams(clusters, position)
                position += max(1, len(clusters) - 1)
                i = clusters[-1][1]
            else:
                if kind == SYMBOL:
                    yield self.token(self.folds[i], position, i, i + 1, PART)
                    position += 1
                i += 1

    def clusters(self, i: int) -> list[tuple[int, int]]:
        """The run of unsegmented characters at `i`, each with the marks that follow it."""
        found = []
        while self.class_at(i) in (HAN, UNSEGMENTED):
            begin = i
            i += 1
            while self.class_at(i) == MARK:
                i += 1
            found.append((begin, i))
        return found

    def bigrams(self, clusters: list[tuple[int, int]], position: int) -> Iterator[Token]:
        """Overlapping pairs of clusters, and every Han character once more on its own."""
        if len(clusters) == 1:
            begin, end = clusters[0]
            yield self.token(self.surface(begin, end), position, begin, end, PART)
            return
        last_pair = len(clusters) - 2
        for k, (begin, middle) in enumerate(clusters):
            if k <= last_pair:
                end = clusters[k + 1][1]
                yield self.token(self.surface(begin, end), position + k, begin, end, PART)
            if self.classes[begin] == HAN:
                at = position + min(k, last_pair)
                yield self.token(self.folds[begin], at, begin, middle, UNIGRAM)


class Compound:
    """Word characters and what joins them, cut into parts; `next` is where the scan goes on."""

    def __init__(self, scan: Scan, begin: int) -> None:
        self.scan = scan
        self.begin = begin
        self.parts: list[tuple[int, int]] = []
        self.tail = 0  # first part after the last joiner
        self.head = 0  # number of parts before the first joiner
        self.is_number = True
        self.next = begin
        while True:
            self.tail = len(self.parts)
            self._cut_run()
            self.head = self.head or len(self.parts)
            if not self._is_joiner(self.next):
                break
            self.is_number = self.is_number and scan.classes[self.next] in (DOT, COMMA)
            self.next += 1
        self.suffix = self._suffix()

    def _cut_run(self) -> None:
        """Appends the parts of one run of word characters and the contraction behind it."""
        scan, begin = self.scan, self.next
        i = begin
        while scan.is_word(i):
            if i > begin and self._is_hump(i):
                self.parts.append((begin, i))
                begin = i
            if scan.classes[i] != DIGIT:
                self.is_number = False
            i += 1
        end = i
        if scan.class_at(i) == APOSTROPHE:
            after = i + 1
            while scan.is_word(after) and after <= i + 3:
                after += 1
            ending = scan.surface(i + 1, after)
            if ending == "s":
                i = after
            elif ending in _CONTRACTIONS:
                i = end = after
                self.is_number = False
        self.parts.append((begin, end))
        self.next = i

    def _is_hump(self, i: int) -> bool:
        """True when a part starts at the capital letter `i`: aB, or the last capital in ABc."""
        scan = self.scan
        if scan.classes[i] != UPPER:
            return False
        if scan.classes[i - 1] == LETTER:
            return True
        if scan.classes[i - 1] != UPPER or scan.class_at(i + 1) != LETTER:
            return False
        is_plural = scan.folds[i + 1] == "s" and scan.class_at(i + 2) not in (LETTER, MARK)
        return not is_plural

    def _is_joiner(self, i: int) -> bool:
        """True when the character at `i` ties the word before it to the one after it."""
        scan = self.scan
        if not scan.is_word(i + 1):
            return False
        if scan.class_at(i) == COMMA:
            return scan.class_at(i - 1) == DIGIT and scan.class_at(i + 1) == DIGIT
        return scan.class_at(i) in (DASH, UNDERSCORE, DOT, APOSTROPHE)

    def _suffix(self) -> str:
        """``++`` or ``#`` directly behind the last part, or nothing."""
        scan, i = self.scan, self.next
        if i != self.parts[-1][1]:
            return ""
        if scan.class_at(i) == HASH:
            return "" if scan.is_word(i + 1) or scan.class_at(i + 1) == HASH else "#"
        if scan.class_at(i) == PLUS and scan.class_at(i + 1) == PLUS:
            return "" if scan.is_word(i + 2) or scan.class_at(i + 2) == PLUS else "++"
        return ""

    def _has_leading_dot(self) -> bool:
        """True for a dot in front that follows the start, a space or an opening sign: ``.NET``."""
        scan, begin = self.scan, self.begin
        return (
            begin > 0
            and scan.classes[begin - 1] == DOT
            and scan.classes[begin] in (LETTER, UPPER)
            and scan.class_at(begin - 2) in (SPACE, OPEN, APOSTROPHE)
        )

    def _joined(self, first: int, last: int) -> str:
        """The parts from `first` up to `last` as one surface, without what joined them."""
        text = ""
        for k in range(first, last):
            begin, end = self.parts[k]
            if self.is_number and k > first:
                is_thousands = self.scan.classes[begin - 1] == COMMA and end - begin == 3
                text += "" if is_thousands else "."
            text += "".join(
                self.scan.folds[i] for i in range(begin, end) if self.scan.classes[i] != APOSTROPHE
            )
        return text

    def _wholes(self) -> Iterator[tuple[str, int, int, int]]:
        """Surface, first part, begin and end of each overlay; those with punctuation come first."""
        count = len(self.parts)
        begin, end = self.begin, self.parts[-1][1]
        if self._has_leading_dot() and self.head <= MAX_WHOLE_PARTS:
            yield "." + self._joined(0, self.head), 0, begin - 1, self.parts[self.head - 1][1]
        if self.suffix and count - self.tail <= MAX_WHOLE_PARTS:
            surface = self._joined(self.tail, count) + self.suffix
            yield surface, self.tail, self.parts[self.tail][0], end + len(self.suffix)
        if 2 <= count <= MAX_WHOLE_PARTS:
            yield self._joined(0, count), 0, begin, end

    def tokens(self, position: int) -> Iterator[Token]:
        """Overlays and parts in order of position; an overlay longer than the cap is left out."""
        wholes = [whole for whole in self._wholes() if len(whole[0]) <= SURFACE_CAP]
        for k, (begin, end) in enumerate(self.parts):
            for surface, first, whole_begin, whole_end in wholes:
                if first == k:
                    yield self.scan.token(surface, position + k, whole_begin, whole_end, WHOLE)
            yield self.scan.token(self.scan.surface(begin, end), position + k, begin, end, PART)


class Tokenizer:
    """Cuts texts into tokens, and keeps those it was fed as columns with interned surfaces.

    Caller guarantees: the arrays are those of one table; one thread feeds at a time, and any thread
    may call `tokenize` and `is_letters`, which change nothing.

    Args:
        pages: Page number of each run of 128 code points, 8,704 values.
        entries: Class and fold of each code point of each page, 128 values per page.
        pool: Fold sequences, each preceded by its length.
    """

    def __init__(self, pages: U16, entries: U32, pool: U32) -> None:
        self._pages, self._entries, self._pool = pages, entries, pool
        self._known: dict[str, tuple[int, str]] = {}
        self._ids: dict[str, int] = {}
        self._read = 0
        self._tokens: list[tuple[int, int, int, int]] = []

    @property
    def token_count(self) -> int:
        """How many tokens were fed so far."""
        return len(self._tokens)

    @property
    def surface_count(self) -> int:
        """How many different surfaces were fed so far."""
        return len(self._ids)

    @property
    def nbytes(self) -> int:
        """About how much memory the fed tokens and surfaces hold."""
        return 150 * len(self._tokens) + 200 * len(self._ids)

    def feed(self, text: str, row: int, field: int) -> int:
        """Adds the tokens of one text.

        Args:
            text: At most 65,535 characters, in normal form C.
            row: Row number, below 2**32.
            field: Field number, below 8.

        Returns:
            The number of positions, which is the field length.

        Raises:
            ValueError: If the text is too long or the field is out of range.
        """
        if len(text) > MAX_TEXT_CHARS or not 0 <= field < 8 or not 0 <= row < 1 << 32:
            raise ValueError("a text is too long, or its row or field is out of range")
        length = 0
        for token in self._scan(text).tokens():
            surface_id = self._ids.setdefault(token.surface, len(self._ids))
            self._tokens.append((surface_id, row, field, token.position))
            length = token.position + 1
        return length

    def feed_all(self, texts: list[str], rows: U32, fields: U8) -> U32:
        """Feeds many texts; the compiled twin does it without holding the interpreter.

        Returns:
            The number of positions of each.

        Raises:
            ValueError: If a text is too long or a field is out of range.
        """
        if not len(texts) == len(rows) == len(fields):
            raise ValueError("there must be a row and a field for each text")
        fed = zip(texts, rows.tolist(), fields.tolist(), strict=True)
        return np.array([self.feed(*one) for one in fed], np.uint32)

    def tokenize(self, text: str) -> tuple[list[str], list[int], list[int], list[int], list[int]]:
        """Cuts one text of any length without adding it.

        Returns: Surfaces, positions, starts, ends and kinds, in the order in which `feed` adds
            tokens. Starts and ends count characters of `text`; starts ascend.
        """
        tokens = list(self._scan(text).tokens())
        return (
            [token.surface for token in tokens],
            [token.position for token in tokens],
            [token.start for token in tokens],
            [token.end for token in tokens],
            [token.kind for token in tokens],
        )

    def is_letters(self, surface: str) -> bool:
        """True when a surface has nothing but letters and marks of scripts that separate words."""
        return all(self._look_up(char)[0] in (LETTER, UPPER, MARK) for char in surface)

    def surfaces(self) -> list[bytes]:
        """The different surfaces fed so far as UTF-8, in order of their ids."""
        return [surface.encode() for surface in self._ids]

    def new_letters(self) -> list[bytes]:
        """The surfaces of letters that came since this was last asked, as UTF-8, in order of their ids."""
        surfaces = list(self._ids)[self._read :]
        self._read += len(surfaces)
        return [surface.encode() for surface in surfaces if self.is_letters(surface)]

    def finish(self, stems: list[bytes]) -> tuple[U64, U8, U32, U32, U16, U64, U8, U32, U32]:
        """Numbers the terms and gives the fed tokens away; the tokenizer is empty afterwards.

        Caller guarantees: texts of one row were fed one after the other, or the row counts again in the
        document frequencies.

        Args:
            stems: The term of each surface of letters, in order of their ids; may repeat. Every other
                surface is its own term.

        Returns:
            The different terms, sorted bytewise: offsets and bytes. For each token, in the order fed: its
            list id (term number times 8 plus field), its row and its position. Then the words, which are
            the surfaces sorted bytewise: offsets, bytes, term numbers and document frequencies.

        Raises:
            ValueError: If there is not one stem for each surface of letters.
        """
        are_letters = [self.is_letters(surface) for surface in self._ids]
        if len(stems) != sum(are_letters):
            raise ValueError("there must be one stem for each surface of letters")
        left = iter(stems)
        terms_of_surfaces = [
            next(left) if is_letters else surface
            for surface, is_letters in zip(self.surfaces(), are_letters, strict=True)
        ]
        terms = sorted(set(terms_of_surfaces))
        numbers = {term: number for number, term in enumerate(terms)}
        term_numbers = np.array([numbers[term] for term in terms_of_surfaces], np.uint32)
        surface_ids, rows, fields, positions = np.array(self._tokens, np.int64).reshape(-1, 4).T
        list_ids = term_numbers[surface_ids] * np.uint32(FIELD_SLOTS) + fields.astype(np.uint32)
        words = self._words(term_numbers)
        self._tokens, self._ids, self._read = [], {}, 0
        return (
            *_spelt(terms), list_ids, rows.astype(np.uint32), positions.astype(np.uint16), *words,
        )  # fmt: skip

    def _words(self, term_numbers: U32) -> tuple[U64, U8, U32, U32]:
        surfaces = self.surfaces()
        doc_freqs = np.zeros(len(surfaces), np.uint32)
        last_rows: dict[int, int] = {}
        for surface_id, row, _, _ in self._tokens:
            if last_rows.get(surface_id) != row:
                doc_freqs[surface_id] += 1
                last_rows[surface_id] = row
        order = sorted(range(len(surfaces)), key=surfaces.__getitem__)
        return *_spelt([surfaces[i] for i in order]), term_numbers[order], doc_freqs[order]

    def _scan(self, text: str) -> Scan:
        return Scan(map(self._look_up, text))

    def _look_up(self, char: str) -> tuple[int, str]:
        """Class and fold of a character."""
        found = self._known.get(char)
        if found is None:
            found = read_entry(self._pages, self._entries, self._pool, char)
            self._known[char] = found
        return found


def _spelt(spellings: list[bytes]) -> tuple[U64, U8]:
    offsets = np.cumsum([0, *map(len, spellings)], dtype=np.uint64)
    return offsets, np.frombuffer(b"".join(spellings), np.uint8)
