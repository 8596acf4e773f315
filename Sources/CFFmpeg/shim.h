// FFmpeg's codecs for Swift: the headers, and inline functions for the macros that Swift cannot import.
#ifndef TUTTI_CFFMPEG_SHIM_H
#define TUTTI_CFFMPEG_SHIM_H

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/opt.h>

static inline int tutti_averror(int error_number) { return AVERROR(error_number); }
static inline int tutti_averror_eof(void) { return AVERROR_EOF; }
static inline int tutti_averror_exit(void) { return AVERROR_EXIT; }
static inline int tutti_averror_invalid_data(void) { return AVERROR_INVALIDDATA; }
static inline int tutti_averror_decoder_not_found(void) { return AVERROR_DECODER_NOT_FOUND; }
static inline int tutti_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int tutti_averror_protocol_not_found(void) { return AVERROR_PROTOCOL_NOT_FOUND; }
static inline int tutti_averror_stream_not_found(void) { return AVERROR_STREAM_NOT_FOUND; }
static inline int tutti_averror_patchwelcome(void) { return AVERROR_PATCHWELCOME; }
static inline int tutti_averror_http_bad_request(void) { return AVERROR_HTTP_BAD_REQUEST; }
static inline int tutti_averror_http_unauthorized(void) { return AVERROR_HTTP_UNAUTHORIZED; }
static inline int tutti_averror_http_forbidden(void) { return AVERROR_HTTP_FORBIDDEN; }
static inline int tutti_averror_http_not_found(void) { return AVERROR_HTTP_NOT_FOUND; }
static inline int tutti_averror_http_other_4xx(void) { return AVERROR_HTTP_OTHER_4XX; }
static inline int tutti_averror_http_server_error(void) { return AVERROR_HTTP_SERVER_ERROR; }

static inline int64_t tutti_no_pts(void) { return AV_NOPTS_VALUE; }
static inline int64_t tutti_time_base(void) { return AV_TIME_BASE; }

// Whether the packet's side data asks to drop frames: how many from the front and from the back.
static inline int tutti_packet_trims(const AVPacket *packet, uint32_t *at_start, uint32_t *at_end) {
    size_t size = 0;
    const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
    if (!data || size < 10) return 0;
    *at_start = AV_RL32(data);
    *at_end = AV_RL32(data + 4);
    return 1;
}

// Whether the packet begins another configuration of the decoder.
static inline int tutti_packet_changes_format(const AVPacket *packet) {
    size_t size = 0;
    return av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size) ||
           av_packet_get_side_data(packet, AV_PKT_DATA_PARAM_CHANGE, &size);
}

#endif
