/* The inner loops of `_vectors.pyx` that need the processor's wide registers.

   Each loop is written once, plainly, and once more with AVX2 where a compiler and a processor of the x86
   family offer it; `has_avx2` asks the processor. Both give the same integers. */

#ifndef DOWSE_VECTOR_SCAN_H
#define DOWSE_VECTOR_SCAN_H

#include <stdint.h>
#include <string.h>

#include "processor.h"

#define LANES 32 /* rows of a block, side by side */

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(place) __builtin_prefetch(place)
#else
#define PREFETCH(place) ((void)0)
#endif

static void prefetch_row(const void *row, long size) {
    long i;
    for (i = 0; i < size; i += 64) PREFETCH((const char *)row + i);
}

/* Sums the looked-up values of the 32 rows of one block.
   block: [width][32]; lookup: [2 * width][16]; pairs: [width][256], what two nibbles give together. */
static void sum_block_plain(const uint8_t *block, const uint8_t *pairs, long width, uint16_t *sums) {
    long i;
    int lane;
    memset(sums, 0, LANES * sizeof(uint16_t));
    for (i = 0; i < width; i++) {
        const uint8_t *bytes = block + i * LANES, *values = pairs + i * 256;
        for (lane = 0; lane < LANES; lane++) sums[lane] = (uint16_t)(sums[lane] + values[bytes[lane]]);
    }
}

static int32_t dot_plain(const int8_t *row, const int16_t *query, long width) {
    int32_t sum = 0;
    long i;
    for (i = 0; i < width; i++) sum += (int32_t)row[i] * query[i];
    return sum;
}

/* Sums remainders, two a byte, times the query's even and odd dimensions; at most 15 * 2,047 * 4,096. */
static int32_t sum_remainders_plain(
    const uint8_t *packed, const int16_t *evens, const int16_t *odds, long count) {
    int32_t sum = 0;
    long i;
    for (i = 0; i < count; i++) sum += (packed[i] & 15) * evens[i] + (packed[i] >> 4) * odds[i];
    return sum;
}

#if HAS_AVX2_CODE

/* One shuffle looks a nibble of 32 rows up at once. Two values of at most 60 fit a byte; the bytes are then
   added to 16 bits, even and odd lanes apart. */
FOR_AVX2 static void sum_block_avx2(const uint8_t *block, const uint8_t *lookup, long width, uint16_t *sums) {
    const __m256i nibble = _mm256_set1_epi8(15), low_byte = _mm256_set1_epi16(255);
    __m256i even = _mm256_setzero_si256(), odd = even, first, second;
    long i;
    for (i = 0; i < width; i++) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(block + i * LANES));
        __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(lookup + i * 32)));
        __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(lookup + i * 32 + 16)));
        __m256i both = _mm256_add_epi8(
            _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, nibble)),
            _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble)));
        even = _mm256_add_epi16(even, _mm256_and_si256(both, low_byte));
        odd = _mm256_add_epi16(odd, _mm256_srli_epi16(both, 8));
    }
    first = _mm256_unpacklo_epi16(even, odd);   /* lanes 0–7 and 16–23 */
    second = _mm256_unpackhi_epi16(even, odd);  /* lanes 8–15 and 24–31 */
    _mm256_storeu_si256((__m256i *)sums, _mm256_permute2x128_si256(first, second, 0x20));
    _mm256_storeu_si256((__m256i *)(sums + 16), _mm256_permute2x128_si256(first, second, 0x31));
}

/* Adds the eight numbers of a register. */
FOR_AVX2 static int32_t sum_register(__m256i numbers) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return _mm_cvtsi128_si32(half);
}

