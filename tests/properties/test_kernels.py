"""Compiled kernels equal their plain twins, floating point included (`kernels`, invariant 1)."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Tokens, random_groups, random_tokens, tokens

from dowse.kernels.layout import Lists, decoded_lengths, length_buckets
from dowse.kernels.reference import form_merging, inversion, list_merging, postings, sorted_sets

compiled_forms = pytest.importorskip("dowse.kernels._form_merging")
compiled_inversion = pytest.importorskip("dowse.kernels._inversion")
compiled_merging = pytest.importorskip("dowse.kernels._list_merging")
compiled_postings = pytest.importorskip("dowse.kernels._postings")
compiled_sets = pytest.importorskip("dowse.kernels._sorted_sets")

MERGERS = (list_merging, compiled_merging)
ROW_SETS = st.lists(st.integers(0, 2**32 - 1) | st.integers(0, 60), unique=True, max_size=80)
DROPPED = 0xFFFFFFFF


def inverted(kernel, given_tokens: Tokens) -> Lists:
    """Inverts tokens with one kernel."""
    return kernel.invert(
        given_tokens.list_ids.copy(),
        given_tokens.rows.copy(),
        given_tokens.positions.copy(),
        len(given_tokens.terms),
        given_tokens.buckets,
    )


def assert_same_lists(expected: Lists, actual: Lists) -> None:
    """Every array has the same type and the same values."""
    for name in Lists._fields:
        one, other = getattr(expected, name), getattr(actual, name)
        assert (name, one.dtype, one.tolist()) == (name, other.dtype, other.tolist())


def both_postings(given_tokens: Tokens) -> tuple[postings.Postings, object]:
    """Opens the same segment with the plain and the compiled reader."""
    lists = inverted(inversion, given_tokens)
    arguments = (*given_tokens.coded, lists, given_tokens.buckets)
    return postings.Postings(*arguments), compiled_postings.Postings(*arguments)


@given(tokens())
@settings(max_examples=60, deadline=None)
def test_inverting_gives_the_same_lists(drawn):
    """Postings, positions, skips, frequencies and bounds are byte for byte the same."""
    assert_same_lists(inverted(inversion, drawn), inverted(compiled_inversion, drawn))


@given(tokens())
@settings(max_examples=30, deadline=None)
def test_inverting_changes_no_argument(drawn):
    """Kernels do not write into their arguments (`kernels`, invariant 2)."""
    before = [array.copy() for array in (drawn.list_ids, drawn.rows, drawn.positions, drawn.buckets)]
    compiled_inversion.invert(
        drawn.list_ids, drawn.rows, drawn.positions, len(drawn.terms), drawn.buckets
    )
    after = [drawn.list_ids, drawn.rows, drawn.positions, drawn.buckets]
    assert [array.tolist() for array in before] == [array.tolist() for array in after]


@given(tokens())
@settings(max_examples=40, deadline=None)
def test_lists_hold_exactly_the_tokens(drawn):
    """Decoding every list gives back the tokens that went in, each position once."""
    expected: dict[tuple[int, int], set[int]] = {}
    for list_id, row, position in zip(
        drawn.list_ids.tolist(), drawn.rows.tolist(), drawn.positions.tolist(), strict=True
    ):
        expected.setdefault((list_id, row), set()).add(position)
    _, reader = both_postings(drawn)
    actual = {
        (term * 8 + field, row): set(reader.positions_at(index, row).tolist())
        for term in range(reader.term_count)
        for index, field in reader.lists_of(term)
        for row in reader.rows_of(index).tolist()
    }
    assert expected == actual


@st.composite
def merges(draw: st.DrawFn):
    """Draws segments and which of their rows are deleted."""
    segments = draw(st.lists(tokens(max_rows=80), min_size=1, max_size=4))
    seed = draw(st.integers(0, 2**32 - 1))
    deleted_share = draw(st.sampled_from([0.0, 0.3, 0.95, 1.0]))
    return segments, seed, deleted_share


def merge_sources(segments: list[Tokens], seed: int, deleted_share: float):
    """Returns the mergers' arguments: sources with row maps, and the merged buckets."""
    random = np.random.default_rng(seed)
    sources, buckets, base = [], [], 0
    for segment in segments:
        kept = np.flatnonzero(random.random(segment.buckets.shape[1]) >= deleted_share)
        row_map = np.full(segment.buckets.shape[1], DROPPED, np.uint32)
        row_map[kept] = np.arange(base, base + len(kept))
        base += len(kept)
        sources.append((*segment.dictionary, inverted(inversion, segment), row_map))
        buckets.append(segment.buckets[:, kept])
    return sources, np.ascontiguousarray(np.concatenate(buckets, axis=1))


