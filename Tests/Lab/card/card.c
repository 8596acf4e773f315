// A virtual sound card for the laboratory: an ALSA ioplug that plays into a file on a crystal of its own.
//
// Its clock is CLOCK_MONOTONIC_RAW made faster by `ppm`: frame i of a run leaves at t0 + i / (rate · (1 + ppm · 1e-6)).
// The pointer an application sees is that truth, made worse as `kind` and the traits say; the recording and the log keep the truth.
//
//     pcm.card {
//         type tutti_lab
//         name "h1"             # h1.wav, h1.log and h1.control in the directory
//         directory "/run/lab"
//         ppm 80                # how much faster than nominal the crystal runs
//         kind "exact"          # exact, plusminus1, step1ms, late
//         rate 48000            # the only rate it takes (default: 8000 – 192000)
//         format "S16_LE"       # the only format it takes (default: S16_LE S24_3LE S32_LE FLOAT_LE)
//         channels 2            # the only number of channels it takes (1 to 8)
//         latency 3.5           # ms from the start to the first frame; the pointer stands meanwhile
//         step 256              # frames by which the pointer moves at a time
//         lead 256              # frames that the pointer counts when they are handed over, before they leave
//         surplus 24            # frames by which `delay` is more than what the pointer has not come to (or less)
//         locking 3000          # how much faster it runs in its first 0.1 s, in ppm
//         pauses "3+0.01"       # every 3 s the pointer stands for 0.01 s, and jumps
//         xruns "5 12.5"        # seconds after its first start at which it underruns by force
//         unplug "20+3"         # gone at 20 s for 3 s
//         keep 0                # plays into the same MiB over and over, as into the memory of real hardware, and obeys no control file:
//                               # to measure what a program costs (default: 1)
//     }
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

#include "faults.h"
#include "options.h"
#include "recording.h"
#include "traits.h"

enum kind { KIND_EXACT, KIND_PLUSMINUS1, KIND_STEP1MS, KIND_LATE };

static const char *const kind_names[] = {"exact", "plusminus1", "step1ms", "late"};

struct card {
    snd_pcm_ioplug_t io;
    char *name;
    char *directory;
    double ppm;
    enum kind kind;
    unsigned random;
    struct traits traits;
    struct faults faults;
    struct truth_log log;
    struct recording recording;
    bool has_recording;
    bool keeps;
    snd_pcm_uframes_t avail_min;
    snd_pcm_uframes_t stop_threshold;

    bool running;
    double frames_per_ns;
    int64_t start;        // raw ns at which the run was started
    int64_t first_frame;  // of the run, in the recording
    int64_t left;         // frames of the run that left
    int64_t position;     // the same as the application sees it
};

static int64_t raw_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// A small generator of its own, seeded by the card's name: a run can be repeated.
static unsigned next_random(struct card *card) {
    card->random = card->random * 1664525u + 1013904223u;
    return card->random >> 8;
}

/// The frames that have really left `now`.
static int64_t true_position(const struct card *card, int64_t now) {
    return (int64_t)traits_frames(&card->traits, (double)(now - card->start), card->frames_per_ns);
}

/// The frames that left `now`, as this kind of card reports them.
static int64_t reported_position(struct card *card, int64_t now) {
    double since = (double)(now - card->start);
    int64_t position = traits_pointer(&card->traits, since, card->frames_per_ns);
    if (card->kind == KIND_PLUSMINUS1) {
        position += (int64_t)(next_random(card) % 3) - 1;
    } else if (card->kind == KIND_STEP1MS) {
        double granule = card->io.rate / 1000.0;
        double exact = traits_frames(&card->traits, since, card->frames_per_ns);
        position = (int64_t)((double)(int64_t)(exact / granule) * granule);
    }
    return position > card->position ? position : card->position;
}

