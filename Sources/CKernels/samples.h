// What effects do to samples as bits, and to the processor's mode for very small numbers.
#ifndef TUTTI_CKERNELS_SAMPLES_H
#define TUTTI_CKERNELS_SAMPLES_H

#include <stdint.h>
#include <string.h>

// Puts 0 for each sample that is NaN or infinite; returns how many there were.
static inline long tutti_clean(float *_Nonnull samples, long count) {
    uint32_t found = 0;
    for (long i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, samples + i, sizeof bits);
        uint32_t is_bad = (bits & 0x7f800000u) == 0x7f800000u;
        bits &= is_bad - 1;
        found += is_bad;
        memcpy(samples + i, &bits, sizeof bits);
    }
    return (long)found;
}

// The greatest magnitude; a NaN has none.
static inline float tutti_greatest(const float *_Nonnull samples, long count) {
    float greatest[8] = {0};
    long i = 0;
    for (; i + 8 <= count; i += 8)
        for (int lane = 0; lane < 8; lane++) {
            float level = __builtin_fabsf(samples[i + lane]);
            greatest[lane] = level > greatest[lane] ? level : greatest[lane];
        }
    for (; i < count; i++) {
        float level = __builtin_fabsf(samples[i]);
        greatest[0] = level > greatest[0] ? level : greatest[0];
    }
    for (int lane = 1; lane < 8; lane++) greatest[0] = greatest[lane] > greatest[0] ? greatest[lane] : greatest[0];
    return greatest[0];
}

// From here to `tutti_denormals_restore` numbers too small to be normal are 0, on this thread: processors compute with them up to
// a hundred times slower, and a filter's decay ends in them. Returns the mode to restore.
static inline uint64_t tutti_denormals_flush(void) {
#if defined(__x86_64__)
    uint32_t mode = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode | 0x8040u);  // FTZ and DAZ
    return mode;
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | (1ull << 24)) : "memory");  // FZ
    return mode;
#else
    return 0;
#endif
}

static inline void tutti_denormals_restore(uint64_t mode) {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((uint32_t)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
#else
    (void)mode;
#endif
}

// The mode as it is now.
static inline uint64_t tutti_denormals_mode(void) {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
#else
    return 0;
#endif
}

#endif
