// The fields of a virtual card in an ALSA configuration.
#ifndef TUTTI_LAB_OPTIONS_H
#define TUTTI_LAB_OPTIONS_H

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

/// A card's fields as written; texts belong to the configuration. Unset ones keep what the caller put in.
struct options {
    const char *name, *directory, *kind, *format, *xruns, *unplug, *pauses;
    double ppm, latency, locking;
    long rate, channels, step, lead, surplus, keep;
};

/// Reads the fields; an unknown one or one of the wrong type is -EINVAL.
int options_read(snd_config_t *config, struct options *options);

/// The highest and lowest rate the card takes.
static inline unsigned options_slowest(const struct options *options) {
    return options->rate ? (unsigned)options->rate : 8000;
}
static inline unsigned options_fastest(const struct options *options) {
    return options->rate ? (unsigned)options->rate : 192000;
}

/// The only number of channels it takes.
static inline unsigned options_channels(const struct options *options) {
    return options->channels ? (unsigned)options->channels : 2;
}

/// Tells ALSA what the card takes.
int options_set_ranges(const struct options *options, snd_pcm_ioplug_t *io);

#endif
