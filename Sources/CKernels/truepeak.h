// The greatest values of a signal between its frames: a few interpolation filters at once over many frames.
#ifndef TUTTI_CKERNELS_TRUEPEAK_H
#define TUTTI_CKERNELS_TRUEPEAK_H

#include <string.h>

#pragma clang assume_nonnull begin

typedef float tutti_peak_lanes __attribute__((vector_size(32)));
typedef int tutti_peak_bits __attribute__((vector_size(32)));

#define TUTTI_PEAK_BLOCK 16

// What else compilers may leave in memory: the sums of a tap are in registers only where its loop is gone.
#define TUTTI_PEAK_UNROLL _Pragma("clang loop unroll(full)")

// Raises eight peaks to the magnitudes of `sums`. A macro: see `convolve.h`.
#define TUTTI_PEAK_RAISE(sums, at)                                                                                     \
    {                                                                                                                  \
        tutti_peak_lanes peak;                                                                                         \
        memcpy(&peak, at, sizeof peak);                                                                                \
        TUTTI_PEAK_UNROLL                                                                                              \
        for (int phase = 0; phase < phases; phase++) {                                                                 \
            tutti_peak_lanes level = (tutti_peak_lanes)((tutti_peak_bits)sums[phase] & 0x7fffffff);                    \
            tutti_peak_bits is_greater = level > peak;                                                                 \
            peak = (tutti_peak_lanes)((is_greater & (tutti_peak_bits)level) | (~is_greater & (tutti_peak_bits)peak));  \
        }                                                                                                              \
        memcpy(at, &peak, sizeof peak);                                                                                \
    }

// For 16 frames each time: frame n's filters are over samples[n] … samples[n + taps - 1]. A NaN is no peak.
static inline __attribute__((always_inline)) void tutti_peak_run(
    const float *samples, const float *filters, float *peaks, long count, long taps, const int phases) {
    for (long n = 0; n < count; n += TUTTI_PEAK_BLOCK) {
        tutti_peak_lanes first[4] = {{0}, {0}, {0}, {0}}, second[4] = {{0}, {0}, {0}, {0}};
        for (long tap = 0; tap < taps; tap++) {
            tutti_peak_lanes one, two;
            memcpy(&one, samples + n + tap, sizeof one);
            memcpy(&two, samples + n + tap + 8, sizeof two);
            TUTTI_PEAK_UNROLL
            for (int phase = 0; phase < phases; phase++) {
                float c = filters[tap * phases + phase];
                first[phase] = c * one + first[phase];
                second[phase] = c * two + second[phase];
            }
        }
        TUTTI_PEAK_RAISE(first, peaks + n)
        TUTTI_PEAK_RAISE(second, peaks + n + 8)
    }
}

#define TUTTI_PEAKS                                                                                                    \
    if (phases == 3)                                                                                                   \
        tutti_peak_run(samples, filters, peaks, count, taps, 3);                                                       \
    else                                                                                                               \
        tutti_peak_run(samples, filters, peaks, count, taps, 4);

// Raises `peaks` to the magnitudes of 3 or 4 filters; the coefficients of a tap lie together. Works in blocks of 16 frames: there is
// room for `count` rounded up, in `samples` too.
static inline void tutti_peaks(
    const float *samples, const float *filters, float *peaks, long count, long taps, int phases) {
    TUTTI_PEAKS
}

#if defined(__x86_64__)
// The same for processors that have AVX2 and FMA, which is to be asked first.
static __attribute__((target("avx2,fma"))) void tutti_peaks_wide(
    const float *samples, const float *filters, float *peaks, long count, long taps, int phases) {
    TUTTI_PEAKS
}
#else
static inline void tutti_peaks_wide(
    const float *samples, const float *filters, float *peaks, long count, long taps, int phases) {
    tutti_peaks(samples, filters, peaks, count, taps, phases);
}
#endif

#pragma clang assume_nonnull end

#endif
