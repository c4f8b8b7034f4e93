/* One text through a transformer, for `_transformer.pyx`; the arithmetic of `reference/transformer.py`.

   A question has some 10 to 30 tokens, so that every weight is used for a few rows only: the weights stand
   in the order in which they are used, 16 columns side by side, and stream through the caches once. Products
   of integers are added up by AVX-512's VNNI where the processor has it, which changes nothing but the time;
   all else is AVX2. Sums are added in the twin's order: eight lanes first, then the lanes in halves. */

#ifndef DOWSE_TRANSFORMER_PASS_H
#define DOWSE_TRANSFORMER_PASS_H

#include <stdint.h>
#include <string.h>

#include "processor.h"

#define PANEL 16 /* columns side by side */
#define TILE 4   /* rows at once: their sums fill half of the registers, a step's weights a quarter */
#define WIDE_TILE 8 /* the same where there are 32 registers, each as wide as a panel */
#define AHEAD 32768 /* bytes of weights fetched before they are used */
#define GELU_CURVE 9
#define EXP2_CURVE 8

typedef struct {
    const int8_t *panels; /* [columns / 16][depth / 8][2 quads][16 columns][4] */
    const int32_t *sums;  /* of each column */
    const float *scales, *bias;
    long depth, columns;
} Weights;

typedef struct {
    Weights qkv, output, ffn_in, ffn_out;
    const float *attention_norm, *norm; /* weight, then bias */
} LayerWeights;

typedef struct {
    const float *gelu, *exp2;
    float epsilon;
    long width, inner, heads, layers;
    int has_vnni;
} Shape;

/* Room for one text of `count` tokens; `padded` is `count` rounded up to a multiple of 8. */
typedef struct {
    long count, padded;
    float *hidden, *qkv, *context, *inner, *added; /* [count][...] */
    float *keys, *scores;                             /* [head width][padded], [4][padded] */
    uint8_t *levels;                                  /* [count][inner] */
    float *scales;                                     /* [count] */
    int32_t *zero_points;                                   /* [count] */
} Room;

/* Puts [depth][columns] into panels, and adds up the columns. */
static void pack_into(const int8_t *numbers, long depth, long columns, int8_t *panels, int32_t *sums) {
    long panel, k, column;
    memset(sums, 0, columns * sizeof(int32_t));
    for (panel = 0; panel < columns; panel += PANEL) {
        for (k = 0; k < depth; k++) {
            const int8_t *row = numbers + k * columns + panel;
            int8_t *place = panels + panel * depth + k / 4 * (4 * PANEL) + k % 4;
            for (column = 0; column < PANEL; column++) {
                place[4 * column] = row[column];
                sums[panel + column] += row[column];
            }
        }
    }
}

#if HAS_AVX2_CODE

INLINE_AVX2 float add_lanes(__m256 lanes) {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

INLINE_AVX2 float max_lane(__m256 lanes) {
    __m128 half = _mm_max_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    half = _mm_max_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

/* Rounds rows to levels from 0 to 127, each by its own range. */
FOR_AVX2 static void quantise(const float *rows, long count, long depth, const Room *room) {
    const __m256 none = _mm256_setzero_ps(), sign = _mm256_set1_ps(-0.0f);
    const __m256i top = _mm256_set1_epi8(127), order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    long i, k;
    int part;
    for (i = 0; i < count; i++) {
        const float *row = rows + i * depth;
        __m256 high = none, low = none, inverse;
        __m256i zero, parts[4];
        float highest, lowest, step;
        for (k = 0; k < depth; k += 8) {
            __m256 values = _mm256_loadu_ps(row + k);
            high = _mm256_max_ps(values, high);
            low = _mm256_max_ps(_mm256_xor_ps(values, sign), low);
        }
        highest = max_lane(high);
        lowest = max_lane(low); /* how far below 0 */
        step = (highest + lowest) / 127.0f;
        if (!(step > 0.0f)) step = 1.0f;
        inverse = _mm256_set1_ps(1.0f / step);
        zero = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_set1_ps(lowest), inverse));
        for (k = 0; k < depth; k += 32) {
            for (part = 0; part < 4; part++) {
                __m256 values = _mm256_mul_ps(_mm256_loadu_ps(row + k + 8 * part), inverse);
                parts[part] = _mm256_add_epi32(_mm256_cvtps_epi32(values), zero);
            }
            parts[0] = _mm256_packus_epi16(
                _mm256_packs_epi32(parts[0], parts[1]), _mm256_packs_epi32(parts[2], parts[3]));
            parts[0] = _mm256_min_epu8(_mm256_permutevar8x32_epi32(parts[0], order), top);
            _mm256_storeu_si256((__m256i *)(room->levels + i * depth + k), parts[0]);
        }
        room->scales[i] = step;
        room->zero_points[i] = _mm256_cvtsi256_si32(zero);
    }
}