/// Ends the run at `frames`; what was queued behind them never leaves.
static void finish_run(struct card *card, int64_t frames) {
    card->running = false;
    card->left = card->position = frames;
    int64_t queued = (int64_t)card->io.appl_ptr - frames;
    int64_t total = card->first_frame + frames;
    unsigned frame_bytes = card->recording.layout.frame_bytes;
    if (queued > 0) recording_put(&card->recording, total * frame_bytes, NULL, (size_t)queued * frame_bytes);
    recording_set_frames(&card->recording, total);
    truth_log_set_frames(&card->log, frames);
    card->first_frame = total;
}

/// Moves the card to the present. Returns 0, or -EPIPE or -ENODEV when the run ended for that reason.
static int advance(struct card *card) {
    if (!card->running) return 0;
    int64_t now = raw_now();
    int64_t written = (int64_t)card->io.appl_ptr;
    int64_t exact = true_position(card, now);
    int64_t left = exact < written ? exact : written;
    int64_t position = reported_position(card, now);
    int64_t until = faults_unplugged_until(&card->faults, card->log.first_start, now);
    if (until) {
        finish_run(card, left);
        truth_log_unplugged(&card->log, now, until);
        return -ENODEV;
    }
    if (card->io.state == SND_PCM_STATE_DRAINING) {
        exact = left;
        if (position > written) position = written;
    } else {
        // Empty is what has nothing left to play, and what has counted all that it was handed.
        bool forced = faults_take_xrun(&card->faults, card->log.first_start, now);
        int64_t avail = (position > exact ? position : exact) + (int64_t)card->io.buffer_size - written;
        if (forced || avail >= (int64_t)card->stop_threshold) {
            finish_run(card, left);
            truth_log_event(&card->log, forced ? "forced_xrun" : "xrun", now);
            return -EPIPE;
        }
    }
    if (exact > written) {
        // Running free with nothing to play: silence (a real card would repeat its ring).
        int64_t from = card->left > written ? card->left : written;
        unsigned frame_bytes = card->recording.layout.frame_bytes;
        recording_put(&card->recording, (card->first_frame + from) * frame_bytes, NULL,
                      (size_t)(exact - from) * frame_bytes);
    }
    card->left = exact;
    card->position = position;
    recording_set_frames(&card->recording, card->first_frame + exact);
    truth_log_set_frames(&card->log, exact);
    return 0;
}

/// Sets the poll timer to wake after `delay` ns: at once when that is not positive, never for INT64_MIN.
static void set_timer(struct card *card, int64_t delay) {
    struct itimerspec timer = {0};
    if (delay != INT64_MIN) {
        if (delay < 1) delay = 1;
        timer.it_value.tv_sec = delay / 1000000000;
        timer.it_value.tv_nsec = delay % 1000000000;
    }
    timerfd_settime(card->io.poll_fd, 0, &timer, NULL);
}

/// Whether an application that has written `written` frames is to be woken.
static bool is_ready(const struct card *card, int64_t written) {
    if (!card->running && card->io.state != SND_PCM_STATE_PREPARED) return true;
    if (card->io.state == SND_PCM_STATE_DRAINING) return card->position >= written;
    return card->position + (int64_t)card->io.buffer_size - written >= (int64_t)card->avail_min;
}

/// Lets the poll descriptor wake at the first period boundary of the card's own clock at which there is room to write.
static void arm(struct card *card, int64_t written) {
    if (is_ready(card, written)) return set_timer(card, 0);
    if (!card->running) return set_timer(card, INT64_MIN);
    int64_t period = (int64_t)card->io.period_size;
    int64_t target = written;
    if (card->io.state != SND_PCM_STATE_DRAINING) {
        int64_t needed = written + (int64_t)card->avail_min - (int64_t)card->io.buffer_size;
        target = (needed + period - 1) / period * period;
        if (target <= card->position) target = (card->position / period + 1) * period;
    }
    // When the pointer has come there.
    const struct traits *traits = &card->traits;
    int64_t needed = target - traits->lead;
    needed = needed > 0 ? (needed + traits->step - 1) / traits->step * traits->step : 0;
    int64_t time = card->start + (int64_t)traits_time(traits, (double)needed, card->frames_per_ns) + 1;
    if (card->kind == KIND_LATE) {
        unsigned random = next_random(card);
        time += random % 50 == 0 ? 15000000 : random % 3000 * 1000;
    }
    int64_t delay = time - raw_now();
    // It should have come there, and stands.
    set_timer(card, delay > 0 ? delay : 1000000);
}

