// What Swift cannot import from the system's headers: function-like macros, variadic functions, and the kernel's
// headers that the C library's module leaves out. Wrappers only, no logic.

#ifndef TUTTI_CLINUX_SHIM_H
#define TUTTI_CLINUX_SHIM_H

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/capability.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <poll.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// What the kernel tells of a TCP connection, as far as it is used here: the beginning of `struct tcp_info` in linux/tcp.h, which has
/// more in it than the C library's of the same name. Times in µs.
struct tutti_tcp_info {
    uint8_t state[8];
    uint32_t timeouts[2], snd_mss, rcv_mss, unacked, sacked, lost, retrans, fackets, since[4];
    uint32_t pmtu, rcv_ssthresh, rtt, rttvar, snd_ssthresh, snd_cwnd, advmss, reordering, rcv_rtt, rcv_space, total_retrans;
    uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
    uint32_t segs_out, segs_in, notsent_bytes, min_rtt;
};

static inline struct cmsghdr *tutti_cmsg_first(struct msghdr *message) { return CMSG_FIRSTHDR(message); }

static inline struct cmsghdr *tutti_cmsg_next(struct msghdr *message, struct cmsghdr *header) {
    return CMSG_NXTHDR(message, header);
}

static inline const void *tutti_cmsg_data(const struct cmsghdr *header) { return CMSG_DATA(header); }

/// Bytes of payload that the control message really carries.
static inline size_t tutti_cmsg_payload_length(const struct cmsghdr *header) {
    return header->cmsg_len < CMSG_LEN(0) ? 0 : header->cmsg_len - CMSG_LEN(0);
}

/// `SO_TIMESTAMPING` and `SCM_TIMESTAMPING` (one number), a conditional macro in some versions of the headers.
static const int32_t tutti_so_timestamping = SO_TIMESTAMPING;

/// What `TimestampedUDPSocket` asks of `SO_TIMESTAMPING`: software stamps of arrivals, and of departures with a counter.
static const int32_t tutti_timestamping_receive = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
static const int32_t tutti_timestamping_transmit =
    SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;
/// The network interface's own stamps beside these, of arrivals with the interface that they came in by.
static const int32_t tutti_timestamping_hardware = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_TX_HARDWARE |
    SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_OPT_TX_SWHW | SOF_TIMESTAMPING_OPT_PKTINFO;

/// The control message that says by which interface a datagram with a hardware stamp came: `struct scm_ts_pktinfo`.
static const int32_t tutti_scm_timestamping_pktinfo = SCM_TIMESTAMPING_PKTINFO;

/// Whether the extended error says "this is when datagram `ee_data` was handed to the driver".
static inline int tutti_is_transmit_stamp(const struct sock_extended_err *error) {
    return error->ee_origin == SO_EE_ORIGIN_TIMESTAMPING && error->ee_info == SCM_TSTAMP_SND;
}

/// `poll` to the nanosecond (`ppoll` is hidden without _GNU_SOURCE); a negative time waits for ever.
static inline int tutti_poll(struct pollfd *polled, unsigned count, int64_t nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, polled, count, nanoseconds < 0 ? NULL : &time, NULL, 0);
}

/// `pipe2`, hidden without _GNU_SOURCE: both ends close on exec and do not wait.
static inline int tutti_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK); }

/// The MCL_ONFAULT flag is missing from older C libraries' headers.
static inline int tutti_mlockall_on_fault(void) { return mlockall(MCL_CURRENT | MCL_FUTURE | 4 /* MCL_ONFAULT */); }

/// `mlock2` for pages from when they are touched on; hidden or missing likewise.
static inline int tutti_mlock_on_fault(const void *start, size_t length) {
    return (int)syscall(SYS_mlock2, start, length, 1 /* MLOCK_ONFAULT */);
}

/// A program or library in this process: the beginning of `struct dl_phdr_info`, which <link.h> hides without _GNU_SOURCE.
struct tutti_loaded_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *headers;
    ElfW(Half) header_count;
};

/// `dl_iterate_phdr`, hidden likewise.
extern int tutti_visit_loaded_objects(int (*visit)(struct tutti_loaded_object *object, size_t size, void *context),
                                      void *context) __asm__("dl_iterate_phdr");

/// Whether RLIMIT_MEMLOCK sets no limit.
static inline int tutti_may_lock_without_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

/// Names the calling thread; the kernel takes 15 bytes.
static inline int tutti_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// The kernel's number of the calling thread (`gettid` is hidden without _GNU_SOURCE).
static inline int32_t tutti_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

/// Limits how long a real-time thread may run without a pause, in µs; 0 or an `errno`. Above `soft` comes SIGXCPU, above
/// `hard` the end.
static inline int tutti_limit_realtime(uint64_t soft, uint64_t hard) {
    struct rlimit limit = {soft, hard};
    return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

/// Gives a thread of this process ordinary scheduling; may be called in a signal handler.
static inline void tutti_make_ordinary(int32_t thread) {
    struct sched_param parameters = {0};
    syscall(SYS_sched_setscheduler, thread, SCHED_OTHER, &parameters);
}

/// Effective capabilities 0…31 of the calling thread as bits; 0 when they cannot be read.
static inline uint32_t tutti_effective_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capget, &header, data) == 0 ? data[0].effective : 0;
}

/// Touches 128 KiB of the calling thread's stack, so that no page fault comes later. (A Swift buffer of that size
/// would be on the heap.)
__attribute__((noinline)) static void tutti_prefault_stack(void) {
    volatile unsigned char pages[128 * 1024];
    for (size_t offset = 0; offset < sizeof pages; offset += 1024) pages[offset] = 0;
}

#endif
