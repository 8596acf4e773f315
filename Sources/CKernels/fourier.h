// The transform of fast convolution, in double precision: values of a polynomial of real coefficients modulo x^2m + 1, so that a product
// of spectra is the convolution of the signals in which what passes the end comes back with its sign turned (negacyclic, by a right
// angle: R. Crandall, B. Fagin, "Discrete weighted transforms and large-integer arithmetic", 1994). The imaginary parts are the
// coefficients from x^m on, since x^m is i; there is neither a twist nor a step for real input, and all m bins are alike.
//
// Polynomials modulo x^s - c become two modulo x^(s/2) - w and x^(s/2) + w, w * w = c, two steps at once: a block has one set of
// twiddles. Bins are in the order in which that leaves them, which multiplication does not mind.
#ifndef TUTTI_CKERNELS_FOURIER_H
#define TUTTI_CKERNELS_FOURIER_H

#include <string.h>

#pragma clang assume_nonnull begin

typedef double tutti_quad __attribute__((vector_size(32)));
typedef float tutti_quad_float __attribute__((vector_size(16)));

// Blocks of as many bins fit into the nearest cache and are finished one after the other.
#define TUTTI_NEAR_BINS 1024

#define TUTTI_LOAD(name, from)                                                                                         \
    tutti_quad name;                                                                                                   \
    memcpy(&name, from, sizeof name);
#define TUTTI_STORE(to, value)                                                                                         \
    {                                                                                                                  \
        tutti_quad stored = value;                                                                                     \
        memcpy(to, &stored, sizeof stored);                                                                            \
    }
#define TUTTI_ALL(x)                                                                                                   \
    (tutti_quad) { x, x, x, x }
#define TUTTI_INLINE static inline __attribute__((always_inline))

// Four rows of four become four columns.
#define TUTTI_TRANSPOSE(a, b, c, d)                                                                                    \
    {                                                                                                                  \
        tutti_quad ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);   \
        tutti_quad cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);   \
        a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);          \
        c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7), d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);          \
    }

// (a, b, c, d) become the four remainders: b times v, c times w, d times vw, and the sums of a transform of four points.
#define TUTTI_SPLIT(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)                                            \
    tutti_quad pr = br * vr - bi * vi, pi = br * vi + bi * vr;                                                         \
    tutti_quad qr = cr * wr - ci * wi, qi = cr * wi + ci * wr;                                                         \
    tutti_quad tr = dr * ur - di * ui, ti = dr * ui + di * ur;                                                         \
    tutti_quad er = ar + qr, ei = ai + qi, fr = ar - qr, fi = ai - qi;                                                 \
    tutti_quad gr = pr + tr, gi = pi + ti, hr = pr - tr, hi = pi - ti;                                                 \
    ar = er + gr, ai = ei + gi, br = er - gr, bi = ei - gi;                                                            \
    cr = fr - hi, ci = fi + hr, dr = fr + hi, di = fi - hr;

// The way back, but for a factor of four.
#define TUTTI_JOIN(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)                                             \
    tutti_quad er = ar + br, ei = ai + bi, gr = ar - br, gi = ai - bi;                                                 \
    tutti_quad fr = cr + dr, fi = ci + di, hr = ci - di, hi = dr - cr;                                                 \
    tutti_quad pr = gr + hr, pi = gi + hi, tr = gr - hr, ti = gi - hi;                                                 \
    tutti_quad qr = er - fr, qi = ei - fi;                                                                             \
    ar = er + fr, ai = ei + fi;                                                                                        \
    br = pr * vr + pi * vi, bi = pi * vr - pr * vi;                                                                    \
    cr = qr * wr + qi * wi, ci = qi * wr - qr * wi;                                                                    \
    dr = tr * ur + ti * ui, di = ti * ur - tr * ui;

#define TUTTI_EIGHT_LOADS(re, im, quarter)                                                                             \
    TUTTI_LOAD(ar, re)                                                                                                 \
    TUTTI_LOAD(ai, im)                                                                                                 \
    TUTTI_LOAD(br, re + quarter)                                                                                       \
    TUTTI_LOAD(bi, im + quarter)                                                                                       \
    TUTTI_LOAD(cr, re + 2 * quarter)                                                                                   \
    TUTTI_LOAD(ci, im + 2 * quarter)                                                                                   \
    TUTTI_LOAD(dr, re + 3 * quarter)                                                                                   \
    TUTTI_LOAD(di, im + 3 * quarter)