def run_merge(kernel, sources, buckets, limit: int) -> list[tuple[list[int], bytes, Lists]]:
    """Takes all blocks of a merge."""
    merger = kernel.Merger(sources, buckets)
    blocks = []
    while (block := merger.next_block(limit)) is not None:
        sizes, spellings, lists = block
        blocks.append((sizes.tolist(), spellings.tobytes(), lists))
    return blocks


@given(merges(), st.sampled_from([1, 100, 1 << 20]))
@settings(max_examples=60, deadline=None)
def test_merging_gives_the_same_blocks(drawn, limit):
    """Terms and lists of every block agree, whatever was deleted."""
    sources, buckets = merge_sources(*drawn)
    expected, actual = (run_merge(kernel, sources, buckets, limit) for kernel in MERGERS)
    assert [block[:2] for block in expected] == [block[:2] for block in actual]
    for one, other in zip(expected, actual, strict=True):
        assert_same_lists(one[2], other[2])


@given(tokens(), st.data())
@settings(max_examples=40, deadline=None)
def test_merging_what_was_split_gives_the_whole(drawn, data):
    """Rows inverted in any number of parts and merged are the rows inverted at once."""
    row_count = drawn.buckets.shape[1]
    cuts = data.draw(st.lists(st.integers(0, row_count), max_size=4).map(sorted))
    bounds = [0, *cuts, row_count]
    sources = []
    for start, stop in pairwise(bounds):
        part = cut_rows(drawn, start, stop)
        if part is not None:
            row_map = np.arange(start, stop, dtype=np.uint32)
            sources.append((*part.dictionary, inverted(compiled_inversion, part), row_map))
    for kernel in MERGERS:
        ((sizes, spellings, lists),) = run_merge(kernel, sources, drawn.buckets, 1 << 30)
        assert [len(term) for term in drawn.terms] == sizes
        assert b"".join(drawn.terms) == spellings
        assert_same_lists(inverted(inversion, drawn), lists)


