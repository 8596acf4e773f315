// What the kernel says of CLOCK_REALTIME: linux/timex.h, which the C library's module leaves out.

#ifndef TUTTI_CLINUX_SYSTEM_CLOCK_H
#define TUTTI_CLINUX_SYSTEM_CLOCK_H

#include <stdint.h>
#include <sys/timex.h>

/// How well the system clock is disciplined, by the word of whoever does that. Errors in µs.
struct tutti_clock_discipline {
    int32_t is_synchronised;
    int64_t maximum_error, estimated_error;
};

/// Reads it, which anybody may; not synchronised where that is forbidden.
static inline struct tutti_clock_discipline tutti_read_clock_discipline(void) {
    struct timex kernel = {0};
    int state = adjtimex(&kernel);
    struct tutti_clock_discipline discipline = {
        state >= 0 && state != TIME_ERROR && (kernel.status & STA_UNSYNC) == 0, kernel.maxerror, kernel.esterror};
    return discipline;
}

#endif
