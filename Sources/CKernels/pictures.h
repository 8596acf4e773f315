// Rows of pictures: from luma and chroma to blue, green and red, for what a display's driver does not convert itself.

#ifndef TUTTI_CKERNELS_PICTURES_H
#define TUTTI_CKERNELS_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// What becomes of 10-bit luma and chroma, as multiples of 2⁻¹⁶ of a step of 8 bits: red = luma·(Y − offset) + red_v·(V − 512),
/// and so on.
struct tutti_picture_matrix {
    int32_t offset, luma, red_v, green_u, green_v, blue_u;
};

/// Samples of 10 bits in 16-bit words as 8 bits, rounded.
static inline void tutti_picture_narrow(const uint16_t *in, uint8_t *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned value = ((in[i] & 1023u) + 2) >> 2;
        out[i] = (uint8_t)(value > 255 ? 255 : value);
    }
}

/// Samples of 8 bits, `stride` apart, as four times as much.
static inline void tutti_picture_widen(const uint8_t *in, size_t stride, uint16_t *restrict out, size_t count) {
    if (stride == 1) {
        for (size_t i = 0; i < count; i++) out[i] = (uint16_t)(in[i] << 2);
    } else {
        for (size_t i = 0; i < count; i++) out[i] = (uint16_t)(in[stride * i] << 2);
    }
}

/// A row of chroma at twice its width: a sample lies on each second pixel of `count`, and between two is their mean.
static inline void tutti_picture_double(const uint16_t *in, uint16_t *restrict out, size_t count) {
    size_t pairs = count / 2, last = (count + 1) / 2 - (count > 0);
    for (size_t i = 0; i < pairs; i++) {
        size_t next = i + 1 < last ? i + 1 : last;
        out[2 * i] = in[i];
        out[2 * i + 1] = (uint16_t)(((in[i] & 1023u) + (in[next] & 1023u) + 1) >> 1);
    }
    if (count & 1) out[count - 1] = in[last];
}

static inline uint8_t tutti_picture_clamp(int32_t value) {
    value >>= 16;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// A row of `count` pixels as blue, green, red and full opacity; of each sample the lower 10 bits count.
static inline void tutti_picture_row(
    const uint16_t *luma, const uint16_t *u, const uint16_t *v, uint8_t *restrict out, size_t count,
    struct tutti_picture_matrix matrix) {
    for (size_t i = 0; i < count; i++) {
        int32_t y = matrix.luma * ((int32_t)(luma[i] & 1023u) - matrix.offset) + 32768;
        int32_t b = (int32_t)(u[i] & 1023u) - 512, r = (int32_t)(v[i] & 1023u) - 512;
        out[4 * i] = tutti_picture_clamp(y + matrix.blue_u * b);
        out[4 * i + 1] = tutti_picture_clamp(y + matrix.green_u * b + matrix.green_v * r);
        out[4 * i + 2] = tutti_picture_clamp(y + matrix.red_v * r);
        out[4 * i + 3] = 255;
    }
}

#endif