def cut_rows(given_tokens: Tokens, start: int, stop: int) -> Tokens | None:
    """Returns the tokens of some rows, renumbered, with the dictionary they need; None for none."""
    mine = (given_tokens.rows >= start) & (given_tokens.rows < stop)
    if not mine.any():
        return None
    old_ids = given_tokens.list_ids[mine]
    kept = np.unique(old_ids // 8)
    list_ids = np.searchsorted(kept, old_ids // 8) * 8 + old_ids % 8
    return Tokens(
        [given_tokens.terms[term] for term in kept.tolist()],
        list_ids.astype(np.uint32),
        (given_tokens.rows[mine] - start).astype(np.uint32),
        given_tokens.positions[mine],
        np.ascontiguousarray(given_tokens.buckets[:, start:stop]),
    )


@given(tokens(), st.binary(max_size=5) | st.text("abc", max_size=5).map(str.encode))
@settings(max_examples=60, deadline=None)
def test_finding_a_term_agrees(drawn, wanted):
    """Both readers find every term of the dictionary, and neither finds another."""
    plain, compiled = both_postings(drawn)
    for number, term in enumerate(drawn.terms):
        assert (number, number) == (plain.find_term(term), compiled.find_term(term))
    expected = drawn.terms.index(wanted) if wanted in drawn.terms else -1
    assert (expected, expected) == (plain.find_term(wanted), compiled.find_term(wanted))


@given(tokens(), tokens())
@settings(max_examples=40, deadline=None)
def test_finding_the_terms_of_another_segment_agrees(drawn, other):
    """Every term of one segment is found in the other where its dictionary has it, in any order."""
    numbers = np.arange(len(other.terms), dtype=np.uint32)
    known = {term: number for number, term in enumerate(drawn.terms)}
    for order in (numbers, numbers[::-1].copy(), numbers[::2].copy()):
        expected = [known.get(other.terms[number], -1) for number in order.tolist()]
        for ours, theirs in zip(both_postings(drawn), both_postings(other), strict=True):
            assert expected == ours.find_terms_of(theirs, order).tolist()


@given(tokens())
@settings(max_examples=40, deadline=None)
def test_reading_lists_agrees(drawn):
    """Lists, rows, frequencies and positions are the same in every row, also where there is none."""
    plain, compiled = both_postings(drawn)
    for term in range(len(drawn.terms)):
        assert plain.lists_of(term) == compiled.lists_of(term)
        for index, _ in plain.lists_of(term):
            assert plain.rows_of(index).tolist() == compiled.rows_of(index).tolist()
            assert np.all(np.diff(plain.rows_of(index).astype(np.int64)) > 0)
            for row in range(0, drawn.buckets.shape[1], 7):
                assert plain.freq_at(index, row) == compiled.freq_at(index, row)
                expected = plain.positions_at(index, row)
                assert expected.tolist() == compiled.positions_at(index, row).tolist()


@given(
    tokens(max_rows=25),
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 5)), min_size=1, max_size=4),
)
@settings(max_examples=35, deadline=None)
def test_phrases_agree(drawn, words):
    """Both readers find a phrase in the same rows, equally often; terms may repeat and have gaps."""
    plain, compiled = both_postings(drawn)
    for field in range(drawn.buckets.shape[0]):
        lists = [
            [index for index, own in plain.lists_of(number % len(drawn.terms)) if own == field]
            for number, _ in words
        ]
        if all(lists):
            indices, offsets = [found[0] for found in lists], [offset for _, offset in words]
            expected, actual = plain.phrase(indices, offsets), compiled.phrase(indices, offsets)
            assert expected[0].tolist() == actual[0].tolist()
            assert expected[1].tolist() == actual[1].tolist()
    terms = [number % len(drawn.terms) for number, _ in words]
    for slop in (0, 3):
        for numbers in (terms, [*terms[1:], -1]):
            arguments = numbers, [offset for _, offset in words], slop
            expected, actual = plain.phrase_lists(*arguments), compiled.phrase_lists(*arguments)
            assert [[own.tolist() for own in found[:2]] for found in expected] == [
                [own.tolist() for own in found[:2]] for found in actual
            ]
            assert [found[2] for found in expected] == [found[2] for found in actual]


def assert_same_answer(plain, compiled, groups, allowed, k: int, floor: float) -> None:
    """Rows and scores agree exactly; the count agrees when it claims to be exact."""
    rows, scores, matched, _ = plain.score_top_k(groups, allowed, k, floor)
    actual_rows, actual_scores, actual_matched, is_exact = compiled.score_top_k(
        groups, allowed, k, floor
    )
    assert (rows, scores) == (actual_rows, actual_scores)
    if is_exact:
        assert matched == actual_matched
    else:
        assert matched >= actual_matched


