// A virtual sound card that records, for the laboratory: an ALSA ioplug of type `tutti_lab_in`, to which a file is played.
//
// Its clock is CLOCK_MONOTONIC_RAW made faster by `ppm`: frame i of a run is captured at t0 + i / (rate · (1 + ppm · 1e-6)), and it is
// frame i of the file, behind those of the runs before. `directory/name.log` keeps t0, as a card that plays does; it ends where it was
// stopped. Written to, `directory/name.control` commands `overrun` or `unplug SECONDS`.
//
//     pcm.line {
//         type tutti_lab_in
//         name "line"
//         directory "/run/lab"
//         source "song.wav"     # S16_LE; its rate and channels are the card's
//         ppm 200
//         step 1                # frames by which the pointer moves at a time
//     }
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "source.h"

struct line {
    snd_pcm_ioplug_t io;
    char *directory, *name;
    double ppm, frames_per_ns;
    long step;
    struct source source;
    snd_pcm_uframes_t avail_min;
    bool running;
    int64_t start, first_frame, position, unplugged_until;
};

static int64_t raw_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void log_line(const struct line *line, const char *event, int64_t now) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.log", line->directory, line->name);
    FILE *file = fopen(path, "a");
    if (!file) return;
    fprintf(file, "{\"event\":\"%s\",\"raw_ns\":%lld,\"rate\":%u,\"ppm\":%f,\"first_frame\":%lld}\n", event, (long long)now,
            line->source.rate, line->ppm, (long long)line->first_frame);
    fclose(file);
}

/// Looks for a command. Returns 0, -EPIPE or -ENODEV.
static int command(struct line *line, int64_t now) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.control", line->directory, line->name);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    char word[32] = "";
    double seconds = 0;
    int count = fscanf(file, "%31s %lf", word, &seconds);
    fclose(file);
    if (count < 1) return 0;
    unlink(path);
    if (!strcmp(word, "overrun")) return -EPIPE;
    if (strcmp(word, "unplug")) return 0;
    snprintf(path, sizeof path, "%s/%s.gone", line->directory, line->name);
    line->unplugged_until = now + (int64_t)(seconds * 1e9);
    if ((file = fopen(path, "w"))) {
        fprintf(file, "%lld\n", (long long)line->unplugged_until);
        fclose(file);
    }
    return -ENODEV;
}

static void finish_run(struct line *line, const char *event, int64_t now) {
    if (!line->running) return;
    line->running = false;
    line->first_frame += (int64_t)floor((double)(now - line->start) * line->frames_per_ns);
    log_line(line, event, now);
}

static int advance(struct line *line) {
    if (!line->running) return 0;
    int64_t now = raw_now();
    int error = command(line, now);
    if (error) {
        finish_run(line, error == -EPIPE ? "overrun" : "unplugged", now);
        return error;
    }
    int64_t position = (int64_t)floor((double)(now - line->start) * line->frames_per_ns) / line->step * line->step;
    if (position > line->position) line->position = position;
    if (line->position - (int64_t)line->io.appl_ptr > (int64_t)line->io.buffer_size) {
        finish_run(line, "overrun", now);
        return -EPIPE;
    }
    return 0;
}

static void arm(struct line *line) {
    struct itimerspec timer = {0};
    int64_t delay = 1;
    if (line->running) {
        int64_t needed = (int64_t)line->io.appl_ptr + (int64_t)line->avail_min;
        needed = (needed + line->step - 1) / line->step * line->step;
        delay = line->start + (int64_t)((double)needed / line->frames_per_ns) + 1 - raw_now();
    }
    if (delay < 1) delay = 1;
    timer.it_value.tv_sec = delay / 1000000000;
    timer.it_value.tv_nsec = delay % 1000000000;
    timerfd_settime(line->io.poll_fd, 0, &timer, NULL);
}

static int line_start(snd_pcm_ioplug_t *io) {
    struct line *line = io->private_data;
    line->start = raw_now();
    line->position = 0;
    line->running = true;
    log_line(line, "run", line->start);
    arm(line);
    return 0;
}

static int line_stop(snd_pcm_ioplug_t *io) {
    finish_run(io->private_data, "stopped", raw_now());
    return 0;
}

static snd_pcm_sframes_t line_pointer(snd_pcm_ioplug_t *io) {
    struct line *line = io->private_data;
    int error = advance(line);
    if (error == -ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    return error == -EPIPE ? error : (snd_pcm_sframes_t)(line->position % (int64_t)io->buffer_size);
}

static snd_pcm_sframes_t line_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
                                       snd_pcm_uframes_t size) {
    struct line *line = io->private_data;
    uint8_t *bytes = (uint8_t *)areas->addr + (areas->first + areas->step * offset) / 8;
    source_copy(&line->source, line->first_frame + (int64_t)io->appl_ptr, (int64_t)size, bytes);
    return (snd_pcm_sframes_t)size;
}

