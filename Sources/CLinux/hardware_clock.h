// The PTP clocks of network interfaces: the requests of linux/ptp_clock.h, whose numbers are macros that Swift cannot import.

#ifndef TUTTI_CLINUX_HARDWARE_CLOCK_H
#define TUTTI_CLINUX_HARDWARE_CLOCK_H

#include <linux/ptp_clock.h>
#include <stdint.h>
#include <sys/ioctl.h>

/// A reading of the hardware's clock between two of a system clock, in ns.
struct tutti_clock_sandwich {
    int64_t before, hardware, after;
};

static inline int64_t tutti_ptp_nanoseconds(struct ptp_clock_time time) {
    return (int64_t)((uint64_t)time.sec * 1000000000u + time.nsec);
}

/// Both clocks at one instant, compared by the hardware itself; `system` is CLOCK_MONOTONIC_RAW. Returns 0, or −1 with `errno`.
static inline int tutti_ptp_precise(int descriptor, int64_t *hardware, int64_t *system) {
    struct ptp_sys_offset_precise request = {{0}};
    if (ioctl(descriptor, PTP_SYS_OFFSET_PRECISE, &request) != 0) return -1;
    *hardware = tutti_ptp_nanoseconds(request.device);
    *system = tutti_ptp_nanoseconds(request.sys_monoraw);
    return 0;
}

/// `count` readings between readings of `clock`. Kernels before 6.12 know CLOCK_REALTIME (0) only, and refuse others with EINVAL: the
/// clock's number stands where they want zeros.
static inline int tutti_ptp_extended(int descriptor, uint32_t clock, struct tutti_clock_sandwich *sandwiches, uint32_t count) {
    struct ptp_sys_offset_extended request = {0};
    request.n_samples = count;
    request.rsv[0] = clock;
    if (ioctl(descriptor, PTP_SYS_OFFSET_EXTENDED, &request) != 0) return -1;
    for (uint32_t index = 0; index < count; index++) {
        sandwiches[index].before = tutti_ptp_nanoseconds(request.ts[index][0]);
        sandwiches[index].hardware = tutti_ptp_nanoseconds(request.ts[index][1]);
        sandwiches[index].after = tutti_ptp_nanoseconds(request.ts[index][2]);
    }
    return 0;
}

/// The same between readings of CLOCK_REALTIME, for drivers that offer nothing closer.
static inline int tutti_ptp_plain(int descriptor, struct tutti_clock_sandwich *sandwiches, uint32_t count) {
    struct ptp_sys_offset request = {0};
    request.n_samples = count;
    if (ioctl(descriptor, PTP_SYS_OFFSET, &request) != 0) return -1;
    for (uint32_t index = 0; index < count; index++) {
        sandwiches[index].before = tutti_ptp_nanoseconds(request.ts[2 * index]);
        sandwiches[index].hardware = tutti_ptp_nanoseconds(request.ts[2 * index + 1]);
        sandwiches[index].after = tutti_ptp_nanoseconds(request.ts[2 * index + 2]);
    }
    return 0;
}

#endif