@given(
    tokens(),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 2, 3, 10, 500]),
    st.sampled_from([-1.0, 0.0, 0.4, 3.0]),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_scoring_agrees(drawn, seed, k, floor, has_mask):
    """The best k rows and their scores are the same numbers, whatever is asked for."""
    plain, compiled = both_postings(drawn)
    lists = [[index for index, _ in plain.lists_of(term)] for term in range(len(drawn.terms))]
    groups = random_groups(seed, lists, plain.row_count)
    allowed = None
    if has_mask:
        allowed = np.random.default_rng(seed).integers(0, 2, plain.row_count).astype(np.uint8)
    assert_same_answer(plain, compiled, groups, allowed, k, floor)
    assert_same_answer(plain, compiled, groups, allowed, k, floor)  # scratch memory is clean again


@given(
    tokens(),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 3, 500]),
    st.sampled_from([-1.0, 0.0, 0.4]),
)
@settings(max_examples=50, deadline=None)
def test_scoring_given_rows_agrees(drawn, seed, k, floor):
    """The best of the rows given, with lists that bring their own values among the groups."""
    plain, compiled = both_postings(drawn)
    random = np.random.default_rng(seed)
    lists = [[index for index, _ in plain.lists_of(term)] for term in range(len(drawn.terms))]
    groups = random_groups(seed, lists, plain.row_count)
    own_rows = np.flatnonzero(random.integers(0, 2, plain.row_count)).astype(np.uint32)
    own = (own_rows, random.random(len(own_rows)) + 0.1)
    groups.insert(int(random.integers(0, 3)), (0.5, 0.0, [(own, None)]))
    assert_same_answer(plain, compiled, groups, None, k, floor)
    rows = np.flatnonzero(random.integers(0, 2, plain.row_count)).astype(np.uint32)
    assert plain.sum_rows(groups, rows).tolist() == compiled.sum_rows(groups, rows).tolist()
    everywhere = np.arange(plain.row_count, dtype=np.uint32)
    found, scores, _, _ = plain.score_top_k(groups, None, k, max(floor, 0.0))
    expected = found, scores, plain.row_count
    assert expected == compiled.score_clauses(groups, [[everywhere]], [], None, k, max(floor, 0.0))


@given(
    tokens(),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1, 3, 500]),
    st.sampled_from([-1.0, 0.0, 0.4]),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_scoring_clauses_agrees(drawn, seed, k, floor, has_mask):
    """The best of the rows that have a list of every clause and none that is excluded, and their number."""
    plain, compiled = both_postings(drawn)
    random = np.random.default_rng(seed)
    lists = [[index for index, _ in plain.lists_of(term)] for term in range(len(drawn.terms))]
    groups = random_groups(seed, lists, plain.row_count)

    def some_lists():
        own = np.flatnonzero(random.integers(0, 4, plain.row_count)).astype(np.uint32)
        chosen = [lists[number] for number in random.integers(0, len(lists), random.integers(0, 3))]
        return [*(index for indices in chosen for index in indices), *[own][: random.integers(0, 2)]]

    needed = [some_lists() for _ in range(random.integers(1, 4))]
    excluded = some_lists()[: random.integers(0, 2)]
    mask = random.integers(0, 3, plain.row_count).astype(np.uint8) if has_mask else None
    expected = plain.score_clauses(groups, needed, excluded, mask, k, floor)
    assert expected == compiled.score_clauses(groups, needed, excluded, mask, k, floor)
    for least in range(len(needed) + 2):
        for plain_array, compiled_array in zip(
            plain.count_clauses(needed, least), compiled.count_clauses(needed, least), strict=True
        ):
            np.testing.assert_array_equal(plain_array, compiled_array)
            assert plain_array.dtype == compiled_array.dtype


def field_tables(random, left_out: int) -> tuple[list, list]:
    """Makes the tables of six fields, one of which may not count: shares to be added, and finished ones."""
    shares = np.cumsum(random.random((256, 256)), axis=0)[:, ::-1].copy()
    shares = np.minimum.accumulate(shares, axis=1)
    shares[0] = 0.0
    summed = [shares * field if field != left_out else None for field in range(1, 7)]
    return summed, [None if table is None else table / (table + 1.5) for table in summed]


