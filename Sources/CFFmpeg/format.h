// FFmpeg's readers of files and addresses for Swift.
#ifndef TUTTI_CFFMPEG_FORMAT_H
#define TUTTI_CFFMPEG_FORMAT_H

#include "shim.h"
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <math.h>

// Turns nested opens down: a local file that is really a playlist opens nothing else.
static inline int tutti_refuse_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)context; (void)io; (void)url; (void)flags; (void)options;
    return AVERROR(EPERM);
}
static inline void tutti_refuse_nested_opens(AVFormatContext *context) { context->io_open = tutti_refuse_open; }

// What stands behind an AVIOContext that reads through another one.
typedef struct tutti_link {
    void *owner;        // whoever reads
    AVIOContext *inner; // the connection; NULL between two
} tutti_link;

static inline void *tutti_link_child(void *object, void *previous) {
    return previous ? NULL : ((tutti_link *)((AVIOContext *)object)->opaque)->inner;
}

// Lets readers find the connection's options (its media type, the address it was sent to, its ICY titles) behind `outer`,
// whose `opaque` is a `tutti_link`.
static inline void tutti_show_inner(AVIOContext *outer) {
    static const AVClass link_class = {
        .class_name = "TuttiLink",
        .item_name = av_default_item_name,
        .version = LIBAVUTIL_VERSION_INT,
        .child_next = tutti_link_child,
    };
    outer->av_class = &link_class;
}

// By how many quarter turns clockwise a stream's pictures are turned to be shown, 0 to 3.
static inline int tutti_stream_quarter_turns(const AVStream *stream) {
    size_t size = 0;
    const uint8_t *matrix = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!matrix || size < 9 * sizeof(int32_t)) return 0;
    double degrees = -av_display_rotation_get((const int32_t *)matrix);
    return isfinite(degrees) ? (int)(lround(degrees / 90) & 3) : 0;
}

#endif