// --- ioplug callbacks

static int card_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->left = card->position = 0;
    card->start = raw_now();
    card->running = true;
    int error = truth_log_begin_run(&card->log, card->recording.name, &card->recording.layout, card->ppm,
                                    card->start + (int64_t)traits_origin(&card->traits), card->first_frame);
    faults_skip_xruns(&card->faults, card->log.first_start, card->start);
    arm(card, (int64_t)io->appl_ptr);
    return error;
}

static int card_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (card->running) {
        int64_t exact = true_position(card, raw_now());
        int64_t written = (int64_t)io->appl_ptr;
        finish_run(card, exact < written ? exact : written);
    }
    set_timer(card, 0);
    return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    int error = advance(card);
    if (error == -ENODEV) {
        // The pointer stays; every further call of the application is refused with -ENODEV by this state.
        snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    } else if (error) {
        return error;
    }
    return card->position;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *card = io->private_data;
    // Read anew: the stamp of a status is taken after its pointer.
    int64_t position = card->running ? reported_position(card, raw_now()) : card->position;
    *delay = (snd_pcm_sframes_t)((int64_t)io->appl_ptr - position + card->traits.surplus);
    return 0;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    unsigned frame_bytes = card->recording.layout.frame_bytes;
    const uint8_t *bytes = (const uint8_t *)areas->addr + (areas->first + areas->step * offset) / 8;
    int64_t written = (int64_t)io->appl_ptr;
    // Frames whose time has passed (a card running free) are lost, as in a real ring.
    int64_t lost = card->running && card->left > written ? card->left - written : 0;
    if (lost < (int64_t)size) {
        int error = recording_put(&card->recording, (card->first_frame + written + lost) * frame_bytes,
                                  bytes + lost * frame_bytes, (size_t)((int64_t)size - lost) * frame_bytes);
        if (error) return error;
    }
    arm(card, written + (int64_t)size);
    return (snd_pcm_sframes_t)size;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count,
                             unsigned short *events) {
    struct card *card = io->private_data;
    *events = 0;
    if (count != 1 || !(descriptors[0].revents & POLLIN)) return 0;
    if (card->running && card->keeps) faults_check_control(&card->faults, card->log.first_start, raw_now());
    int error = advance(card);
    if (error == -ENODEV) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    if (error == -EPIPE) snd_pcm_ioplug_set_state(io, SND_PCM_STATE_XRUN);
    if (is_ready(card, (int64_t)io->appl_ptr)) {
        *events = POLLOUT;
        if (!card->running && io->state != SND_PCM_STATE_PREPARED) *events |= POLLERR;
    } else {
        arm(card, (int64_t)io->appl_ptr);
    }
    return 0;
}

static void close_recording(struct card *card) {
    if (!card->has_recording) return;
    if (card->running) card_stop(&card->io);
    recording_close(&card->recording, card->first_frame);
    card->has_recording = false;
}

/// Opens `name.wav`, or `name-2.wav` … when that holds another format or rate.
static int open_recording(struct card *card, const struct sample_layout *layout) {
    char name[128];
    for (int number = 1; number < 100; number++) {
        if (number == 1) {
            snprintf(name, sizeof name, "%s.wav", card->name);
        } else {
            snprintf(name, sizeof name, "%s-%d.wav", card->name, number);
        }
        int error = recording_open(&card->recording, card->directory, name, layout, &card->first_frame);
        if (error != -EEXIST) return error;
    }
    return -EEXIST;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    (void)params;
    struct card *card = io->private_data;
    if (io->buffer_size > io->rate) return -EINVAL;
    close_recording(card);
    struct sample_layout layout = {
        .name = snd_pcm_format_name(io->format),
        .rate = io->rate,
        .channels = io->channels,
        .frame_bytes = (unsigned)snd_pcm_format_physical_width(io->format) / 8 * io->channels,
        .is_float = io->format == SND_PCM_FORMAT_FLOAT_LE,
    };
    int error = open_recording(card, &layout);
    if (error) return error;
    card->has_recording = true;
    card->recording.is_ring = !card->keeps;
    card->frames_per_ns = io->rate * (1 + card->ppm * 1e-6) / 1e9;
    card->avail_min = io->period_size;
    card->stop_threshold = io->buffer_size;
    return 0;
}