@given(tokens(max_rows=25), st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(0, 3))
@settings(max_examples=50, deadline=None)
def test_a_phrase_alone_is_counted_and_scored_alike(drawn, seed, k, slop):
    """Both count the live rows that have it in any field, and score them as a group of its lists."""
    plain, compiled = both_postings(drawn)
    random = np.random.default_rng(seed)
    summed, finished = field_tables(random, left_out=seed % 7)
    live = random.integers(0, 2, drawn.buckets.shape[1]).astype(np.uint8)
    for terms in random.integers(-1, len(drawn.terms), (6, 2)).tolist():
        arguments = terms, random.integers(0, 3, 2).tolist(), slop
        expected, actual = plain.find_phrase(*arguments), compiled.find_phrase(*arguments)
        rows = {row for found, _, _ in plain.phrase_lists(*arguments) for row in found.tolist()}
        assert expected.count(None) == actual.count(None) == len(rows)
        assert expected.count(live) == actual.count(live) == sum(int(live[row]) for row in rows)
        for allowed, floor in ((None, -1.0), (live, 0.3)):
            wanted = expected.score(
                1.7, postings.FieldTables(summed, finished, 1.5), allowed, k, floor
            )
            scored = actual.score(
                1.7, compiled_postings.FieldTables(summed, finished, 1.5), allowed, k, floor
            )
            assert wanted[:2] == scored[:2]
            assert wanted[2] == scored[2] or not scored[3]


@given(tokens(), st.integers(0, 2**32 - 1), st.sampled_from([1, 3, 500]))
@settings(max_examples=50, deadline=None)
def test_scoring_terms_agrees(drawn, seed, k):
    """Whole terms score as groups of their lists do; absent terms and fields without table count nothing."""
    plain, compiled = both_postings(drawn)
    random = np.random.default_rng(seed)
    summed, finished = field_tables(random, left_out=seed % 6)
    terms = [int(number) for number in random.integers(-1, len(drawn.terms), 4)]
    weights = sorted(random.random(4).tolist(), reverse=True)
    expected = plain.score_terms(terms, weights, postings.FieldTables(summed, finished, 1.5), None, k, -1.0)
    tables = compiled_postings.FieldTables(summed, finished, 1.5)
    actual = compiled.score_terms(terms, weights, tables, None, k, -1.0)
    assert expected[:2] == actual[:2]
    if actual[3]:
        assert expected[2] == actual[2]
    words = [*drawn.terms, b"", b"nowhere"]
    assert plain.find_terms(words) == compiled.find_terms(words)
    sizes = random.integers(0, 4, seed % 3 + 1)
    needed = [random.integers(-1, len(drawn.terms), size).tolist() for size in sizes]
    excluded = random.integers(-1, len(drawn.terms), random.integers(0, 2)).tolist()
    arguments = needed, excluded, None, k, -1.0
    plain_tables = postings.FieldTables(summed, finished, 1.5)
    expected = plain.score_term_clauses(terms, weights, plain_tables, *arguments)
    assert expected == compiled.score_term_clauses(terms, weights, tables, *arguments)
    mask = random.integers(0, 3, plain.row_count).astype(np.uint8)
    for least in range(1, len(terms) + 2):
        for allowed, floor in ((None, -1.0), (mask, 0.3)):
            arguments = least, allowed, k, floor
            expected = plain.score_term_quorum(terms, weights, plain_tables, *arguments)
            assert expected == compiled.score_term_quorum(terms, weights, tables, *arguments)


@pytest.mark.parametrize("density", [0.001, 0.2, 1.0])
@pytest.mark.parametrize("k", [1, 10, 30_000])
def test_scoring_agrees_over_several_windows(density, k):
    """The same for more rows than the compiled loop takes at once, with terms in every row."""
    for seed in range(3):
        drawn = random_tokens(seed, 20_000, 4, density, 9)
        plain, compiled = both_windows(drawn)
        lists = [[index for index, _ in plain.lists_of(term)] for term in range(len(drawn.terms))]
        for number in range(6):
            groups = random_groups(seed * 100 + number, lists, plain.row_count)
            assert_same_answer(plain, compiled, groups, None, k, -1.0)
            mask = np.random.default_rng(number).integers(0, 2, plain.row_count).astype(np.uint8)
            assert_same_answer(plain, compiled, groups, mask, k, 0.1 * number)


