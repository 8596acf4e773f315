// The inner loop of reverberation: a feedback delay network of 32 lines behind all-passes (J.-M. Jot, A. Chaigne, "Digital delay
// networks for designing artificial reverberators", 1991). A block is shorter than every delay, so that nothing in it depends on what it
// makes itself but by the lines' filters: those go frame by frame, eight lines at a time; all else goes line by line, eight frames at
// a time. Each frame is the same operations in the same order, wherever it stands in a block.
#ifndef TUTTI_CKERNELS_REVERB_H
#define TUTTI_CKERNELS_REVERB_H

#include <string.h>

#pragma clang assume_nonnull begin

// Lines of the network, and what makes a Hadamard matrix of as many rows orthogonal.
#define TUTTI_REVERB_LINES 32
#define TUTTI_REVERB_SCALE 0.17677669529663689f
#define TUTTI_REVERB_ALLPASSES 4
#define TUTTI_REVERB_CHANNELS 8
// The most frames of a block, a multiple of eight.
#define TUTTI_REVERB_BLOCK 64

// A delay of `length` frames: what lies at the position is as old as that, and is replaced by what comes in.
typedef struct tutti_delay_line {
    float *frames;
    long length, position;
} tutti_delay_line;

typedef struct tutti_reverb {
    // The network's.
    tutti_delay_line *lines;
    // For each channel: the pre-delay, whose length may be 0, and the all-passes.
    tutti_delay_line *inputs;
    // Of the lines' filters y = b0 x + b1 x' + a y': all lines' b0, all b1, all a; and all x', all y'.
    float *coefficients, *state;
    // How much of each channel's input enters each of its lines.
    float *input_gains;
    float diffusion, dry, wet;
    long channels;
} tutti_reverb;

typedef float tutti_row __attribute__((vector_size(32)));

#define TUTTI_ROW(name, from)                                                                                          \
    tutti_row name;                                                                                                    \
    memcpy(&name, from, sizeof name);
#define TUTTI_REVERB_INLINE static inline __attribute__((always_inline))

// Every input has this added, -420 dB, so that nothing within decays to numbers that processors dawdle over (denormals); it is taken from
// what comes out.
#define TUTTI_REVERB_FLOOR 1e-21f
#define TUTTI_WITHOUT_FLOOR(x) (((x) + 1e-10f) - 1e-10f)

#define TUTTI_REVERB_BYTES (TUTTI_REVERB_BLOCK * sizeof(float))

// Copies a block. A call of `memcpy` for so little takes longer than the copy, and of a loop compilers make one.
TUTTI_REVERB_INLINE void tutti_reverb_copy(float *to, const float *from) {
    TUTTI_ROW(a, from)
    TUTTI_ROW(b, from + 8)
    TUTTI_ROW(c, from + 16)
    TUTTI_ROW(d, from + 24)
    TUTTI_ROW(e, from + 32)
    TUTTI_ROW(f, from + 40)
    TUTTI_ROW(g, from + 48)
    TUTTI_ROW(h, from + 56)
    memcpy(to, &a, sizeof a);
    memcpy(to + 8, &b, sizeof b);
    memcpy(to + 16, &c, sizeof c);
    memcpy(to + 24, &d, sizeof d);
    memcpy(to + 32, &e, sizeof e);
    memcpy(to + 40, &f, sizeof f);
    memcpy(to + 48, &g, sizeof g);
    memcpy(to + 56, &h, sizeof h);
}

// What a line gives for a block; what follows its `n` frames may be anything that is sound.
TUTTI_REVERB_INLINE void tutti_line_read(const tutti_delay_line *line, float *to, long n) {
    long first = line->length - line->position;
    if (first >= TUTTI_REVERB_BLOCK) {
        tutti_reverb_copy(to, line->frames + line->position);
        return;
    }
    if (first > n) first = n;
    memcpy(to, line->frames + line->position, (unsigned long)first * sizeof(float));
    if (first < n) memcpy(to + first, line->frames, (unsigned long)(n - first) * sizeof(float));
    memset(to + n, 0, (unsigned long)(TUTTI_REVERB_BLOCK - n) * sizeof(float));
}

// Replaces what was read, and moves on.
TUTTI_REVERB_INLINE void tutti_line_write(tutti_delay_line *line, const float *from, long n) {
    long first = line->length - line->position;
    if (first >= TUTTI_REVERB_BLOCK && n == TUTTI_REVERB_BLOCK) {
        tutti_reverb_copy(line->frames + line->position, from);
    } else {
        if (first > n) first = n;
        memcpy(line->frames + line->position, from, (unsigned long)first * sizeof(float));
        if (first < n) memcpy(line->frames, from + first, (unsigned long)(n - first) * sizeof(float));
    }
    line->position += n;
    if (line->position >= line->length) line->position -= line->length;
}

