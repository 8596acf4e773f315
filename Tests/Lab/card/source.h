// What a virtual card records: a WAV file that is played to it once, and silence around that.
#ifndef TUTTI_LAB_SOURCE_H
#define TUTTI_LAB_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/// The samples of a WAV file, mapped.
struct source {
    uint8_t *map;
    size_t map_size;
    const uint8_t *samples;
    int64_t frames;
    unsigned rate, channels, frame_bytes;
};

/// Maps a PCM file; returns 0 or a negative errno.
int source_open(struct source *source, const char *path);

/// Copies `count` frames from `first` on; silence where the file has none.
void source_copy(const struct source *source, int64_t first, int64_t count, uint8_t *out);

/// Unmaps it.
void source_close(struct source *source);

#endif