static int line_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count, unsigned short *events) {
    struct line *line = io->private_data;
    *events = 0;
    if (count != 1 || !(descriptors[0].revents & POLLIN)) return 0;
    int error = advance(line);
    if (error == -ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    if (error == -EPIPE) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    if (!line->running) {
        *events = POLLIN | POLLERR;
    } else if (line->position - (int64_t)io->appl_ptr >= (int64_t)line->avail_min) {
        *events = POLLIN;
    } else {
        arm(line);
    }
    return 0;
}

static int line_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    struct line *line = io->private_data;
    return snd_pcm_sw_params_get_avail_min(params, &line->avail_min);
}

static int line_prepare(snd_pcm_ioplug_t *io) {
    struct line *line = io->private_data;
    line->position = 0;
    line->frames_per_ns = io->rate * (1 + line->ppm * 1e-6) / 1e9;
    if (!line->avail_min) line->avail_min = io->period_size;
    return 0;
}

static void free_line(struct line *line) {
    if (line->io.poll_fd >= 0) close(line->io.poll_fd);
    source_close(&line->source);
    free(line->directory);
    free(line->name);
    free(line);
}

static int line_close(snd_pcm_ioplug_t *io) {
    finish_run(io->private_data, "stopped", raw_now());
    free_line(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = line_start,
    .stop = line_stop,
    .pointer = line_pointer,
    .transfer = line_transfer,
    .close = line_close,
    .sw_params = line_sw_params,
    .prepare = line_prepare,
    .poll_revents = line_poll_revents,
};

/// Whether anything follows in a file.
static bool fgetc_ahead(FILE *file) {
    int next = fgetc(file);
    if (next != EOF) ungetc(next, file);
    return next != EOF;
}

/// Where the runs before have come to, and whether it is plugged in.
static int remember(struct line *line) {
    char path[4096], text[512];
    snprintf(path, sizeof path, "%s/%s.log", line->directory, line->name);
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file)) {
        const char *field = strstr(text, "\"first_frame\":"), *begun = strstr(text, "\"raw_ns\":");
        if (field) line->first_frame = strtoll(field + 14, NULL, 10);
        // Who was killed has not said where it ended: the song has played on.
        bool killed = begun && strstr(text, "\"event\":\"run\"") && !fgetc_ahead(file);
        double rate = line->source.rate * (1 + line->ppm * 1e-6) / 1e9;
        if (killed) line->first_frame += (int64_t)((double)(raw_now() - strtoll(begun + 9, NULL, 10)) * rate);
    }
    if (file) fclose(file);
    snprintf(path, sizeof path, "%s/%s.gone", line->directory, line->name);
    long long until = 0;
    if ((file = fopen(path, "r"))) {
        if (fscanf(file, "%lld", &until) != 1) until = 0;
        fclose(file);
    }
    return raw_now() < until ? -ENODEV : 0;
}

static int set_ranges(struct line *line) {
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE};
    snd_pcm_ioplug_t *io = &line->io;
    unsigned bytes = line->source.frame_bytes, rate = line->source.rate, channels = line->source.channels;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, accesses);
    if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 16 * bytes, rate / 2 * bytes);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 32 * bytes, rate * bytes);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
    return error;
}

static int read_fields(snd_config_t *conf, struct line *line) {
    snd_config_iterator_t item, next;
    const char *source = NULL;
    line->step = 1;
    snd_config_for_each(item, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(item);
        const char *id, *text;
        if (snd_config_get_id(node, &id) < 0 || !strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) continue;
        int error = -EINVAL;
        if (!strcmp(id, "ppm")) error = snd_config_get_ireal(node, &line->ppm);
        if (!strcmp(id, "step")) error = snd_config_get_integer(node, &line->step);
        if (!strcmp(id, "source")) error = snd_config_get_string(node, &source);
        if (!strcmp(id, "name") && !(error = snd_config_get_string(node, &text))) line->name = strdup(text);
        if (!strcmp(id, "directory") && !(error = snd_config_get_string(node, &text))) line->directory = strdup(text);
        if (error < 0) {
            SNDERR("tutti_lab_in: the field %s is unknown or not of its type", id);
            return -EINVAL;
        }
    }
    if (!line->name || !line->directory || !source || line->step < 1 || fabs(line->ppm) > 1000) return -EINVAL;
    int error = source_open(&line->source, source);
    if (!error && line->source.frame_bytes != 2 * line->source.channels) error = -EINVAL;
    return error ? error : remember(line);
}

SND_PCM_PLUGIN_DEFINE_FUNC(tutti_lab_in) {
    (void)root;
    if (stream != SND_PCM_STREAM_CAPTURE) return -EINVAL;
    struct line *line = calloc(1, sizeof *line);
    if (!line) return -ENOMEM;
    line->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    int error = line->io.poll_fd < 0 ? -errno : read_fields(conf, line);
    if (error) {
        free_line(line);
        return error;
    }
    line->io.version = SND_PCM_IOPLUG_VERSION;
    line->io.name = "Tutti laboratory line-in";
    line->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC;
    line->io.poll_events = POLLIN;
    line->io.callback = &callbacks;
    line->io.private_data = line;
    error = snd_pcm_ioplug_create(&line->io, name, stream, mode);
    if (error) {
        free_line(line);
        return error;
    }
    error = set_ranges(line);
    if (error) {
        snd_pcm_ioplug_delete(&line->io);
        return error;
    }
    *pcmp = line->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(tutti_lab_in);
