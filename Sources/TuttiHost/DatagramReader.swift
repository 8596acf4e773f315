import CLinux
import Glibc

/// Takes single messages, with what the kernel says about them, out of a socket's queues, without waiting.
package struct DatagramReader {
    /// One message.
    struct Message {
        /// Bytes in the payload buffer.
        var length: Int
        /// The payload did not fit.
        var isTruncated: Bool
        /// Who sent it; nil in the error queue.
        var from: SocketAddress?
        /// What the kernel says of when it passed.
        var stamp = KernelStamp()
        /// The number of the departure that the stamp belongs to; nil when the message is no departure's.
        var departureNumber: UInt32?
        /// Whether it has a class of service (DSCP).
        var isMarked = false
    }

    let descriptor: Int32
    /// Where the bytes of the last message are.
    let payload: UnsafeMutableRawBufferPointer
    let control: UnsafeMutableRawBufferPointer

    /// The next message of the queue that `flags` names (`MSG_ERRQUEUE` or 0); nil when there is none.
    func next(flags: Int32) -> Message? {
        var name = sockaddr_storage()
        var vector = iovec(iov_base: payload.baseAddress, iov_len: payload.count)
        return withUnsafeMutablePointer(to: &name) { name in
            withUnsafeMutablePointer(to: &vector) { vector in
                var header = msghdr()
                header.msg_name = UnsafeMutableRawPointer(name)
                header.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
                header.msg_iov = vector
                header.msg_iovlen = 1
                header.msg_control = control.baseAddress
                header.msg_controllen = control.count
                let length = recvmsg(descriptor, &header, flags | Int32(MSG_DONTWAIT))
                guard length >= 0 else { return nil }
                let nameLength = min(Int(header.msg_namelen), MemoryLayout<sockaddr_storage>.size)
                var message = Message(
                    length: min(length, payload.count), isTruncated: header.msg_flags & Int32(MSG_TRUNC) != 0,
                    from: SocketAddress(rawBytes: UnsafeRawBufferPointer(start: name, count: nameLength)))
                let told = min(Int(header.msg_controllen), control.count)
                (message.stamp, message.departureNumber, message.isMarked) = Self.told(
                    by: .init(rebasing: control[..<told]))
                return message
            }
        }
    }

    /// What the kernel's control messages in `bytes` say; those of other kinds, and too short ones, are skipped.
    package static func told(
        by bytes: UnsafeMutableRawBufferPointer
    ) -> (stamp: KernelStamp, departureNumber: UInt32?, isMarked: Bool) {
        var header = msghdr()
        header.msg_control = bytes.baseAddress
        header.msg_controllen = bytes.count
        var (stamp, departureNumber, isMarked): (KernelStamp, UInt32?, Bool) = (KernelStamp(), nil, false)
        var next = tutti_cmsg_first(&header)
        while let current = next {
            let length = tutti_cmsg_payload_length(current)
            let data = UnsafeRawBufferPointer(start: tutti_cmsg_data(current), count: length)
            switch (current.pointee.cmsg_level, current.pointee.cmsg_type) {
            case (SOL_SOCKET, tutti_so_timestamping) where length >= MemoryLayout<timespec>.size:
                stamp.realtime = nanoseconds(of: data.loadUnaligned(as: timespec.self))
                // The second is of no use any more; the third is the hardware's.
                let third = 2 * MemoryLayout<timespec>.stride
                guard length >= third + MemoryLayout<timespec>.size else { break }
                stamp.hardware = nanoseconds(of: data.loadUnaligned(fromByteOffset: third, as: timespec.self))
            case (SOL_SOCKET, tutti_scm_timestamping_pktinfo) where length >= MemoryLayout<UInt32>.size:
                let interface = data.loadUnaligned(as: UInt32.self)
                stamp.interface = interface == 0 ? nil : interface
            // The lower two bits are no class but say how congested the way is (RFC 3168).
            case (Int32(IPPROTO_IP), IP_TOS) where length >= 1: isMarked = data.load(as: UInt8.self) >> 2 != 0
            case (Int32(IPPROTO_IPV6), IPV6_TCLASS) where length >= MemoryLayout<Int32>.size:
                isMarked = data.loadUnaligned(as: Int32.self) >> 2 != 0
            case (Int32(IPPROTO_IP), IP_RECVERR), (Int32(IPPROTO_IPV6), IPV6_RECVERR):
                guard length >= MemoryLayout<sock_extended_err>.size else { break }
                var error = data.loadUnaligned(as: sock_extended_err.self)
                if tutti_is_transmit_stamp(&error) != 0 { departureNumber = error.ee_data }
            default: break
            }
            next = tutti_cmsg_next(&header, current)
        }
        return (stamp, departureNumber, isMarked)
    }

    /// Nil for zero, which means that there is no such stamp, and for what is no time.
    private static func nanoseconds(of time: timespec) -> Int64? {
        guard (0..<1_000_000_000).contains(time.tv_nsec), (0..<4_000_000_000).contains(time.tv_sec) else { return nil }
        let stamp = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return stamp == 0 ? nil : stamp
    }
}
