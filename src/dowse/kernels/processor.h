/* What the compiler can write and the processor can run, for the loops that need wide registers.

   Such a loop is compiled for its registers whatever the machine it is compiled on, and run where the
   processor says that it has them. */

#ifndef DOWSE_PROCESSOR_H
#define DOWSE_PROCESSOR_H

#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
#define HAS_AVX2_CODE 1
#include <immintrin.h>
#define FOR_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 __attribute__((target("avx2"), always_inline)) static inline
#else
#define HAS_AVX2_CODE 0
#endif

/* Older compilers do not know the name, and one kernel that does not compile switches all of them off. */
#if HAS_AVX2_CODE && (defined(__clang__) ? __clang_major__ >= 7 : __GNUC__ >= 8)
#define HAS_VNNI_CODE 1
#define FOR_VNNI __attribute__((target("avx2,avx512f,avx512vnni")))
#define INLINE_VNNI __attribute__((target("avx2,avx512f,avx512vnni"), always_inline)) static inline
#else
#define HAS_VNNI_CODE 0
#endif

static inline int has_avx2(void) {
#if HAS_AVX2_CODE
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

static inline int has_vnni(void) {
#if HAS_VNNI_CODE
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni");
#else
    return 0;
#endif
}

#endif
