#define _GNU_SOURCE
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// A WAV header counts its bytes in 32 bits.
static const int64_t largest_data = 0xffffffffLL - RECORDING_HEADER;

static void put16(uint8_t *at, unsigned value) {
    at[0] = value & 0xff;
    at[1] = (value >> 8) & 0xff;
}

static void put32(uint8_t *at, uint32_t value) {
    put16(at, value & 0xffff);
    put16(at + 2, value >> 16);
}

static uint32_t get32(const uint8_t *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void fill_header(uint8_t *header, const struct sample_layout *layout) {
    memcpy(header, "RIFF", 4);
    put32(header + 4, RECORDING_HEADER - 8);
    memcpy(header + 8, "WAVEfmt ", 8);
    put32(header + 16, 16);
    put16(header + 20, layout->is_float ? 3 : 1);
    put16(header + 22, layout->channels);
    put32(header + 24, layout->rate);
    put32(header + 28, layout->rate * layout->frame_bytes);
    put16(header + 32, layout->frame_bytes);
    put16(header + 34, layout->frame_bytes / layout->channels * 8);
    memcpy(header + 36, "data", 4);
    put32(header + 40, 0);
}

int recording_open(struct recording *recording, const char *directory, const char *name,
                   const struct sample_layout *layout, int64_t *frames) {
    char path[4096];
    memset(recording, 0, sizeof *recording);
    recording->file = -1;
    recording->layout = *layout;
    if (snprintf(recording->name, sizeof recording->name, "%s", name) >= (int)sizeof recording->name) return -ENAMETOOLONG;
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) return -ENAMETOOLONG;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return -errno;
    struct stat status;
    if (fstat(file, &status) < 0) goto failed;
    if (status.st_size < RECORDING_HEADER && ftruncate(file, RECORDING_HEADER) < 0) goto failed;
    recording->header = mmap(NULL, RECORDING_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (recording->header == MAP_FAILED) goto failed;
    uint8_t expected[RECORDING_HEADER];
    fill_header(expected, layout);
    if (status.st_size < RECORDING_HEADER) {
        memcpy(recording->header, expected, RECORDING_HEADER);
    } else if (memcmp(recording->header + 8, expected + 8, 32) != 0) {
        munmap(recording->header, RECORDING_HEADER);
        close(file);
        return -EEXIST;
    }
    *frames = get32(recording->header + 40) / layout->frame_bytes;
    recording->file = file;
    recording->file_size = status.st_size < RECORDING_HEADER ? RECORDING_HEADER : status.st_size;
    return 0;
failed:;
    int error = -errno;
    close(file);
    return error;
}

/// Maps the window that holds `position` (counted from the file's start) and grows the file behind it.
static int map_window(struct recording *recording, off_t position) {
    off_t offset = position / RECORDING_WINDOW * RECORDING_WINDOW;
    if (recording->window && recording->window_offset == offset) return 0;
    if (recording->window) munmap(recording->window, RECORDING_WINDOW);
    recording->window = NULL;
    if (recording->file_size < offset + RECORDING_WINDOW) {
        if (ftruncate(recording->file, offset + RECORDING_WINDOW) < 0) return -errno;
        recording->file_size = offset + RECORDING_WINDOW;
    }
    void *window = mmap(NULL, RECORDING_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, recording->file, offset);
    if (window == MAP_FAILED) return -errno;
    recording->window = window;
    recording->window_offset = offset;
    return 0;
}

int recording_put(struct recording *recording, off_t offset, const uint8_t *bytes, size_t size) {
    if (offset + (off_t)size > largest_data) return -EFBIG;
    off_t position = offset + RECORDING_HEADER;
    while (size > 0) {
        if (recording->is_ring) position %= RECORDING_WINDOW;
        int error = map_window(recording, position);
        if (error) return error;
        size_t inside = (size_t)(position - recording->window_offset);
        size_t part = RECORDING_WINDOW - inside < size ? RECORDING_WINDOW - inside : size;
        if (bytes) {
            memcpy(recording->window + inside, bytes, part);
            bytes += part;
        } else {
            memset(recording->window + inside, 0, part);
        }
        position += (off_t)part;
        size -= part;
    }
    return 0;
}

void recording_set_frames(struct recording *recording, int64_t frames) {
    uint32_t size = (uint32_t)(frames * recording->layout.frame_bytes);
    put32(recording->header + 40, size);
    put32(recording->header + 4, size + RECORDING_HEADER - 8);
}

void recording_close(struct recording *recording, int64_t frames) {
    if (recording->file < 0) return;
    recording_set_frames(recording, frames);
    if (recording->window) munmap(recording->window, RECORDING_WINDOW);
    munmap(recording->header, RECORDING_HEADER);
    // A file left too long is still a valid WAV file: its header has the count.
    if (!recording->is_ring && ftruncate(recording->file, RECORDING_HEADER + frames * recording->layout.frame_bytes) < 0) errno = 0;
    close(recording->file);
    recording->file = -1;
    recording->window = NULL;
}

int truth_log_open(struct truth_log *log, const char *path) {
    memset(log, 0, sizeof *log);
    log->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (log->file < 0) return -errno;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    // Locks of the open file description: a second open in the same process is refused as well.
    if (fcntl(log->file, F_OFD_SETLK, &lock) < 0) {
        close(log->file);
        return -EBUSY;
    }
    FILE *stream = fopen(path, "re");
    if (stream) {
        char line[1024];
        while (fgets(line, sizeof line, stream)) {
            int64_t start, until;
            int run;
            if (sscanf(line, "{\"event\":\"unplugged\",\"raw_ns\":%" SCNd64 ",\"until_raw_ns\":%" SCNd64, &start, &until) == 2) {
                log->unplugged_until = until;
            }
            if (sscanf(line, "{\"run\":%d,\"t0_raw_ns\":%" SCNd64, &run, &start) != 2) continue;
            if (!log->first_start) log->first_start = start;
            log->runs = run;
        }
        fclose(stream);
    }
    log->size = lseek(log->file, 0, SEEK_END);
    return 0;
}

static void unmap_page(struct truth_log *log) {
    if (log->page) munmap(log->page, log->page_size);
    log->page = NULL;
    log->frames_field = NULL;
}

static off_t append(struct truth_log *log, const char *line, int length) {
    off_t at = log->size;
    if (pwrite(log->file, line, (size_t)length, at) != length) return -errno;
    log->size += length;
    return at;
}

int truth_log_begin_run(struct truth_log *log, const char *file, const struct sample_layout *layout, double ppm,
                        int64_t start, int64_t first_frame) {
    char line[512];
    unmap_page(log);
    if (!log->first_start) log->first_start = start;
    log->runs += 1;
    int before = snprintf(line, sizeof line,
                          "{\"run\":%d,\"t0_raw_ns\":%" PRId64 ",\"rate\":%u,\"ppm\":%.6f,\"file\":\"%s\",\"format\":\"%s\","
                          "\"channels\":%u,\"first_frame\":%" PRId64 ",\"frames\":",
                          log->runs, start, layout->rate, ppm, file, layout->name, layout->channels, first_frame);
    int length = before + snprintf(line + before, sizeof line - (size_t)before, "%15d}\n", 0);
    if (length >= (int)sizeof line) return -ENAMETOOLONG;
    off_t at = append(log, line, length);
    if (at < 0) return (int)at;
    off_t field = at + before;
    long page = sysconf(_SC_PAGESIZE);
    off_t offset = field / page * page;
    log->page_size = (size_t)(field - offset) + 15;
    void *mapping = mmap(NULL, log->page_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, log->file, offset);
    if (mapping == MAP_FAILED) return -errno;
    log->page = mapping;
    log->frames_field = log->page + (field - offset);
    return 0;
}

void truth_log_set_frames(struct truth_log *log, int64_t frames) {
    if (!log->frames_field) return;
    uint8_t *digit = log->frames_field + 14;
    do {
        *digit-- = (uint8_t)('0' + frames % 10);
        frames /= 10;
    } while (frames > 0 && digit >= log->frames_field);
}

void truth_log_event(struct truth_log *log, const char *event, int64_t now) {
    char line[256];
    int length = snprintf(line, sizeof line, "{\"event\":\"%s\",\"raw_ns\":%" PRId64 ",\"run\":%d}\n", event, now, log->runs);
    append(log, line, length);
}

void truth_log_unplugged(struct truth_log *log, int64_t now, int64_t until) {
    char line[256];
    int length = snprintf(line, sizeof line,
                          "{\"event\":\"unplugged\",\"raw_ns\":%" PRId64 ",\"until_raw_ns\":%" PRId64 ",\"run\":%d}\n", now,
                          until, log->runs);
    append(log, line, length);
    log->unplugged_until = until;
}

void truth_log_close(struct truth_log *log) {
    unmap_page(log);
    if (log->file >= 0) close(log->file);
    log->file = -1;
}
