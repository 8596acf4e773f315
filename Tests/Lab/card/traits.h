// What sets a virtual card apart from others: when its frames leave, and what its pointer says of that.
//
// `Sources/TuttiCards` describes the same for the tests and the simulator, and draws cards.
#ifndef TUTTI_LAB_TRAITS_H
#define TUTTI_LAB_TRAITS_H

#include <stdint.h>

#include "options.h"

/// How long a card may run at another rate after its first frame, ns.
enum { TRAITS_LOCKING_NS = 100000000 };

/// A card's traits; all zeros for none, but for a step of 1.
struct traits {
    double latency_ns;   // from the start to the first frame; the pointer stands meanwhile
    double locking;      // how much faster it runs in the first tenth of a second, as a ratio
    int64_t step;        // frames that the pointer moves by
    int64_t lead;        // frames that it counts before they have left
    int64_t surplus;     // frames that the delay is more than what the pointer has not come to
    double pause_interval_ns, pause_length_ns;  // how often the pointer stands, and for how long
};

/// Takes the traits out of the options; returns 0 or -EINVAL.
int traits_read(struct traits *traits, const struct options *options);

/// Frames that have left `ns` after the start, at `rate` frames a nanosecond; 0 before the first.
double traits_frames(const struct traits *traits, double ns, double rate);

/// What the pointer says then, whatever has been written.
int64_t traits_pointer(const struct traits *traits, double ns, double rate);

/// Nanoseconds after the start at which that many frames have left.
double traits_time(const struct traits *traits, double frames, double rate);

/// Nanoseconds after the start at which frame 0 would have left had the card run at its lasting rate from there on.
double traits_origin(const struct traits *traits);

#endif
