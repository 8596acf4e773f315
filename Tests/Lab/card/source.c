#define _GNU_SOURCE
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t number(const uint8_t *bytes, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = count; i > 0; i--) value = value << 8 | bytes[i - 1];
    return value;
}

int source_open(struct source *source, const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    struct stat status;
    if (fstat(file, &status) || status.st_size < 44) {
        close(file);
        return -EINVAL;
    }
    source->map_size = (size_t)status.st_size;
    source->map = mmap(NULL, source->map_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (source->map == MAP_FAILED) {
        source->map = NULL;
        return -ENOMEM;
    }
    for (size_t place = 12; place + 8 <= source->map_size;) {
        const uint8_t *chunk = source->map + place;
        size_t size = number(chunk + 4, 4), left = source->map_size - place - 8;
        if (!memcmp(chunk, "fmt ", 4) && size >= 16 && left >= 16) {
            source->channels = number(chunk + 10, 2);
            source->rate = number(chunk + 12, 4);
            source->frame_bytes = number(chunk + 20, 2);
        }
        if (!memcmp(chunk, "data", 4) && source->frame_bytes) {
            source->samples = chunk + 8;
            source->frames = (int64_t)((size < left ? size : left) / source->frame_bytes);
            return 0;
        }
        place += 8 + size + size % 2;
    }
    return -EINVAL;
}

void source_copy(const struct source *source, int64_t first, int64_t count, uint8_t *out) {
    for (int64_t i = 0; i < count; i++, out += source->frame_bytes) {
        int64_t frame = first + i;
        if (frame < 0 || frame >= source->frames) {
            memset(out, 0, source->frame_bytes);
        } else {
            memcpy(out, source->samples + frame * source->frame_bytes, source->frame_bytes);
        }
    }
}

void source_close(struct source *source) {
    if (source->map) munmap(source->map, source->map_size);
    source->map = NULL;
}