// A channel's input: what is no sound is silence; delayed, and diffused.
TUTTI_REVERB_INLINE void tutti_reverb_diffuse(
    tutti_reverb *r, long channel, const float *restrict from, float *restrict x, long n) {
    tutti_delay_line *lines = r->inputs + channel * (1 + TUTTI_REVERB_ALLPASSES);
    float gain = r->input_gains[channel], g = r->diffusion;
    float old[TUTTI_REVERB_BLOCK];
    memset(x, 0, TUTTI_REVERB_BYTES);
    for (long t = 0; t < n; t++) x[t] = (from[t] >= -1e6f && from[t] <= 1e6f ? gain * from[t] : 0) + TUTTI_REVERB_FLOOR;
    if (lines[0].length > 0) {
        tutti_line_read(lines, old, n);
        tutti_line_write(lines, x, n);
        tutti_reverb_copy(x, old);
    }
    for (long number = 1; number <= TUTTI_REVERB_ALLPASSES; number++) {
        float in[TUTTI_REVERB_BLOCK];
        tutti_line_read(lines + number, old, n);
        for (long t = 0; t < TUTTI_REVERB_BLOCK; t++) {
            in[t] = g * old[t] + x[t];
            x[t] = old[t] - g * in[t];
        }
        tutti_line_write(lines + number, in, n);
    }
}

// Sums and differences of four rows, `stride` apart.
#define TUTTI_HADAMARD_FOUR(from)                                                                                      \
    TUTTI_ROW(a, from)                                                                                                 \
    TUTTI_ROW(b, from + stride)                                                                                        \
    TUTTI_ROW(c, from + 2 * stride)                                                                                    \
    TUTTI_ROW(d, from + 3 * stride)                                                                                    \
    tutti_row e = a + b, f = a - b, g = c + d, h = c - d;                                                              \
    a = e + g, b = f + h, c = e - g, d = f - h;                                                                        \
    memcpy(from, &a, sizeof a);                                                                                        \
    memcpy(from + stride, &b, sizeof b);                                                                               \
    memcpy(from + 2 * stride, &c, sizeof c);                                                                           \
    memcpy(from + 3 * stride, &d, sizeof d);

// The lines times a Hadamard matrix, but for its scale.
TUTTI_REVERB_INLINE void tutti_reverb_mix(float *work) {
    for (long t = 0; t < TUTTI_REVERB_BLOCK; t += 8) {
        for (long group = 0; group < TUTTI_REVERB_LINES / 4; group++) {
            const long stride = TUTTI_REVERB_BLOCK;
            float *from = work + 4 * group * stride + t;
            TUTTI_HADAMARD_FOUR(from)
        }
        for (long group = 0; group < TUTTI_REVERB_LINES / 4; group++) {
            const long stride = 4 * TUTTI_REVERB_BLOCK;
            float *from = work + (group / 4 * 16 + group % 4) * TUTTI_REVERB_BLOCK + t;
            TUTTI_HADAMARD_FOUR(from)
        }
        for (long line = 0; line < TUTTI_REVERB_LINES / 2; line++) {
            float *low = work + line * TUTTI_REVERB_BLOCK + t, *high = low + 16 * TUTTI_REVERB_BLOCK;
            TUTTI_ROW(a, low)
            TUTTI_ROW(b, high)
            tutti_row c = a + b, d = a - b;
            memcpy(low, &c, sizeof c);
            memcpy(high, &d, sizeof d);
        }
    }
}

