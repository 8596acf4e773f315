// Second-order filters one after the other, in 64 bits. One filter waits for its own last output; several are done at once by
// letting each work on a frame that is a step older than its predecessor's, so that no operation of a step needs another's result.
#ifndef TUTTI_CKERNELS_BIQUAD_H
#define TUTTI_CKERNELS_BIQUAD_H

#include <string.h>

#pragma clang assume_nonnull begin

// Lanes: left and right of one filter, left and right of another.
typedef double tutti_four __attribute__((vector_size(32)));
typedef long long tutti_four_mask __attribute__((vector_size(32)));

#define TUTTI_BIQUAD_WIDTH 4
// State is in registers only where the loops over it are gone.
#define TUTTI_BIQUAD_UNROLL _Pragma("clang loop unroll(full)")
#define TUTTI_BIQUAD_INLINE static inline __attribute__((always_inline))

// One step of all filters, in the transposed direct form II: the first gets `input`, each later one its predecessor's last output.
// Vector v holds the filters v and width + v. With masks, filters whose frame is before the first or after the last keep their state.
TUTTI_BIQUAD_INLINE void tutti_biquad_step(
    const double *coefficients, tutti_four *s1, tutti_four *s2, tutti_four *y, const double *input, double *_Nullable output,
    const long width, const int is_masked, long step, long count) {
    tutti_four first = {input[0], input[1], y[width - 1][0], y[width - 1][1]};
    TUTTI_BIQUAD_UNROLL
    for (long v = width - 1; v >= 0; v--) {
        tutti_four b0, b1, b2, a1, a2, x = v > 0 ? y[v - 1] : first;
        memcpy(&b0, coefficients + 20 * v, sizeof b0);
        memcpy(&b1, coefficients + 20 * v + 4, sizeof b1);
        memcpy(&b2, coefficients + 20 * v + 8, sizeof b2);
        memcpy(&a1, coefficients + 20 * v + 12, sizeof a1);
        memcpy(&a2, coefficients + 20 * v + 16, sizeof a2);
        tutti_four rest = b1 * x + s2[v];
        tutti_four out = b0 * x + s1[v];
        tutti_four n1 = rest - a1 * out;
        tutti_four pushed = b2 * x;
        tutti_four n2 = pushed - a2 * out;
        if (is_masked) {
            long long front = -(long long)(step >= v && step < count + v);
            long long back = -(long long)(step >= width + v && step < count + width + v);
            tutti_four_mask mask = {front, front, back, back};
            n1 = (tutti_four)((mask & (tutti_four_mask)n1) | (~mask & (tutti_four_mask)s1[v]));
            n2 = (tutti_four)((mask & (tutti_four_mask)n2) | (~mask & (tutti_four_mask)s2[v]));
        }
        y[v] = out;
        s1[v] = n1;
        s2[v] = n2;
    }
    if (output) {
        output[0] = y[width - 1][2];
        output[1] = y[width - 1][3];
    }
}

TUTTI_BIQUAD_INLINE void tutti_biquad_run(
    const double *coefficients, double *state, double *frames, long count, const long width) {
    tutti_four s1[TUTTI_BIQUAD_WIDTH], s2[TUTTI_BIQUAD_WIDTH], y[TUTTI_BIQUAD_WIDTH];
    const double silence[2] = {0, 0};
    const long delay = 2 * width - 1;
    TUTTI_BIQUAD_UNROLL
    for (long v = 0; v < width; v++) {
        memcpy(&s1[v], state + 8 * v, sizeof s1[v]);
        memcpy(&s2[v], state + 8 * v + 4, sizeof s2[v]);
        y[v] = (tutti_four){0};
    }
    long step = 0;
    const long full = count > delay ? count : 0;
    for (; step < delay; step++)
        tutti_biquad_step(
            coefficients, s1, s2, y, step < count ? frames + 2 * step : silence, 0, width, 1, step, count);
    for (; step < full; step++)
        tutti_biquad_step(
            coefficients, s1, s2, y, frames + 2 * step, frames + 2 * (step - delay), width, 0, step, count);
    for (; step < count + delay; step++)
        tutti_biquad_step(
            coefficients, s1, s2, y, step < count ? frames + 2 * step : silence, frames + 2 * (step - delay), width, 1,
            step, count);
    TUTTI_BIQUAD_UNROLL
    for (long v = 0; v < width; v++) {
        memcpy(state + 8 * v, &s1[v], sizeof s1[v]);
        memcpy(state + 8 * v + 4, &s2[v], sizeof s2[v]);
    }
}

#define TUTTI_BIQUADS                                                                                                  \
    switch (width) {                                                                                                   \
    case 1: tutti_biquad_run(coefficients, state, frames, count, 1); break;                                            \
    case 2: tutti_biquad_run(coefficients, state, frames, count, 2); break;                                            \
    case 3: tutti_biquad_run(coefficients, state, frames, count, 3); break;                                            \
    default: tutti_biquad_run(coefficients, state, frames, count, 4); break;                                           \
    }

// Filters `count` stereo frames in place with 2 * `width` filters, width 1 … 4. For each vector there are five times four
// coefficients (b0, b1, b2, a1, a2 of a0 = 1) and twice four values of state.
static inline void tutti_biquads(
    const double *coefficients, double *state, double *frames, long count, long width) {
    TUTTI_BIQUADS
}

#define TUTTI_INTERLEAVE                                                                                               \
    for (long i = 0; i < count; i++) {                                                                                 \
        frames[2 * i] = left[i];                                                                                       \
        frames[2 * i + 1] = right[i];                                                                                  \
    }

#define TUTTI_DEINTERLEAVE                                                                                             \
    for (long i = 0; i < count; i++) {                                                                                 \
        left[i] = (float)frames[2 * i];                                                                                \
        right[i] = (float)frames[2 * i + 1];                                                                           \
    }

// Two planes to stereo frames of 64 bits and back; `left` and `right` may be one plane.
static inline void tutti_interleave(
    const float *left, const float *right, double *frames, long count) {
    TUTTI_INTERLEAVE
}
static inline void tutti_deinterleave(
    const double *frames, float *left, float *right, long count) {
    TUTTI_DEINTERLEAVE
}

#if defined(__x86_64__)
// The same for processors that have AVX2 and FMA, which is to be asked first.
static __attribute__((target("avx2,fma"))) void tutti_biquads_wide(
    const double *coefficients, double *state, double *frames, long count, long width) {
    TUTTI_BIQUADS
}
#else
static inline void tutti_biquads_wide(
    const double *coefficients, double *state, double *frames, long count, long width) {
    tutti_biquads(coefficients, state, frames, count, width);
}
#endif

#pragma clang assume_nonnull end

#endif