@pytest.mark.parametrize("density", [0.001, 0.05, 1.0])
def test_counting_agrees_over_several_windows(density):
    """At least so many of nine lists, some long and some short, in more rows than are counted at once."""
    drawn = random_tokens(7, 20_000, 9, density, 9)
    plain, compiled = both_windows(drawn)
    random = np.random.default_rng(7)
    sizes = [10, 100, 1_000, 10_000]
    clauses: list[list] = [[index for index, _ in plain.lists_of(term)] for term in range(len(drawn.terms))]
    clauses += [[np.unique(random.integers(0, 20_000, size)).astype(np.uint32)] for size in sizes]
    for least in (1, 2, 3, len(clauses) - 1, len(clauses), len(clauses) + 1):
        expected, actual = plain.count_clauses(clauses, least), compiled.count_clauses(clauses, least)
        np.testing.assert_array_equal(expected[0], actual[0])
        np.testing.assert_array_equal(expected[1], actual[1])


def both_windows(drawn: Tokens):
    """As `both_postings`, inverted by the compiled kernel: the plain one would take seconds."""
    arguments = (*drawn.coded, inverted(compiled_inversion, drawn), drawn.buckets)
    return postings.Postings(*arguments), compiled_postings.Postings(*arguments)


def test_the_best_rows_are_at_least_one():
    """A page of no rows is the caller's mistake, and both twins say so."""
    for twin in both_windows(random_tokens(1, 40, 4, 0.3, 9)):
        with pytest.raises(ValueError, match="at least one"):
            twin.score_top_k([], None, 0, 0.0)


def test_a_term_in_every_row_does_not_hide_the_next():
    """A window in which the first term matches all rows still adds the second term's values."""
    count = 9_000
    every_row = np.arange(count, dtype=np.uint32)
    table = np.ones((2, 256))
    table[0] = 0.0
    drawn = Tokens(
        [b"a", b"b"],
        np.repeat(np.array([5, 13], np.uint32), count),
        np.tile(every_row, 2),
        np.zeros(2 * count, np.uint16),
        np.ones((6, count), np.uint8),
    )
    _, compiled = both_windows(drawn)
    groups = [(1.0, 0.0, [(0, table)]), (1.0, 0.0, [(1, table)])]
    rows, scores, matched, is_exact = compiled.score_top_k(groups, None, count, -1.0)
    assert (count, True) == (matched, is_exact)
    assert [2.0] * count == scores
    assert every_row.tolist() == rows


@given(tokens(), st.sets(st.integers(0, 7)), st.data())
@settings(max_examples=100, deadline=None)
def test_forms_are_merged_to_the_same_lists(drawn, fields, data):
    """Rows, sums and the number of rows agree, for any terms in any fields, call after call."""
    lists, row_count = inverted(inversion, drawn), drawn.buckets.shape[1]
    terms = data.draw(st.sets(st.integers(0, max(len(drawn.terms) - 1, 0)), max_size=len(drawn.terms)))
    chosen = np.array(sorted(terms), np.uint32)
    expected, total = form_merging.merge_terms(lists, row_count, chosen, fields)
    for _ in range(2):  # the second call works with the memory of the first
        actual, same_total = compiled_forms.merge_terms(lists, row_count, chosen, fields)
        assert total == same_total
        assert [source_values(source) for source in expected] == [source_values(source) for source in actual]