// Eight rows of eight become eight columns.
#define TUTTI_TRANSPOSE_EIGHT(m)                                                                                       \
    {                                                                                                                  \
        tutti_row p[8], q[8];                                                                                          \
        _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; i++) {                                                                                  \
            p[2 * i] = __builtin_shufflevector(m[2 * i], m[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);                     \
            p[2 * i + 1] = __builtin_shufflevector(m[2 * i], m[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);                 \
        }                                                                                                              \
        _Pragma("clang loop unroll(full)") for (int i = 0; i < 2; i++)                                                 \
            _Pragma("clang loop unroll(full)") for (int j = 0; j < 2; j++) {                                                                              \
                q[4 * i + j] = __builtin_shufflevector(p[4 * i + j], p[4 * i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);      \
                q[4 * i + j + 2] = __builtin_shufflevector(p[4 * i + j], p[4 * i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15); \
            }                                                                                                          \
        _Pragma("clang loop unroll(full)") for (int i = 0; i < 4; i++) {                                                                                  \
            m[i] = __builtin_shufflevector(q[i], q[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);                                  \
            m[i + 4] = __builtin_shufflevector(q[i], q[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);                            \
        }                                                                                                              \
    }

// Eight lines' filters over `n` frames of what the matrix gives, scaled, and the channels' inputs.
TUTTI_REVERB_INLINE void tutti_reverb_damp(
    const float *coefficients, float *state, float *work, const float *_Nonnull const *_Nonnull inputs, long n) {
    TUTTI_ROW(b0, coefficients)
    TUTTI_ROW(b1, coefficients + TUTTI_REVERB_LINES)
    TUTTI_ROW(a, coefficients + 2 * TUTTI_REVERB_LINES)
    TUTTI_ROW(x1, state)
    TUTTI_ROW(y1, state + TUTTI_REVERB_LINES)
    for (long t = 0; t < n; t += 8) {
        tutti_row m[8];
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) {
            TUTTI_ROW(row, work + i * TUTTI_REVERB_BLOCK + t)
            TUTTI_ROW(input, inputs[i] + t)
            m[i] = TUTTI_REVERB_SCALE * row + input;
        }
        TUTTI_TRANSPOSE_EIGHT(m)
        long left = n - t;
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) {
            if (i >= left) break;
            tutti_row x = b1 * x1;
            x = b0 * m[i] + x;
            x1 = m[i];
            y1 = a * y1 + x;
            m[i] = y1;
        }
        TUTTI_TRANSPOSE_EIGHT(m)
#pragma clang loop unroll(full)
        for (int i = 0; i < 8; i++) memcpy(work + i * TUTTI_REVERB_BLOCK + t, &m[i], sizeof m[i]);
    }
    memcpy(state, &x1, sizeof x1);
    memcpy(state + TUTTI_REVERB_LINES, &y1, sizeof y1);
}

// `n` frames of all channels, from the `start`th; n is at most the block and the shortest delay.
TUTTI_REVERB_INLINE void tutti_reverb_body(tutti_reverb *r, float *_Nonnull const *_Nonnull channels, long start, long n) {
    float work[TUTTI_REVERB_LINES * TUTTI_REVERB_BLOCK];
    float input[TUTTI_REVERB_CHANNELS * TUTTI_REVERB_BLOCK];
    float dry = r->dry, wet_gain = r->wet;
    for (long line = 0; line < TUTTI_REVERB_LINES; line++)
        tutti_line_read(r->lines + line, work + line * TUTTI_REVERB_BLOCK, n);
    tutti_reverb_mix(work);
    for (long channel = 0; channel < r->channels; channel++) {
        float *frames = channels[channel] + start;
        tutti_reverb_diffuse(r, channel, frames, input + channel * TUTTI_REVERB_BLOCK, n);
        // Rows of the matrix are orthogonal, so channels have little in common. The first has no signs.
        const float *wet = work + (3 + 5 * channel) % TUTTI_REVERB_LINES * TUTTI_REVERB_BLOCK;
        for (long t = 0; t < n; t++) frames[t] = dry * frames[t] + wet_gain * TUTTI_WITHOUT_FLOOR(wet[t]);
    }
    long channel = 0;
    for (long line = 0; line < TUTTI_REVERB_LINES; line += 8) {
        const float *inputs[8];
        for (int i = 0; i < 8; i++) {
            inputs[i] = input + channel * TUTTI_REVERB_BLOCK;
            channel = channel + 1 == r->channels ? 0 : channel + 1;
        }
        tutti_reverb_damp(r->coefficients + line, r->state + line, work + line * TUTTI_REVERB_BLOCK, inputs, n);
    }
    for (long line = 0; line < TUTTI_REVERB_LINES; line++)
        tutti_line_write(r->lines + line, work + line * TUTTI_REVERB_BLOCK, n);
}

// Whole blocks are by far the most: compiled for their length, the filters stay in registers.
TUTTI_REVERB_INLINE void tutti_reverb_run(tutti_reverb *r, float *_Nonnull const *_Nonnull channels, long start, long n) {
    if (n == TUTTI_REVERB_BLOCK)
        tutti_reverb_body(r, channels, start, TUTTI_REVERB_BLOCK);
    else
        tutti_reverb_body(r, channels, start, n);
}

static __attribute__((unused)) void tutti_reverb_block(
    tutti_reverb *r, float *_Nonnull const *_Nonnull channels, long start, long n) {
    tutti_reverb_run(r, channels, start, n);
}
#if defined(__x86_64__)
// The same for processors that have AVX2 and FMA, which is to be asked first.
static __attribute__((target("avx2,fma"), unused)) void tutti_reverb_block_wide(
    tutti_reverb *r, float *_Nonnull const *_Nonnull channels, long start, long n) {
    tutti_reverb_run(r, channels, start, n);
}
#else
static __attribute__((unused)) void tutti_reverb_block_wide(
    tutti_reverb *r, float *_Nonnull const *_Nonnull channels, long start, long n) {
    tutti_reverb_run(r, channels, start, n);
}
#endif

#pragma clang assume_nonnull end

#endif
