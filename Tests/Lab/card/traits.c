#define _GNU_SOURCE
#include "traits.h"

#include <errno.h>
#include <stdio.h>

int traits_read(struct traits *traits, const struct options *options) {
    if (!(options->latency >= 0 && options->latency <= 1000) || !(options->locking >= -100000 && options->locking <= 100000)) return -EINVAL;
    if (options->step < 0 || options->step > 65536 || options->lead < 0 || options->lead > 65536) return -EINVAL;
    if (options->surplus < -65536 || options->surplus > 65536) return -EINVAL;
    traits->latency_ns = options->latency * 1e6;
    traits->locking = options->locking * 1e-6;
    traits->step = options->step ? options->step : 1;
    traits->lead = options->lead;
    traits->surplus = options->surplus;
    double interval, length;
    if (!options->pauses || !*options->pauses) return 0;
    if (sscanf(options->pauses, "%lf+%lf", &interval, &length) != 2 || !(length > 0) || !(interval > length)) return -EINVAL;
    traits->pause_interval_ns = interval * 1e9;
    traits->pause_length_ns = length * 1e9;
    return 0;
}

double traits_frames(const struct traits *traits, double ns, double rate) {
    double since = ns - traits->latency_ns;
    if (since <= 0) return 0;
    double locking = since < TRAITS_LOCKING_NS ? since : TRAITS_LOCKING_NS;
    return rate * (since + locking * traits->locking);
}

int64_t traits_pointer(const struct traits *traits, double ns, double rate) {
    if (traits->pause_interval_ns > 0) {
        double begin = (double)(int64_t)(ns / traits->pause_interval_ns) * traits->pause_interval_ns;
        if (begin > 0 && ns - begin < traits->pause_length_ns) ns = begin;
    }
    int64_t frames = (int64_t)traits_frames(traits, ns, rate);
    return frames / traits->step * traits->step + traits->lead;
}

double traits_time(const struct traits *traits, double frames, double rate) {
    double early = frames / rate / (1 + traits->locking);
    double since = early < TRAITS_LOCKING_NS ? early : frames / rate - TRAITS_LOCKING_NS * traits->locking;
    return traits->latency_ns + since;
}

double traits_origin(const struct traits *traits) {
    return traits->latency_ns - TRAITS_LOCKING_NS * traits->locking;
}
