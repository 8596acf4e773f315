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

#endif
