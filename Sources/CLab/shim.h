// Packet sockets, for the laboratory's Ethernet switch: what Swift cannot import (macros over control messages, option
// structures, the batch calls). Wrappers only, no logic. Calls that the C library only declares as GNU extensions are made by
// number: with those extensions switched on, its structures differ from what Swift's own modules say of them.

#ifndef TUTTI_CLAB_SHIM_H
#define TUTTI_CLAB_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/// Nanoseconds of a clock. (Both this module and the C library's own define the time structures: Swift sees neither.)
static inline int64_t clab_now(int clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Steps CLOCK_REALTIME by less than a second. 0 or -errno.
static inline int clab_step_realtime(int64_t nanoseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    int64_t sum = time.tv_nsec + nanoseconds + 1000000000;
    time.tv_sec += sum / 1000000000 - 1;
    time.tv_nsec = sum % 1000000000;
    return clock_settime(CLOCK_REALTIME, &time) == 0 ? 0 : -errno;
}

/// Sleeps for less than a second.
static inline void clab_sleep(int64_t nanoseconds) {
    struct timespec time = {0, nanoseconds < 999999999 ? nanoseconds : 999999999};
    nanosleep(&time, NULL);
}

/// Frames moved by one system call.
#define CLAB_BATCH 32

/// The kernel's struct mmsghdr.
struct clab_message {
    struct msghdr header;
    unsigned length;
};

/// Moves the calling thread (alone) into a network namespace, named by an open file descriptor. 0 or -errno.
static inline int clab_enter_network_namespace(int descriptor) {
    return syscall(SYS_setns, descriptor, 0x40000000 /* CLONE_NEWNET */) == 0 ? 0 : -errno;
}

/// A non-blocking packet socket bound to one interface of the thread's namespace, with the kernel's arrival stamps, without
/// the frames that it sends itself, and past any queueing discipline. A descriptor or -errno.
static inline int clab_packet_open(const char *interface, int receive_buffer_bytes) {
    // Protocol 0 until bound: nothing of other interfaces is queued meanwhile.
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int on = 1;
    struct sockaddr_ll address;
    memset(&address, 0, sizeof address);
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = (int)if_nametoindex(interface);
    int failed = address.sll_ifindex == 0
        || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0
        || setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) < 0
        || setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0
        || setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &receive_buffer_bytes, sizeof receive_buffer_bytes) < 0
        || bind(fd, (struct sockaddr *)&address, sizeof address) < 0;
    if (failed) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

/// Receives up to `count` (at most CLAB_BATCH) frames, frame i into `memory + slots[i] * slot_bytes`. Writes each frame's
/// length (0 for one that did not fit) and arrival (ns of CLOCK_REALTIME; 0 without a stamp). The number received, or -errno.
static inline int clab_packet_receive(
    int fd, unsigned char *memory, unsigned slot_bytes, const int32_t *slots, int count, uint32_t *lengths, int64_t *arrivals) {
    struct clab_message messages[CLAB_BATCH];
    struct iovec pieces[CLAB_BATCH];
    _Alignas(8) unsigned char control[CLAB_BATCH][64];
    if (count > CLAB_BATCH) count = CLAB_BATCH;
    memset(messages, 0, sizeof messages[0] * (unsigned)count);
    for (int i = 0; i < count; i++) {
        pieces[i].iov_base = memory + (size_t)slots[i] * slot_bytes;
        pieces[i].iov_len = slot_bytes;
        messages[i].header.msg_iov = &pieces[i];
        messages[i].header.msg_iovlen = 1;
        messages[i].header.msg_control = control[i];
        messages[i].header.msg_controllen = sizeof control[i];
    }
    int received = (int)syscall(SYS_recvmmsg, fd, messages, (unsigned)count, MSG_DONTWAIT, NULL);
    if (received < 0) return -errno;
    for (int i = 0; i < received; i++) {
        struct msghdr *header = &messages[i].header;
        lengths[i] = (header->msg_flags & MSG_TRUNC) ? 0 : messages[i].length;
        arrivals[i] = 0;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c; c = CMSG_NXTHDR(header, c)) {
            if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) continue;
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
            arrivals[i] = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
        }
    }
    return received;
}