INLINE_AVX2 int32_t four_levels(const uint8_t *place) {
    int32_t four;
    memcpy(&four, place, 4);
    return four;
}

/* Fetches two lines of weights early: the processor's own prefetching stops at every page. */
INLINE_AVX2 void fetch_ahead(const int8_t *place) {
    _mm_prefetch((const char *)place + AHEAD, _MM_HINT_T0);
    _mm_prefetch((const char *)place + AHEAD + 64, _MM_HINT_T0);
}

/* Adds two products of levels and weights in 16 bits, and widens them. */
INLINE_AVX2 __m256i add_products(__m256i sum, __m256i left, __m256i right, __m256i first, __m256i second) {
    __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(left, first), _mm256_maddubs_epi16(right, second));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

/* A few rows times one panel; `rows` is a constant where this is inlined. */
INLINE_AVX2 void multiply_tile(
    const Weights *weights, const Room *room, long first, long column, float *out, const int rows) {
    const long depth = weights->depth;
    const int8_t *place = weights->panels + column * depth;
    const uint8_t *levels = room->levels + first * depth;
    __m256i sums[TILE][2];
    long k;
    int i, half;
    for (i = 0; i < rows; i++) sums[i][0] = sums[i][1] = _mm256_setzero_si256();
    for (k = 0; k < depth; k += 8, place += 8 * PANEL) {
        const __m256i *step = (const __m256i *)place;
        if (first == 0) fetch_ahead(place);
        const __m256i a = _mm256_loadu_si256(step), b = _mm256_loadu_si256(step + 1);
        const __m256i c = _mm256_loadu_si256(step + 2), d = _mm256_loadu_si256(step + 3);
        for (i = 0; i < rows; i++) {
            const __m256i left = _mm256_set1_epi32(four_levels(levels + i * depth + k));
            const __m256i right = _mm256_set1_epi32(four_levels(levels + i * depth + k + 4));
            sums[i][0] = add_products(sums[i][0], left, right, a, c);
            sums[i][1] = add_products(sums[i][1], left, right, b, d);
        }
    }
    for (half = 0; half < 2; half++, column += 8) {
        const __m256i whole = _mm256_loadu_si256((const __m256i *)(weights->sums + column));
        const __m256 scale = _mm256_loadu_ps(weights->scales + column);
        const __m256 bias = _mm256_loadu_ps(weights->bias + column);
        for (i = 0; i < rows; i++) {
            const __m256i zero = _mm256_set1_epi32(room->zero_points[first + i]);
            const __m256i sum = _mm256_sub_epi32(sums[i][half], _mm256_mullo_epi32(zero, whole));
            const __m256 worth = _mm256_mul_ps(_mm256_set1_ps(room->scales[first + i]), scale);
            _mm256_storeu_ps(
                out + (first + i) * weights->columns + column,
                _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sum), worth), bias));
        }
    }
}

#if HAS_VNNI_CODE