/* width is a multiple of 64. */
FOR_AVX2 static int32_t dot_avx2(const int8_t *row, const int16_t *query, long width) {
    __m256i left = _mm256_setzero_si256(), right = left;
    long i;
    for (i = 0; i < width; i += 32) {
        __m256i a = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + i)));
        __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + i + 16)));
        left = _mm256_add_epi32(
            left, _mm256_madd_epi16(a, _mm256_loadu_si256((const __m256i *)(query + i))));
        right = _mm256_add_epi32(
            right, _mm256_madd_epi16(b, _mm256_loadu_si256((const __m256i *)(query + i + 16))));
    }
    return sum_register(_mm256_add_epi32(left, right));
}

/* count is a multiple of 32. */
FOR_AVX2 static int32_t sum_remainders_avx2(
    const uint8_t *packed, const int16_t *evens, const int16_t *odds, long count) {
    const __m256i nibble = _mm256_set1_epi16(15);
    __m256i left = _mm256_setzero_si256(), right = left;
    long i;
    for (i = 0; i < count; i += 16) {
        __m256i bytes = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(packed + i)));
        left = _mm256_add_epi32(left, _mm256_madd_epi16(
            _mm256_and_si256(bytes, nibble), _mm256_loadu_si256((const __m256i *)(evens + i))));
        right = _mm256_add_epi32(right, _mm256_madd_epi16(
            _mm256_srli_epi16(bytes, 4), _mm256_loadu_si256((const __m256i *)(odds + i))));
    }
    return sum_register(_mm256_add_epi32(left, right));
}

/* Says by a bit each which of the 32 estimates exceed the floor: mostly none. */
FOR_AVX2 static uint32_t estimate_block_avx2(
    const uint16_t *sums, const float *factors, const float *biases, float step, int32_t middle, float floor,
    float *estimates) {
    const __m256 steps = _mm256_set1_ps(step), floors = _mm256_set1_ps(floor), zero = _mm256_setzero_ps();
    const __m256i middles = _mm256_set1_epi32(middle);
    uint32_t found = 0;
    int lane;
    for (lane = 0; lane < LANES; lane += 8) {
        __m256i sum = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(sums + lane)));
        __m256 dot = _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_slli_epi32(sum, 1), middles));
        __m256 estimate = _mm256_mul_ps(_mm256_loadu_ps(factors + lane), _mm256_mul_ps(steps, dot));
        estimate = _mm256_add_ps(_mm256_add_ps(_mm256_loadu_ps(biases + lane), estimate), zero);
        _mm256_storeu_ps(estimates + lane, estimate);
        found |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(estimate, floors, _CMP_GT_OQ)) << lane;
    }
    return found;
}

#else
#define sum_block_avx2 sum_block_plain
#define dot_avx2 dot_plain
#define sum_remainders_avx2 sum_remainders_plain
#define estimate_block_avx2(sums, factors, biases, step, middle, floor, estimates) 0
#endif

/* Adding 0 turns -0 into 0, which the order of bits tells apart and comparison does not. */
static uint32_t estimate_block_plain(
    const uint16_t *sums, const float *factors, const float *biases, float step, int32_t middle, float floor,
    int lanes, float *estimates) {
    uint32_t found = 0;
    int lane;
    for (lane = 0; lane < lanes; lane++) {
        float dot = step * (float)(2 * (int32_t)sums[lane] - middle);
        estimates[lane] = (biases[lane] + factors[lane] * dot) + 0.0f;
        found |= (uint32_t)(estimates[lane] > floor) << lane;
    }
    return found;
}

/* The place of the lowest bit of a word that is not 0. */
static int lowest_bit(uint32_t word) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctz(word);
#else
    int place = 0;
    while (!(word >> place & 1)) place++;
    return place;
#endif
}

/* A number that orders as (score, then the smaller row) do; no two rows have the same. */
static uint64_t rank_of(float score, uint32_t row) {
    uint32_t bits;
    memcpy(&bits, &score, sizeof bits);
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | (uint32_t)~row;
}

static float score_of(uint64_t rank) {
    uint32_t bits = (uint32_t)(rank >> 32);
    float score;
    bits = bits & 0x80000000u ? bits & 0x7FFFFFFFu : ~bits;
    memcpy(&score, &bits, sizeof score);
    return score;
}

#endif
