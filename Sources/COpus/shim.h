// libopus; its `ctl` calls are variadic macros, which Swift cannot call.
#ifndef TUTTI_COPUS_SHIM_H
#define TUTTI_COPUS_SHIM_H

#include <opus/opus.h>

static inline int tutti_opus_set_bitrate(OpusEncoder *encoder, opus_int32 bits_per_second) {
    return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

static inline int tutti_opus_set_complexity(OpusEncoder *encoder, opus_int32 complexity) {
    return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

static inline int tutti_opus_set_signal_music(OpusEncoder *encoder) {
    return opus_encoder_ctl(encoder, OPUS_SET_SIGNAL(OPUS_SIGNAL_MUSIC));
}

static inline int tutti_opus_get_lookahead(OpusEncoder *encoder, opus_int32 *frames) {
    return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}

static inline int tutti_opus_set_gain(OpusDecoder *decoder, opus_int32 q8_decibels) {
    return opus_decoder_ctl(decoder, OPUS_SET_GAIN(q8_decibels));
}

static inline int tutti_opus_decoder_reset(OpusDecoder *decoder) {
    return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}

#endif