static int card_hw_free(snd_pcm_ioplug_t *io) {
    close_recording(io->private_data);
    return 0;
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    struct card *card = io->private_data;
    snd_pcm_sw_params_get_avail_min(params, &card->avail_min);
    snd_pcm_sw_params_get_stop_threshold(params, &card->stop_threshold);
    arm(card, (int64_t)io->appl_ptr);
    return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (faults_unplugged_until(&card->faults, card->log.first_start, raw_now())) return -ENODEV;
    card->left = card->position = 0;
    arm(card, 0);
    return 0;
}

static void free_card(struct card *card) {
    close_recording(card);
    truth_log_close(&card->log);
    if (card->io.poll_fd >= 0) close(card->io.poll_fd);
    free(card->name);
    free(card->directory);
    free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
    free_card(io->private_data);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .delay = card_delay,
    .close = card_close,
    .hw_params = card_hw_params,
    .hw_free = card_hw_free,
    .sw_params = card_sw_params,
    .prepare = card_prepare,
    .poll_revents = card_poll_revents,
};

// --- opening

static int apply_options(struct card *card, const struct options *options) {
    size_t kind = 0;
    while (kind < sizeof kind_names / sizeof *kind_names && strcmp(kind_names[kind], options->kind)) kind++;
    if (kind == sizeof kind_names / sizeof *kind_names || options->ppm < -1000 || options->ppm > 1000 ||
        traits_read(&card->traits, options) || options->channels < 0 || options->channels > 8 ||
        faults_parse_xruns(&card->faults, options->xruns) || faults_parse_unplugs(&card->faults, options->unplug)) {
        SNDERR("tutti_lab: a field of %s is not valid", options->name);
        return -EINVAL;
    }
    card->kind = (enum kind)kind;
    card->ppm = options->ppm;
    card->keeps = options->keep != 0;
    card->name = strdup(options->name);
    card->directory = strdup(options->directory);
    if (!card->name || !card->directory) return -ENOMEM;
    card->random = 2166136261u;
    for (const char *letter = card->name; *letter; letter++) card->random = (card->random ^ (unsigned char)*letter) * 16777619u;
    snprintf(card->faults.control_path, sizeof card->faults.control_path, "%s/%s.control", card->directory, card->name);
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.log", card->directory, card->name);
    int error = truth_log_open(&card->log, path);
    if (error) return error;
    int64_t now = raw_now();
    if (now < card->log.unplugged_until) return -ENODEV;
    return faults_unplugged_until(&card->faults, card->log.first_start, now) ? -ENODEV : 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(tutti_lab) {
    (void)root;
    struct options options = {.keep = 1, .kind = "exact", .directory = ".", .xruns = "", .unplug = ""};
    int error = options_read(conf, &options);
    if (error) return error;
    if (!options.name || stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
    if (options.rate && (options.rate < 8000 || options.rate > 192000)) return -EINVAL;
    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->recording.file = -1;
    card->log.file = -1;
    card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    error = card->io.poll_fd < 0 ? -errno : apply_options(card, &options);
    if (error) {
        free_card(card);
        return error;
    }
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "Tutti laboratory card";
    card->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    card->io.poll_events = POLLIN;
    card->io.callback = &callbacks;
    card->io.private_data = card;
    error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (error) {
        free_card(card);
        return error;
    }
    error = options_set_ranges(&options, &card->io);
    if (error) {
        snd_pcm_ioplug_delete(&card->io);
        return error;
    }
    *pcmp = card->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(tutti_lab);
