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
    int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
    if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, format_count, formats);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, options_slowest(options), fastest);
    // At most one second of the widest frame; card_hw_params refuses more than a second of narrower ones.
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, fastest * 4);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, fastest * 8);
    if (!error) error = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
    return error;
}