#define TUTTI_EIGHT_STORES(re, im, quarter)                                                                            \
    TUTTI_STORE(re, ar)                                                                                                \
    TUTTI_STORE(im, ai)                                                                                                \
    TUTTI_STORE(re + quarter, br)                                                                                      \
    TUTTI_STORE(im + quarter, bi)                                                                                      \
    TUTTI_STORE(re + 2 * quarter, cr)                                                                                  \
    TUTTI_STORE(im + 2 * quarter, ci)                                                                                  \
    TUTTI_STORE(re + 3 * quarter, dr)                                                                                  \
    TUTTI_STORE(im + 3 * quarter, di)

#define TUTTI_BLOCK_TWIDDLES(t)                                                                                        \
    tutti_quad vr = TUTTI_ALL(t[0]), vi = TUTTI_ALL(t[1]), wr = TUTTI_ALL(t[2]), wi = TUTTI_ALL(t[3]);                 \
    tutti_quad ur = TUTTI_ALL(t[4]), ui = TUTTI_ALL(t[5]);

#define TUTTI_LANE_TWIDDLES(t)                                                                                         \
    TUTTI_LOAD(vr, t)                                                                                                  \
    TUTTI_LOAD(vi, t + 4)                                                                                              \
    TUTTI_LOAD(wr, t + 8)                                                                                              \
    TUTTI_LOAD(wi, t + 12)                                                                                             \
    TUTTI_LOAD(ur, t + 16)                                                                                             \
    TUTTI_LOAD(ui, t + 20)

// `blocks` blocks of 4 * quarter bins, the first of which has the twiddles `t`.
TUTTI_INLINE void tutti_split_pass(double *re, double *im, const double *t, long blocks, long quarter) {
    if (quarter == 1) {
        for (long block = 0; block < blocks; block += 4, re += 16, im += 16, t += 24) {
            TUTTI_EIGHT_LOADS(re, im, 4)
            TUTTI_LANE_TWIDDLES(t)
            TUTTI_TRANSPOSE(ar, br, cr, dr)
            TUTTI_TRANSPOSE(ai, bi, ci, di)
            TUTTI_SPLIT(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)
            TUTTI_EIGHT_STORES(re, im, 4)
        }
        return;
    }
    for (long block = 0; block < blocks; block++, re += 4 * quarter, im += 4 * quarter, t += 6) {
        TUTTI_BLOCK_TWIDDLES(t)
        for (long bin = 0; bin < quarter; bin += 4) {
            TUTTI_EIGHT_LOADS(re + bin, im + bin, quarter)
            TUTTI_SPLIT(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)
            TUTTI_EIGHT_STORES(re + bin, im + bin, quarter)
        }
    }
}

TUTTI_INLINE void tutti_join_pass(double *re, double *im, const double *t, long blocks, long quarter) {
    if (quarter == 1) {
        for (long block = 0; block < blocks; block += 4, re += 16, im += 16, t += 24) {
            TUTTI_EIGHT_LOADS(re, im, 4)
            TUTTI_LANE_TWIDDLES(t)
            TUTTI_JOIN(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)
            TUTTI_TRANSPOSE(ar, br, cr, dr)
            TUTTI_TRANSPOSE(ai, bi, ci, di)
            TUTTI_EIGHT_STORES(re, im, 4)
        }
        return;
    }
    for (long block = 0; block < blocks; block++, re += 4 * quarter, im += 4 * quarter, t += 6) {
        TUTTI_BLOCK_TWIDDLES(t)
        for (long bin = 0; bin < quarter; bin += 4) {
            TUTTI_EIGHT_LOADS(re + bin, im + bin, quarter)
            TUTTI_JOIN(ar, ai, br, bi, cr, ci, dr, di, vr, vi, wr, wi, ur, ui)
            TUTTI_EIGHT_STORES(re + bin, im + bin, quarter)
        }
    }
}

