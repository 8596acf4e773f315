// The innermost loop of the resampler, in C for what Swift has no words for: code for processors that have wide registers and fused
// multiply-add beside code for those that do not, and the fusing itself (clang fuses within an expression where the processor can).
#ifndef TUTTI_CKERNELS_CONVOLVE_H
#define TUTTI_CKERNELS_CONVOLVE_H

#include <string.h>

typedef float tutti_eight __attribute__((vector_size(32)));
typedef struct tutti_frame {
    float left, right;
} tutti_frame;

// A macro, as the next: a function that takes such registers is another function for each kind of processor.
#define TUTTI_SUM(v) (((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])))

// The products of `taps` (a multiple of 8) frames with the coefficients c0 + u (c1 + u c2), of which eight of each order lie together.
#define TUTTI_CONVOLVE                                                                                                 \
    tutti_eight sum_left = {0}, sum_right = {0};                                                                       \
    for (long tap = 0; tap < taps; tap += 8, parabolas += 24) {                                                        \
        tutti_eight c0, c1, c2, l, r;                                                                                  \
        memcpy(&c0, parabolas, sizeof c0);                                                                             \
        memcpy(&c1, parabolas + 8, sizeof c1);                                                                         \
        memcpy(&c2, parabolas + 16, sizeof c2);                                                                        \
        memcpy(&l, left + tap, sizeof l);                                                                              \
        memcpy(&r, right + tap, sizeof r);                                                                             \
        tutti_eight c = u * (u * c2 + c1) + c0;                                                                        \
        sum_left = c * l + sum_left;                                                                                   \
        sum_right = c * r + sum_right;                                                                                 \
    }                                                                                                                  \
    return (tutti_frame){TUTTI_SUM(sum_left), TUTTI_SUM(sum_right)};

static inline tutti_frame tutti_convolve(
    const float *_Nonnull parabolas, const float *_Nonnull left, const float *_Nonnull right, long taps, float u) {
    TUTTI_CONVOLVE
}

#if defined(__x86_64__)
// The same for processors that have AVX2 and FMA, which is to be asked first.
static __attribute__((target("avx2,fma"))) tutti_frame tutti_convolve_wide(
    const float *_Nonnull parabolas, const float *_Nonnull left, const float *_Nonnull right, long taps, float u) {
    TUTTI_CONVOLVE
}
static inline int tutti_has_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
static inline tutti_frame tutti_convolve_wide(
    const float *_Nonnull parabolas, const float *_Nonnull left, const float *_Nonnull right, long taps, float u) {
    return tutti_convolve(parabolas, left, right, taps, u);
}
static inline int tutti_has_wide(void) { return 0; }
#endif

#endif
