// FFmpeg's readers of files and addresses for Swift.
#ifndef TUTTI_CFFMPEG_FORMAT_H
#define TUTTI_CFFMPEG_FORMAT_H

#include "shim.h"
#include <libavformat/avformat.h>

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

#endif