// Where the twiddles of a pass over `blocks` blocks begin: after two for the step that stands alone, those of the passes before it, six
// a block; the first pass has `first` blocks.
TUTTI_INLINE const double *tutti_twiddles_of(const double *twiddles, long blocks, long first) {
    return twiddles + 8 + 2 * (blocks - first);
}

// 1 where the number of steps is even, else 2: after one step on its own.
TUTTI_INLINE long tutti_first_blocks(long bins) { return (__builtin_ctzl((unsigned long)bins) & 1) ? 2 : 1; }

// `bins` floats of either half of the signal become `bins` bins, at least 16, a power of two.
TUTTI_INLINE void tutti_forward_body(
    const double *twiddles, long bins, const float *low, const float *high, double *re, double *im) {
    long first = tutti_first_blocks(bins);
    if (first == 2) {
        tutti_quad wr = TUTTI_ALL(twiddles[0]), wi = TUTTI_ALL(twiddles[1]);
        long half = bins / 2;
        for (long bin = 0; bin < half; bin += 4) {
            tutti_quad_float floats[4];
            memcpy(&floats[0], low + bin, sizeof floats[0]);
            memcpy(&floats[1], high + bin, sizeof floats[1]);
            memcpy(&floats[2], low + half + bin, sizeof floats[2]);
            memcpy(&floats[3], high + half + bin, sizeof floats[3]);
            tutti_quad ar = __builtin_convertvector(floats[0], tutti_quad);
            tutti_quad ai = __builtin_convertvector(floats[1], tutti_quad);
            tutti_quad br = __builtin_convertvector(floats[2], tutti_quad);
            tutti_quad bi = __builtin_convertvector(floats[3], tutti_quad);
            tutti_quad pr = br * wr - bi * wi, pi = br * wi + bi * wr;
            TUTTI_STORE(re + bin, ar + pr)
            TUTTI_STORE(im + bin, ai + pi)
            TUTTI_STORE(re + half + bin, ar - pr)
            TUTTI_STORE(im + half + bin, ai - pi)
        }
    } else {
        for (long bin = 0; bin < bins; bin += 4) {
            tutti_quad_float floats[2];
            memcpy(&floats[0], low + bin, sizeof floats[0]);
            memcpy(&floats[1], high + bin, sizeof floats[1]);
            TUTTI_STORE(re + bin, __builtin_convertvector(floats[0], tutti_quad))
            TUTTI_STORE(im + bin, __builtin_convertvector(floats[1], tutti_quad))
        }
    }
    long blocks = first, size = bins / first;
    for (; size > TUTTI_NEAR_BINS; blocks *= 4, size /= 4)
        tutti_split_pass(re, im, tutti_twiddles_of(twiddles, blocks, first), blocks, size / 4);
    for (long block = 0; block < blocks; block++) {
        long parts = 1, part = size;
        for (; part > 1; parts *= 4, part /= 4)
            tutti_split_pass(re + block * size, im + block * size,
                tutti_twiddles_of(twiddles, blocks * parts, first) + 6 * block * parts, parts, part / 4);
    }
}

// The way back, in place, without a scale: `bins` times the signal.
TUTTI_INLINE void tutti_inverse_body(const double *twiddles, long bins, double *re, double *im) {
    long first = tutti_first_blocks(bins);
    long blocks = first, size = bins / first;
    for (; size > TUTTI_NEAR_BINS; size /= 4) blocks *= 4;
    for (long block = 0; block < blocks; block++) {
        long parts = size / 4, part = 4;
        for (; parts > 0; parts /= 4, part *= 4)
            tutti_join_pass(re + block * size, im + block * size,
                tutti_twiddles_of(twiddles, blocks * parts, first) + 6 * block * parts, parts, part / 4);
    }
    while (blocks > first) {
        blocks /= 4, size *= 4;
        tutti_join_pass(re, im, tutti_twiddles_of(twiddles, blocks, first), blocks, size / 4);
    }
    if (first == 1) return;
    tutti_quad wr = TUTTI_ALL(twiddles[0]), wi = TUTTI_ALL(twiddles[1]);
    long half = bins / 2;
    for (long bin = 0; bin < half; bin += 4) {
        TUTTI_LOAD(ar, re + bin)
        TUTTI_LOAD(ai, im + bin)
        TUTTI_LOAD(br, re + half + bin)
        TUTTI_LOAD(bi, im + half + bin)
        tutti_quad pr = ar - br, pi = ai - bi;
        TUTTI_STORE(re + bin, ar + br)
        TUTTI_STORE(im + bin, ai + bi)
        TUTTI_STORE(re + half + bin, pr * wr + pi * wi)
        TUTTI_STORE(im + half + bin, pi * wr - pr * wi)
    }
}

