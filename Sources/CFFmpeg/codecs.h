// FFmpeg's functions that decode, encode and convert, loaded when they are first needed. Linked, they would bring some hundred libraries into
// every process that may have to decode an original format one day, and 14 MB with them.
#ifndef TUTTI_CFFMPEG_CODECS_H
#define TUTTI_CFFMPEG_CODECS_H

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>

// Of the version that the headers are of: another one's structures differ.
#define TUTTI_SONAME(name, version) "lib" name ".so." AV_STRINGIFY(version)
#define TUTTI_AVUTIL_SONAME TUTTI_SONAME("avutil", LIBAVUTIL_VERSION_MAJOR)
#define TUTTI_AVCODEC_SONAME TUTTI_SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR)
#define TUTTI_SWRESAMPLE_SONAME TUTTI_SONAME("swresample", LIBSWRESAMPLE_VERSION_MAJOR)

#define TUTTI_AVUTIL_FUNCTIONS(X)                                                                                      \
    X(av_channel_layout_default) X(av_channel_layout_from_mask) X(av_channel_layout_uninit) X(av_frame_alloc)          \
    X(av_frame_free) X(av_frame_get_buffer) X(av_frame_unref) X(av_get_pix_fmt_name) X(av_log_set_level)               \
    X(av_mallocz) X(av_opt_set_double) X(av_strerror)
#define TUTTI_AVCODEC_FUNCTIONS(X)                                                                                     \
    X(av_new_packet) X(av_packet_alloc) X(av_packet_free) X(av_packet_unref) X(avcodec_alloc_context3)                 \
    X(avcodec_find_decoder) X(avcodec_find_encoder_by_name) X(avcodec_flush_buffers) X(avcodec_free_context)           \
    X(avcodec_get_name) X(avcodec_open2) X(avcodec_parameters_alloc) X(avcodec_parameters_free)                        \
    X(avcodec_parameters_from_context) X(avcodec_parameters_to_context) X(avcodec_receive_frame)                       \
    X(avcodec_receive_packet) X(avcodec_send_frame) X(avcodec_send_packet)
#define TUTTI_SWRESAMPLE_FUNCTIONS(X)                                                                                  \
    X(swr_alloc_set_opts2) X(swr_convert) X(swr_free) X(swr_get_out_samples) X(swr_init) X(swr_set_matrix)

// The functions under their own names.
typedef struct tutti_codecs {
#define TUTTI_FIELD(function) __typeof__(function) *_Nonnull function;
    TUTTI_AVUTIL_FUNCTIONS(TUTTI_FIELD)
    TUTTI_AVCODEC_FUNCTIONS(TUTTI_FIELD)
    TUTTI_SWRESAMPLE_FUNCTIONS(TUTTI_FIELD)
#undef TUTTI_FIELD
} tutti_codecs;

// Loads the libraries and finds the functions; NULL when all are there, else what the system's loader says. Not for several threads at once.
static inline const char *_Nullable tutti_load_codecs(tutti_codecs *_Nonnull codecs) {
    void *library;
#define TUTTI_OPEN(soname)                                                                                             \
    if (!(library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL))) return dlerror();
#define TUTTI_FIND(function)                                                                                           \
    if (!(codecs->function = (__typeof__(codecs->function))dlsym(library, #function))) return dlerror();
    TUTTI_OPEN(TUTTI_AVUTIL_SONAME)
    TUTTI_AVUTIL_FUNCTIONS(TUTTI_FIND)
    TUTTI_OPEN(TUTTI_AVCODEC_SONAME)
    TUTTI_AVCODEC_FUNCTIONS(TUTTI_FIND)
    TUTTI_OPEN(TUTTI_SWRESAMPLE_SONAME)
    TUTTI_SWRESAMPLE_FUNCTIONS(TUTTI_FIND)
#undef TUTTI_FIND
#undef TUTTI_OPEN
    return NULL;
}

static inline const char *_Nonnull tutti_avcodec_soname(void) { return TUTTI_AVCODEC_SONAME; }
static inline const char *_Nonnull tutti_swresample_soname(void) { return TUTTI_SWRESAMPLE_SONAME; }

// Converts a frame (nil drains what the resampler holds) to interleaved floats; frames written, or a negative code.
static inline int tutti_convert_frame(
    const tutti_codecs *_Nonnull codecs, SwrContext *converter, float *output, int capacity, const AVFrame *frame) {
    uint8_t *planes[1] = {(uint8_t *)output};
    return codecs->swr_convert(
        converter, planes, capacity, frame ? (const uint8_t **)frame->extended_data : NULL,
        frame ? frame->nb_samples : 0);
}

#endif