/* The same with one instruction for four products and their sum; a register holds a whole panel. */
INLINE_VNNI void multiply_wide_tile(
    const Weights *weights, const Room *room, long first, long column, float *out, const int rows) {
    const long depth = weights->depth;
    const int8_t *place = weights->panels + column * depth;
    const uint8_t *levels = room->levels + first * depth;
    const __m512i whole = _mm512_loadu_si512(weights->sums + column);
    const __m512 scale = _mm512_loadu_ps(weights->scales + column);
    const __m512 bias = _mm512_loadu_ps(weights->bias + column);
    __m512i sums[WIDE_TILE][2]; /* two chains a row: a sum is ready only after some cycles */
    long k;
    int i;
    for (i = 0; i < rows; i++) sums[i][0] = sums[i][1] = _mm512_setzero_si512();
    for (k = 0; k < depth; k += 8, place += 8 * PANEL) {
        const __m512i a = _mm512_loadu_si512(place), b = _mm512_loadu_si512(place + 4 * PANEL);
        if (first == 0) fetch_ahead(place);
        for (i = 0; i < rows; i++) {
            const __m512i left = _mm512_set1_epi32(four_levels(levels + i * depth + k));
            const __m512i right = _mm512_set1_epi32(four_levels(levels + i * depth + k + 4));
            sums[i][0] = _mm512_dpbusd_epi32(sums[i][0], left, a);
            sums[i][1] = _mm512_dpbusd_epi32(sums[i][1], right, b);
        }
    }
    for (i = 0; i < rows; i++) {
        const __m512i zero = _mm512_set1_epi32(room->zero_points[first + i]);
        const __m512i sum = _mm512_sub_epi32(
            _mm512_add_epi32(sums[i][0], sums[i][1]), _mm512_mullo_epi32(zero, whole));
        const __m512 worth = _mm512_mul_ps(_mm512_set1_ps(room->scales[first + i]), scale);
        _mm512_storeu_ps(
            out + (first + i) * weights->columns + column,
            _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sum), worth), bias));
    }
}

/* out[count][columns] = levels times weights; columns before `from` and from `to` on are left alone. */
FOR_VNNI static void multiply_with_vnni(
    const Weights *weights, const Room *room, long count, long from, long to, float *out) {
    long column, i;
    for (column = from; column < to; column += PANEL) {
        for (i = 0; i + WIDE_TILE <= count; i += WIDE_TILE)
            multiply_wide_tile(weights, room, i, column, out, WIDE_TILE);
        if (count & 4) multiply_wide_tile(weights, room, i, column, out, 4), i += 4;
        if (count & 2) multiply_wide_tile(weights, room, i, column, out, 2), i += 2;
        if (count & 1) multiply_wide_tile(weights, room, i, column, out, 1);
    }
}

#endif

FOR_AVX2 static void multiply_with_avx2(
    const Weights *weights, const Room *room, long count, long from, long to, float *out) {
    long column, i;
    for (column = from; column < to; column += PANEL) {
        for (i = 0; i + TILE <= count; i += TILE) multiply_tile(weights, room, i, column, out, TILE);
        if (count - i == 3) multiply_tile(weights, room, i, column, out, 3);
        if (count - i == 2) multiply_tile(weights, room, i, column, out, 2);
        if (count - i == 1) multiply_tile(weights, room, i, column, out, 1);
    }
}

/* rows += added, then each row is normalised. */
FOR_AVX2 static void add_and_normalise(
    float *rows, const float *added, long count, const float *norm, const Shape *shape) {
    const long width = shape->width;
    long i, k;
    for (i = 0; i < count; i++, rows += width, added += width) {
        __m256 lanes = _mm256_setzero_ps(), mean, squares = lanes, inverse;
        for (k = 0; k < width; k += 8) {
            __m256 sum = _mm256_add_ps(_mm256_loadu_ps(rows + k), _mm256_loadu_ps(added + k));
            _mm256_storeu_ps(rows + k, sum);
            lanes = _mm256_add_ps(lanes, sum);
        }
        mean = _mm256_set1_ps(add_lanes(lanes) / (float)width);
        for (k = 0; k < width; k += 8) {
            __m256 apart = _mm256_sub_ps(_mm256_loadu_ps(rows + k), mean);
            _mm256_storeu_ps(rows + k, apart);
            squares = _mm256_add_ps(squares, _mm256_mul_ps(apart, apart));
        }
        inverse = _mm256_set1_ps(add_lanes(squares) / (float)width + shape->epsilon);
        inverse = _mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_sqrt_ps(inverse));
        for (k = 0; k < width; k += 8) {
            __m256 scaled = _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(rows + k), inverse),
                                          _mm256_loadu_ps(norm + k));
            _mm256_storeu_ps(rows + k, _mm256_add_ps(scaled, _mm256_loadu_ps(norm + width + k)));
        }
    }
}

