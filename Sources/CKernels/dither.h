// Floats become integers, with triangular dither of one step to either side.
#ifndef TUTTI_CKERNELS_DITHER_H
#define TUTTI_CKERNELS_DITHER_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// What SplitMix64 (see `SplitMix64` of TuttiCore) adds to its state for each number.
#define TUTTI_DITHER_STEP 0x9E3779B97F4A7C15u

// In double precision: a float has no room below a sample of 24 bits for the dither. But for the sum, all of it is exact, so that the
// integers are the same with any instructions. The generator's numbers depend on their place alone, so that several are made at once.
static inline __attribute__((always_inline)) void tutti_dither_body(
    const float *from, int32_t *to, long count, double scale, uint64_t seed) {
    for (long i = 0; i < count; i++) {
        uint64_t bits = seed + (uint64_t)(i + 1) * TUTTI_DITHER_STEP;
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        bits ^= bits >> 31;
        // Its two halves are two even distributions, their difference a triangular one.
        double noise = (double)(uint32_t)(bits >> 32) - (double)(uint32_t)bits;
        double sample = (double)from[i] * scale + noise * 0x1p-32;
        sample = sample == sample ? sample : 0;
        sample = sample > -scale ? sample : -scale;
        sample = sample < scale - 1 ? sample : scale - 1;
        to[i] = (int32_t)(sample + (sample < 0 ? -0.5 : 0.5));
    }
}

// Writes the integers of `count` samples, whose full scale is `scale`, with the next `count` numbers of SplitMix64, whose state is
// `seed`; what is not a number becomes 0. Returns the state after it.
static __attribute__((unused)) uint64_t tutti_dither(
    const float *from, int32_t *to, long count, double scale, uint64_t seed) {
    tutti_dither_body(from, to, count, scale, seed);
    return seed + (uint64_t)count * TUTTI_DITHER_STEP;
}

#if defined(__x86_64__)
// The same for processors that have AVX2 and FMA, which is to be asked first.
static __attribute__((target("avx2,fma"), unused)) uint64_t tutti_dither_wide(
    const float *from, int32_t *to, long count, double scale, uint64_t seed) {
    tutti_dither_body(from, to, count, scale, seed);
    return seed + (uint64_t)count * TUTTI_DITHER_STEP;
}
#else
static __attribute__((unused)) uint64_t tutti_dither_wide(
    const float *from, int32_t *to, long count, double scale, uint64_t seed) {
    return tutti_dither(from, to, count, scale, seed);
}
#endif

#pragma clang assume_nonnull end

#endif
