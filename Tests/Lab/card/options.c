#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "options.h"

int options_read(snd_config_t *config, struct options *options) {
    snd_config_iterator_t item, next;
    snd_config_for_each(item, next, config) {
        snd_config_t *node = snd_config_iterator_entry(item);
        const char *id;
        if (snd_config_get_id(node, &id) < 0) continue;
        if (!strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) continue;
        int error = -EINVAL;
        if (!strcmp(id, "name")) error = snd_config_get_string(node, &options->name);
        if (!strcmp(id, "directory")) error = snd_config_get_string(node, &options->directory);
        if (!strcmp(id, "kind")) error = snd_config_get_string(node, &options->kind);
        if (!strcmp(id, "format")) error = snd_config_get_string(node, &options->format);
        if (!strcmp(id, "xruns")) error = snd_config_get_string(node, &options->xruns);
        if (!strcmp(id, "unplug")) error = snd_config_get_string(node, &options->unplug);
        if (!strcmp(id, "pauses")) error = snd_config_get_string(node, &options->pauses);
        if (!strcmp(id, "latency")) error = snd_config_get_ireal(node, &options->latency);
        if (!strcmp(id, "locking")) error = snd_config_get_ireal(node, &options->locking);
        if (!strcmp(id, "channels")) error = snd_config_get_integer(node, &options->channels);
        if (!strcmp(id, "step")) error = snd_config_get_integer(node, &options->step);
        if (!strcmp(id, "lead")) error = snd_config_get_integer(node, &options->lead);
        if (!strcmp(id, "surplus")) error = snd_config_get_integer(node, &options->surplus);
        if (!strcmp(id, "keep")) error = snd_config_get_integer(node, &options->keep);
        if (!strcmp(id, "ppm")) error = snd_config_get_ireal(node, &options->ppm);
        if (!strcmp(id, "rate")) error = snd_config_get_integer(node, &options->rate);
        if (error < 0) {
            SNDERR("tutti_lab: the field %s is unknown or not of its type", id);
            return -EINVAL;
        }
    }
    return 0;
}

int options_set_ranges(const struct options *options, snd_pcm_ioplug_t *io) {
    static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    unsigned formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE};
    unsigned format_count = 4;
    if (options->format) {
        unsigned only = (unsigned)snd_pcm_format_value(options->format);
        bool known = false;
        for (unsigned i = 0; i < format_count; i++) known = known || formats[i] == only;
        if (!known) return -EINVAL;
        formats[0] = only;
        format_count = 1;
    }
    unsigned fastest = options_fastest(options);
    unsigned channels = options_channels(options);
    // A period is no shorter than a step: between two of them nothing shows.
    unsigned shortest = options->step > 16 ? (unsigned)options->step : 16;
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, format_count, formats);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, options_slowest(options), fastest);
    // At most one second of the widest frame; card_hw_params refuses more than a second of narrower ones.
    unsigned narrowest = 2 * channels, widest = 4 * channels;
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, shortest * narrowest, fastest / 2 * widest);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 2 * shortest * narrowest, fastest * widest);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
    return error;
}