// Adds the products of two stretches of spectra to a third; `count` is a multiple of four.
TUTTI_INLINE void tutti_multiply_body(
    double *sum_re, double *sum_im, const double *x_re, const double *x_im, const double *h_re, const double *h_im,
    long count) {
    for (long bin = 0; bin < count; bin += 4) {
        TUTTI_LOAD(sr, sum_re + bin)
        TUTTI_LOAD(si, sum_im + bin)
        TUTTI_LOAD(xr, x_re + bin)
        TUTTI_LOAD(xi, x_im + bin)
        TUTTI_LOAD(hr, h_re + bin)
        TUTTI_LOAD(hi, h_im + bin)
        sr = xr * hr + sr;
        si = xr * hi + si;
        TUTTI_STORE(sum_re + bin, sr - xi * hi)
        TUTTI_STORE(sum_im + bin, xi * hr + si)
    }
}

// A convolution as it is written: `count` outputs, rounded up to 16, of `taps` coefficients. `x` is the input at the first output, with
// `taps` - 1 values before it. Every output is the same sum, in the same order, wherever it stands.
TUTTI_INLINE void tutti_direct_body(const double *h, long taps, const double *x, double *y, long count) {
    for (long n = 0; n < count; n += 16) {
        tutti_quad s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (long tap = 0; tap < taps; tap++) {
            const double *from = x + n - tap;
            tutti_quad c = TUTTI_ALL(h[tap]);
            TUTTI_LOAD(x0, from)
            TUTTI_LOAD(x1, from + 4)
            TUTTI_LOAD(x2, from + 8)
            TUTTI_LOAD(x3, from + 12)
            s0 = c * x0 + s0;
            s1 = c * x1 + s1;
            s2 = c * x2 + s2;
            s3 = c * x3 + s3;
        }
        TUTTI_STORE(y + n, s0)
        TUTTI_STORE(y + n + 4, s1)
        TUTTI_STORE(y + n + 8, s2)
        TUTTI_STORE(y + n + 12, s3)
    }
}

// Each of them twice: for every processor, and for those that have AVX2 and FMA.
#define TUTTI_FOURIER(suffix, attributes)                                                                              \
    static attributes void tutti_forward##suffix(const double *twiddles, long bins,                           \
        const float *low, const float *high, double *re, double *im) {             \
        tutti_forward_body(twiddles, bins, low, high, re, im);                                                         \
    }                                                                                                                  \
    static attributes void tutti_inverse##suffix(                                                                      \
        const double *twiddles, long bins, double *re, double *im) {                        \
        tutti_inverse_body(twiddles, bins, re, im);                                                                    \
    }                                                                                                                  \
    static attributes void tutti_multiply##suffix(double *sum_re, double *sum_im,                    \
        const double *x_re, const double *x_im, const double *h_re,                         \
        const double *h_im, long count) {                                                                     \
        tutti_multiply_body(sum_re, sum_im, x_re, x_im, h_re, h_im, count);                                            \
    }                                                                                                                  \
    static attributes void tutti_direct##suffix(                                                                       \
        const double *h, long taps, const double *x, double *y, long count) {               \
        tutti_direct_body(h, taps, x, y, count);                                                                       \
    }

TUTTI_FOURIER(, __attribute__((unused)))
#if defined(__x86_64__)
TUTTI_FOURIER(_wide, __attribute__((target("avx2,fma"), unused)))
#else
TUTTI_FOURIER(_wide, __attribute__((unused)))
#endif

#pragma clang assume_nonnull end

#endif