FOR_AVX2 static void apply_gelu(float *values, long count, const float *curve) {
    const __m256 reach = _mm256_set1_ps(4.5f), one = _mm256_set1_ps(1.0f);
    long at;
    int power;
    for (at = 0; at < count; at += 8) {
        const __m256 value = _mm256_loadu_ps(values + at);
        const __m256 cut = _mm256_max_ps(_mm256_min_ps(value, reach), _mm256_sub_ps(_mm256_setzero_ps(), reach));
        const __m256 place =
            _mm256_sub_ps(_mm256_mul_ps(_mm256_mul_ps(cut, cut), _mm256_set1_ps(2.0f / 20.25f)), one);
        __m256 sum = _mm256_set1_ps(curve[GELU_CURVE - 1]);
        for (power = GELU_CURVE - 2; power >= 0; power--)
            sum = _mm256_add_ps(_mm256_mul_ps(sum, place), _mm256_set1_ps(curve[power]));
        sum = _mm256_add_ps(_mm256_mul_ps(cut, sum), _mm256_set1_ps(0.5f));
        _mm256_storeu_ps(values + at, _mm256_mul_ps(value, sum));
    }
}

/* e to the power of numbers of at most 0. */
INLINE_AVX2 __m256 exponential(__m256 value, const float *curve) {
    const __m256 scaled =
        _mm256_mul_ps(_mm256_max_ps(value, _mm256_set1_ps(-87.0f)), _mm256_set1_ps(1.44269504f));
    const __m256i whole = _mm256_cvtps_epi32(scaled);
    const __m256 rest = _mm256_sub_ps(scaled, _mm256_cvtepi32_ps(whole));
    __m256 sum = _mm256_set1_ps(curve[EXP2_CURVE - 1]);
    int power;
    for (power = EXP2_CURVE - 2; power >= 0; power--)
        sum = _mm256_add_ps(_mm256_mul_ps(sum, rest), _mm256_set1_ps(curve[power]));
    return _mm256_mul_ps(
        sum, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(whole, _mm256_set1_epi32(127)), 23)));
}

/* Scores of a few queries against all keys; `queries` is a constant where this is inlined. */
INLINE_AVX2 void score_keys(
    const float *first, long depth, const Shape *shape, const Room *room, const int queries) {
    const __m256 scale = _mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_sqrt_ps(_mm256_set1_ps((float)depth)));
    long key, k;
    int i;
    for (key = 0; key < room->padded; key += 8) {
        const float *keys = room->keys + key;
        __m256 sums[TILE];
        for (i = 0; i < queries; i++) sums[i] = _mm256_setzero_ps();
        for (k = 0; k < depth; k++, keys += room->padded) {
            const __m256 eight = _mm256_loadu_ps(keys);
            for (i = 0; i < queries; i++)
                sums[i] = _mm256_add_ps(
                    sums[i], _mm256_mul_ps(_mm256_set1_ps(first[3 * i * shape->width + k]), eight));
        }
        for (i = 0; i < queries; i++)
            _mm256_storeu_ps(room->scores + i * room->padded + key, _mm256_mul_ps(sums[i], scale));
    }
}

/* Scores become weights; returns what they add up to. */
FOR_AVX2 static float weigh_keys(float *scores, const Shape *shape, const Room *room) {
    __m256 top, lanes = _mm256_setzero_ps();
    long key;
    for (key = room->count; key < room->padded; key++) scores[key] = scores[0];
    top = _mm256_loadu_ps(scores);
    for (key = 8; key < room->padded; key += 8) top = _mm256_max_ps(_mm256_loadu_ps(scores + key), top);
    top = _mm256_set1_ps(max_lane(top));
    for (key = 0; key < room->padded; key += 8)
        _mm256_storeu_ps(
            scores + key, exponential(_mm256_sub_ps(_mm256_loadu_ps(scores + key), top), shape->exp2));
    for (key = room->count; key < room->padded; key++) scores[key] = 0.0f;
    for (key = 0; key < room->padded; key += 8) lanes = _mm256_add_ps(lanes, _mm256_loadu_ps(scores + key));
    return add_lanes(lanes);
}