/// Sends `count` (at most CLAB_BATCH) frames in order. The number sent, or -errno.
static inline int clab_packet_send(
    int fd, const unsigned char *memory, unsigned slot_bytes, const int32_t *slots, const uint32_t *lengths, int count) {
    struct clab_message messages[CLAB_BATCH];
    struct iovec pieces[CLAB_BATCH];
    if (count > CLAB_BATCH) count = CLAB_BATCH;
    memset(messages, 0, sizeof messages[0] * (unsigned)count);
    for (int i = 0; i < count; i++) {
        pieces[i].iov_base = (void *)(memory + (size_t)slots[i] * slot_bytes);
        pieces[i].iov_len = lengths[i];
        messages[i].header.msg_iov = &pieces[i];
        messages[i].header.msg_iovlen = 1;
    }
    int sent = (int)syscall(SYS_sendmmsg, fd, messages, (unsigned)count, MSG_DONTWAIT);
    return sent < 0 ? -errno : sent;
}

/// A UDP socket between one port of two addresses whose datagrams are stamped by the kernel in both directions. A descriptor
/// or -errno.
static inline int clab_stamping_socket(const char *address, const char *peer, uint16_t port) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int stamps = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE
        | SOF_TIMESTAMPING_OPT_TSONLY;
    struct sockaddr_in near = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in far = near;
    int failed = inet_pton(AF_INET, address, &near.sin_addr) != 1 || inet_pton(AF_INET, peer, &far.sin_addr) != 1
        || setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps) < 0
        || bind(fd, (struct sockaddr *)&near, sizeof near) < 0 || connect(fd, (struct sockaddr *)&far, sizeof far) < 0;
    if (failed) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

/// The stamp (ns of CLOCK_REALTIME) of the next datagram that arrived or, with `transmitted`, that left; waits at most
/// `nanoseconds` for it. 0 when there is none, -1 when it has no stamp.
static inline int64_t clab_stamp(int fd, int transmitted, int64_t nanoseconds) {
    struct pollfd ready = {fd, transmitted ? 0 : POLLIN, 0};
    unsigned char payload[256];
    _Alignas(8) unsigned char control[256];
    struct iovec piece = {payload, sizeof payload};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    if (poll(&ready, 1, (int)(nanoseconds / 1000000)) <= 0) return 0;
    if (recvmsg(fd, &message, MSG_DONTWAIT | (transmitted ? MSG_ERRQUEUE : 0)) < 0) return 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPING) continue;
        // The first of the three stamps of a struct scm_timestamping is the software one.
        struct timespec stamp;
        memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
        return (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    }
    return -1;
}

/// Waits until one of the descriptors is readable or the time has passed (ns; negative: for ever).
static inline int clab_wait(struct pollfd *descriptors, int count, int64_t nanoseconds) {
    struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return (int)syscall(SYS_ppoll, descriptors, count, nanoseconds < 0 ? NULL : &timeout, NULL, 0);
}

/// Timers of the calling thread fire within a nanosecond's slack and not the usual 50 µs.
static inline void clab_minimal_timer_slack(void) { prctl(PR_SET_TIMERSLACK, 1UL); }

/// The first processor that the calling thread may run on, or -1.
static inline int clab_first_processor(void) {
    uint8_t processors[1024] = {0};
    if (syscall(SYS_sched_getaffinity, 0, sizeof processors, processors) < 0) return -1;
    for (int number = 0; number < 8 * (int)sizeof processors; number++)
        if (processors[number / 8] >> number % 8 & 1) return number;
    return -1;
}

/// Keeps the calling thread on one processor. 0 or -1.
static inline int clab_pin_thread(int number) {
    uint8_t processors[1024] = {0};
    processors[number / 8] = (uint8_t)(1 << number % 8);
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof processors, processors);
}

/// A pipe whose ends are not inherited: `ends[0]` to read, `ends[1]` to write. 0 or -1.
static inline int clab_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

static inline int clab_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

#endif