def source_values(source: tuple) -> tuple:
    """Returns what one merged list has, with the types of its arrays."""
    merged, field = source
    if isinstance(merged, int):
        return merged, field
    rows, freqs, own = merged
    return rows.dtype, rows.tolist(), freqs.dtype, freqs.tolist(), own, field


def test_sums_of_many_forms_saturate_over_many_rows():
    """Sums stop at what a byte holds; damage is an error, and the next call is right."""
    given_tokens = random_tokens(5, 3000, 40, 0.1, 400)
    lists, row_count = inverted(inversion, given_tokens), given_tokens.buckets.shape[1]
    every = np.arange(len(lists.term_lists) - 1, dtype=np.uint32)
    expected, total = form_merging.merge_terms(lists, row_count, every, frozenset(range(8)))
    damaged = lists._replace(list_postings=lists.list_postings + len(lists.postings))
    for _ in range(2):
        actual, same_total = compiled_forms.merge_terms(lists, row_count, every, frozenset(range(8)))
        assert total == same_total
        assert [source_values(source) for source in expected] == [source_values(source) for source in actual]
        for twin in (form_merging, compiled_forms):
            with pytest.raises(ValueError, match="outside"):
                twin.merge_terms(damaged, row_count, every, frozenset(range(8)))
            with pytest.raises(ValueError, match="no term"):
                twin.merge_terms(lists, row_count, every + 1, frozenset(range(8)))


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 3)), max_size=60), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_terms_have_the_distance_of_their_nearest_word(found, seed):
    """Terms ascend, each once; words of any order and of the same term are allowed."""
    word_terms = np.random.default_rng(seed).integers(0, 9, 20).astype(np.uint32)
    words, distances = (np.array([pair[at] for pair in found], kind) for at, kind in ((0, "u4"), (1, "u1")))
    expected: dict[int, int] = {}
    for word, distance in found:
        term = int(word_terms[word])
        expected[term] = min(distance, expected.get(term, 3))
    for twin in (form_merging, compiled_forms):
        terms, nearest = twin.nearest_terms(word_terms, words, distances)
        assert sorted(expected.items()) == list(zip(terms.tolist(), nearest.tolist(), strict=True))
        assert (np.uint32, np.uint8) == (terms.dtype, nearest.dtype)
        with pytest.raises(ValueError, match="no word"):
            twin.nearest_terms(word_terms, np.array([20], np.uint32), np.zeros(1, np.uint8))


@given(ROW_SETS, ROW_SETS)
@settings(max_examples=80, deadline=None)
def test_sorted_sets_are_sets(left, right):
    """Both twins give what Python's sets give, ascending."""
    arrays = [np.array(sorted(values), np.uint32) for values in (left, right)]
    for kernel in (sorted_sets, compiled_sets):
        assert sorted(set(left) & set(right)) == kernel.intersect(*arrays).tolist()
        assert sorted(set(left) | set(right)) == kernel.union(*arrays).tolist()
        assert sorted(set(left) - set(right)) == kernel.difference(*arrays).tolist()
        assert np.uint32 == kernel.union(*arrays).dtype


def test_decoded_lengths_ascend():
    """Every bucket stands for a greater length than the one before; short lengths are exact."""
    decoded = decoded_lengths()
    assert np.all(np.diff(decoded) > 0)
    assert list(range(64)) == decoded[:64].tolist()
    assert 65_535 <= decoded[-1]


@given(st.lists(st.integers(0, 65_535), min_size=1, max_size=50))
@settings(max_examples=50, deadline=None)
def test_length_buckets_keep_order_and_are_stable(lengths):
    """Longer fields never get smaller buckets, a bucket's own length stays in it, and none is above."""
    ordered = np.array(sorted(lengths))
    buckets = length_buckets(ordered)
    decoded = decoded_lengths()[buckets]
    assert np.all(np.diff(buckets.astype(int)) >= 0)
    assert np.all(decoded <= ordered)
    assert np.all(decoded >= ordered * 0.96 - 1)
    assert buckets.tolist() == length_buckets(decoded).tolist()