/* out[depth]: the values of all tokens, weighed. */
FOR_AVX2 static void mix_values(
    const float *values, const float *weights, float sum, const Shape *shape, const Room *room, float *out) {
    const __m256 share = _mm256_set1_ps(1.0f / sum);
    const long depth = shape->width / shape->heads;
    long key, k;
    int part;
    for (k = 0; k < depth; k += 32) {
        __m256 sums[4];
        for (part = 0; part < 4; part++) sums[part] = _mm256_setzero_ps();
        for (key = 0; key < room->count; key++) {
            const float *place = values + 3 * key * shape->width + k;
            const __m256 weight = _mm256_set1_ps(weights[key]);
            for (part = 0; part < 4; part++)
                sums[part] =
                    _mm256_add_ps(sums[part], _mm256_mul_ps(weight, _mm256_loadu_ps(place + 8 * part)));
        }
        for (part = 0; part < 4; part++)
            _mm256_storeu_ps(out + k + 8 * part, _mm256_mul_ps(sums[part], share));
    }
}

/* context[count][width]: for each of the first queries the values of all tokens, weighed by their keys. */
FOR_AVX2 static void attend(const Shape *shape, const Room *room, long count) {
    const long width = shape->width, depth = width / shape->heads;
    float sums[TILE];
    long head, i, key, k, queries;
    for (head = 0; head < shape->heads; head++) {
        const float *qkv = room->qkv + head * depth;
        for (key = 0; key < room->count; key++)
            for (k = 0; k < depth; k++) room->keys[k * room->padded + key] = qkv[(3 * key + 1) * width + k];
        for (i = 0; i < count; i += queries) {
            queries = i + TILE <= count ? TILE : 1;
            if (queries == TILE)
                score_keys(qkv + 3 * i * width, depth, shape, room, TILE);
            else
                score_keys(qkv + 3 * i * width, depth, shape, room, 1);
            for (k = 0; k < queries; k++) sums[k] = weigh_keys(room->scores + k * room->padded, shape, room);
            for (k = 0; k < queries; k++)
                mix_values(qkv + 2 * width, room->scores + k * room->padded, sums[k], shape, room,
                           room->context + (i + k) * width + head * depth);
        }
    }
}

/* hidden[0] becomes the first token's vector: of the last layer nothing else is worked out. */
FOR_AVX2 static void pass_through(const LayerWeights *layers, const Shape *shape, const Room *room) {
    void (*multiply)(const Weights *, const Room *, long, long, long, float *) = multiply_with_avx2;
    const long width = shape->width;
    long layer;
#if HAS_VNNI_CODE
    if (shape->has_vnni) multiply = multiply_with_vnni;
#endif
    for (layer = 0; layer < shape->layers; layer++) {
        const LayerWeights *weights = layers + layer;
        const long wanted = layer + 1 < shape->layers ? room->count : 1;
        quantise(room->hidden, room->count, width, room);
        multiply(&weights->qkv, room, wanted, 0, width, room->qkv);
        multiply(&weights->qkv, room, room->count, width, 3 * width, room->qkv);
        attend(shape, room, wanted);
        quantise(room->context, wanted, width, room);
        multiply(&weights->output, room, wanted, 0, width, room->added);
        add_and_normalise(room->hidden, room->added, wanted, weights->attention_norm, shape);
        quantise(room->hidden, wanted, width, room);
        multiply(&weights->ffn_in, room, wanted, 0, shape->inner, room->inner);
        apply_gelu(room->inner, wanted * shape->inner, shape->gelu);
        quantise(room->inner, wanted, shape->inner, room);
        multiply(&weights->ffn_out, room, wanted, 0, width, room->added);
        add_and_normalise(room->hidden, room->added, wanted, weights->norm, shape);
    }
}

#else

static void add_and_normalise(
    float *rows, const float *added, long count, const float *norm, const Shape *shape) {
    (void)rows, (void)added, (void)count, (void)norm, (void)shape;
}

static void pass_through(const LayerWeights *layers, const Shape *shape, const Room *room) {
    (void)layers, (void)shape, (void)room;
}

#endif
#endif
