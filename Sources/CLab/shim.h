// Packet sockets, for the laboratory's Ethernet switch: what Swift cannot import (macros over control messages, option
// structures, the batch calls of glibc's GNU extensions). Wrappers only, no logic.

#ifndef TUTTI_CLAB_SHIM_H
#define TUTTI_CLAB_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
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

/// Frames moved by one system call.
#define CLAB_BATCH 32

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
    struct mmsghdr messages[CLAB_BATCH];
    struct iovec pieces[CLAB_BATCH];
    _Alignas(8) unsigned char control[CLAB_BATCH][64];
    if (count > CLAB_BATCH) count = CLAB_BATCH;
    memset(messages, 0, sizeof messages[0] * (unsigned)count);
    for (int i = 0; i < count; i++) {
        pieces[i].iov_base = memory + (size_t)slots[i] * slot_bytes;
        pieces[i].iov_len = slot_bytes;
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_control = control[i];
        messages[i].msg_hdr.msg_controllen = sizeof control[i];
    }
    int received = recvmmsg(fd, messages, (unsigned)count, MSG_DONTWAIT, NULL);
    if (received < 0) return -errno;
    for (int i = 0; i < received; i++) {
        struct msghdr *header = &messages[i].msg_hdr;
        lengths[i] = (header->msg_flags & MSG_TRUNC) ? 0 : messages[i].msg_len;
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
    struct mmsghdr messages[CLAB_BATCH];
    struct iovec pieces[CLAB_BATCH];
    if (count > CLAB_BATCH) count = CLAB_BATCH;
    memset(messages, 0, sizeof messages[0] * (unsigned)count);
    for (int i = 0; i < count; i++) {
        pieces[i].iov_base = (void *)(memory + (size_t)slots[i] * slot_bytes);
        pieces[i].iov_len = lengths[i];
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    int sent = sendmmsg(fd, messages, (unsigned)count, MSG_DONTWAIT);
    return sent < 0 ? -errno : sent;
}

/// Waits until one of the descriptors is readable or the time has passed (ns; negative: for ever).
static inline int clab_wait(struct pollfd *descriptors, int count, int64_t nanoseconds) {
    struct timespec timeout = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return ppoll(descriptors, (nfds_t)count, nanoseconds < 0 ? NULL : &timeout, NULL);
}

/// Timers of the calling thread fire within a nanosecond's slack and not the usual 50 µs.
static inline void clab_minimal_timer_slack(void) { prctl(PR_SET_TIMERSLACK, 1UL); }

/// A pipe whose ends are not inherited: `ends[0]` to read, `ends[1]` to write. 0 or -1.
static inline int clab_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

static inline int clab_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

#endif
