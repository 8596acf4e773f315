// The recording of a virtual card and its truth log: what left the card, in order, and when.
//
// Both files are written through small shared mappings, so that no call of the card waits for a disk and a killed process
// leaves them valid: the counts in the WAV header and in the log's last line are those of the last look at the pointer.
#ifndef TUTTI_LAB_RECORDING_H
#define TUTTI_LAB_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The bytes of a recording that are mapped at a time.
enum { RECORDING_WINDOW = 1 << 20, RECORDING_HEADER = 44 };

/// What the samples of a recording are.
struct sample_layout {
    const char *name;  // as ALSA spells it
    unsigned rate;
    unsigned channels;
    unsigned frame_bytes;
    bool is_float;
};

/// An open recording (one WAV file) of a card.
struct recording {
    int file;
    char name[160];  // without the folder
    struct sample_layout layout;
    uint8_t *header;
    uint8_t *window;
    off_t window_offset;
    off_t file_size;
    bool is_ring;  // only the newest RECORDING_WINDOW bytes are kept, in no order
};

/// Opens `directory/name` to append; returns 0 and the frames it already holds, -EEXIST when it holds another layout,
/// or a negative errno.
int recording_open(struct recording *recording, const char *directory, const char *name,
                   const struct sample_layout *layout, int64_t *frames);

/// Puts bytes of interleaved samples (zeros when `bytes` is null) at a byte offset behind the header.
int recording_put(struct recording *recording, off_t offset, const uint8_t *bytes, size_t size);

/// Writes the number of frames that left into the header.
void recording_set_frames(struct recording *recording, int64_t frames);

/// Cuts the file behind its last frame and closes it.
void recording_close(struct recording *recording, int64_t frames);

/// The truth log of a card: JSON lines, one a run or event.
struct truth_log {
    int file;
    off_t size;
    uint8_t *page;  // maps the part of the file with the current run's count of frames
    size_t page_size;
    uint8_t *frames_field;  // 15 digits, padded with spaces
    int64_t first_start;      // raw ns at which run 1 began, or 0
    int64_t unplugged_until;  // raw ns of the last unplugging's end, or 0
    int runs;
};

/// Opens (and locks: -EBUSY when another process has the card) a log and reads how many runs it holds.
int truth_log_open(struct truth_log *log, const char *path);

/// Appends the line of a run that begins.
int truth_log_begin_run(struct truth_log *log, const char *file, const struct sample_layout *layout, double ppm,
                        int64_t start, int64_t first_frame);

/// Updates the count of frames that left in the current run.
void truth_log_set_frames(struct truth_log *log, int64_t frames);

/// Appends an event's line: `{"event":"xrun","raw_ns":…,"run":…}`.
void truth_log_event(struct truth_log *log, const char *event, int64_t now);

/// Appends the line of an unplugging, which the next opening of the card obeys.
void truth_log_unplugged(struct truth_log *log, int64_t now, int64_t until);

/// Unmaps, unlocks and closes.
void truth_log_close(struct truth_log *log);

#endif
