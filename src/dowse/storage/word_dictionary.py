"""The dictionary of words of a segment: what was written, before it was stemmed."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from dowse.kernels import Vocabulary, map_terms, merge_words
from dowse.kernels.layout import U8, U32, U64, WordArrays

# Words point at terms by number, so they are made after the terms: from their offsets and bytes.
BuildWordDictionary = Callable[[U64, U8], WordArrays]


class WordDictionary(Struct, frozen=True):
    """The words of one segment, by ordinal: their place in byte order.

    Attributes:
        vocabulary: Finds ordinals by prefix, by similarity and by pattern.
        terms: The term each word became, as `Postings` numbers them.
        doc_freqs: Rows that have the word in any field, deleted ones included.
        sounds: Both codes of each word, [words, 2]; 0 for none.
    """

    vocabulary: Vocabulary
    terms: U32
    doc_freqs: U32
    sounds: U32

    def __len__(self) -> int:
        return len(self.terms)

    def spelling(self, ordinal: int) -> str:
        """Returns a word."""
        return self.vocabulary.spelling(ordinal).decode("utf-8", "replace")


def open_word_dictionary(arrays: WordArrays) -> WordDictionary:
    """Returns the words in arrays of a segment."""
    vocabulary = Vocabulary(arrays.word_offsets, arrays.word_bytes)
    return WordDictionary(vocabulary, arrays.word_terms, arrays.word_doc_freq, arrays.word_sounds)


def merge_word_dictionaries(sources: Sequence[tuple[WordArrays, U64, U8]]) -> BuildWordDictionary:
    """Returns what makes the words of a merged segment.

    A word whose term is no longer there is left out. A word that only deleted rows had stays as long as
    another word keeps its term: finding out costs reading every text.

    Args:
        sources: The words of each segment, with offsets and bytes of its terms.
    """

    def make(term_offsets: U64, term_bytes: U8) -> WordArrays:
        renumbered = []
        for words, offsets, spellings in sources:
            numbers = map_terms(offsets, spellings, term_offsets, term_bytes)
            renumbered.append(words._replace(word_terms=numbers[words.word_terms]))
        return merge_words(renumbered)

    return make
