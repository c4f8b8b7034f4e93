"""Compiled twin of `reference/transformer.py`: one text through a small transformer."""

import numpy as np

from dowse.kernels.transformer_weights import EXP2_CURVE, GELU_CURVE, check_tokens, check_weights

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

cdef extern from "processor.h" nogil:
    int has_avx2()
    int has_vnni()

cdef extern from "transformer_pass.h" nogil:
    ctypedef struct Weights:
        const int8_t* panels
        const int32_t* sums
        const float* scales
        const float* bias
        long depth, columns

    ctypedef struct LayerWeights:
        Weights qkv, output, ffn_in, ffn_out
        const float* attention_norm
        const float* norm

    ctypedef struct Shape:
        const float* gelu
        const float* exp2
        float epsilon
        long width, inner, heads, layers
        int has_vnni

    ctypedef struct Room:
        long count, padded
        float* hidden
        float* qkv
        float* context
        float* inner
        float* added
        float* keys
        float* scores
        uint8_t* levels
        float* scales
        int32_t* zero_points

    void pack_into(const int8_t* numbers, long depth, long columns, int8_t* panels, int32_t* sums)
    void add_and_normalise(float* rows, const float* added, long count, const float* norm, const Shape* shape)
    void pass_through(const LayerWeights* layers, const Shape* shape, const Room* room)


cdef bint HAS_AVX2 = has_avx2()
cdef bint HAS_VNNI = has_vnni()


def _use_registers(long bits):
    """Lets loops use registers of so many bits, for tests: 512, 256, or 0 for the twin. Returns which they use.

    A transformer keeps to what was said when it was built.
    """
    global HAS_AVX2, HAS_VNNI
    HAS_AVX2 = bits >= 256 and has_avx2()
    HAS_VNNI = bits >= 512 and has_vnni()
    return 512 if HAS_VNNI else 256 if HAS_AVX2 else 0


cdef class Transformer:
    # Immutable once built, so threads may share it: each call has room of its own.
    cdef list _kept  # the arrays that the pointers below point into
    cdef object _weights, _plain
    cdef int8_t[::1] _panels
    cdef Py_ssize_t _packed
    cdef LayerWeights* _layers
    cdef Shape _shape
    cdef const float* _norm
    cdef const uint8_t[:, ::1] _token_embeddings
    cdef const float[:, ::1] _positions
    cdef float _token_scale, _token_zero_point

    def __cinit__(self, weights):
        self._kept, self._plain = [], None
        self._layers = NULL
        if not HAS_AVX2:
            from dowse.kernels.reference.transformer import Transformer as PlainTransformer

            self._plain = PlainTransformer(weights)
            return
        check_weights(weights)
        self._token_embeddings, self._positions = weights.token_embeddings, weights.positions
        self._token_scale, self._token_zero_point = weights.token_scale, weights.token_zero_point
        # Kept for `check_tokens`, which asks for two lengths only; the matrices may go.
        self._weights = weights._replace(layers=())
        self._shape.gelu, self._shape.exp2 = self.keep(GELU_CURVE), self.keep(EXP2_CURVE)
        self._shape.epsilon, self._shape.heads = weights.epsilon, weights.heads
        self._shape.width, self._shape.layers = weights.positions.shape[1], len(weights.layers)
        self._shape.has_vnni = HAS_VNNI
        self._norm = self.keep(np.concatenate(weights.norm))
        self._layers = <LayerWeights*>calloc(max(1, len(weights.layers)), sizeof(LayerWeights))
        if self._layers == NULL:
            raise MemoryError
        matrices = [matrix for layer in weights.layers for matrix in layer if hasattr(matrix, "weights")]
        # One stretch of memory, so that fetching ahead runs on into the next matrix.
        room = np.empty(sum([matrix.weights.size for matrix in matrices]) + 64, np.int8)
        self._panels = room[-room.ctypes.data % 64:]
        for at, layer in enumerate(weights.layers):
            self._layers[at].qkv = self.pack(layer.qkv)
            self._layers[at].output = self.pack(layer.output)
            self._layers[at].ffn_in = self.pack(layer.ffn_in)
            self._layers[at].ffn_out = self.pack(layer.ffn_out)
            self._layers[at].attention_norm = self.keep(np.concatenate(layer.attention_norm))
            self._layers[at].norm = self.keep(np.concatenate(layer.norm))
            self._shape.inner = layer.ffn_in.weights.shape[1]

    def __init__(self, weights):
        pass

    def __dealloc__(self):
        free(self._layers)

    cdef const float* keep(self, values) except NULL:
        cdef const float[::1] kept = np.ascontiguousarray(values, np.float32)
        self._kept.append(kept.base)
        return &kept[0]

    cdef Weights pack(self, matrix):
        cdef const int8_t[:, ::1] numbers = np.ascontiguousarray(matrix.weights)
        cdef int8_t[::1] panels = self._panels[self._packed:]
        cdef int32_t[::1] sums = np.empty(matrix.weights.shape[1], np.int32)
        cdef Weights packed
        packed.depth, packed.columns = numbers.shape[0], numbers.shape[1]
        pack_into(&numbers[0, 0], packed.depth, packed.columns, &panels[0], &sums[0])
        self._packed += matrix.weights.size
        self._kept.append(sums.base)
        packed.panels, packed.sums = &panels[0], &sums[0]
        packed.scales, packed.bias = self.keep(matrix.scales), self.keep(matrix.bias)
        return packed

    @staticmethod
    def is_fast():
        return bool(HAS_AVX2)

    def cls_embedding(self, const int64_t[::1] tokens not None):
        if self._plain is not None:
            return self._plain.cls_embedding(np.asarray(tokens))
        check_tokens(np.asarray(tokens), self._weights)
        cdef long count = tokens.shape[0], width = self._shape.width, i, k
        vector = np.empty(width, np.float32)
        cdef float[::1] first = vector
        cdef Room room
        cdef float* floats
        room.count, room.padded = count, (count + 7) // 8 * 8
        # hidden, qkv (3), context, added · inner · keys, scores · scales, zero_points
        cdef long size = 6 * count * width + count * self._shape.inner
        size += (width // self._shape.heads + 4) * room.padded + 2 * count
        floats = <float*>calloc(size, sizeof(float))
        room.levels = <uint8_t*>malloc(count * max(self._shape.inner, width))
        if floats == NULL or room.levels == NULL:
            free(floats)
            free(room.levels)
            raise MemoryError
        with nogil:
            room.hidden = floats
            room.qkv = room.hidden + count * width
            room.context = room.qkv + 3 * count * width
            room.added = room.context + count * width
            room.inner = room.added + count * width
            room.keys = room.inner + count * self._shape.inner
            room.scores = room.keys + (width // self._shape.heads) * room.padded
            room.scales = room.scores + 4 * room.padded
            room.zero_points = <int32_t*>(room.scales + count)
            for i in range(count):
                for k in range(width):
                    room.hidden[i * width + k] = (
                        <float>self._token_embeddings[tokens[i], k] - self._token_zero_point
                    ) * self._token_scale
            add_and_normalise(room.hidden, &self._positions[0, 0], count, self._norm, &self._shape)
            pass_through(self._layers, &self._shape, &room)
            memcpy(&first[0], room.hidden, width * sizeof(float))
        free(floats)
        free(room.levels)
        return vector
