import CLinux
import Glibc

/// Takes single messages, with what the kernel says about them, out of a socket's queues, without waiting.
struct DatagramReader {
    /// One message.
    struct Message {
        /// Bytes in the payload buffer.
        var length: Int
        /// The payload did not fit.
        var isTruncated: Bool
        /// Who sent it; nil in the error queue.
        var from: SocketAddress?
        /// The kernel's stamp, in ns of `CLOCK_REALTIME`.
        var realtime: Int64?
        /// The number of the departure that the stamp belongs to; nil when the message is no departure's.
        var departureNumber: UInt32?
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
                Self.readControl(&header, into: &message)
                return message
            }
        }
    }

    private static func readControl(_ header: inout msghdr, into message: inout Message) {
        var next = tutti_cmsg_first(&header)
        while let current = next {
            let length = tutti_cmsg_payload_length(current)
            let data = UnsafeRawBufferPointer(start: tutti_cmsg_data(current), count: length)
            switch (current.pointee.cmsg_level, current.pointee.cmsg_type) {
            case (SOL_SOCKET, tutti_so_timestamping) where length >= MemoryLayout<timespec>.size:
                let time = data.loadUnaligned(as: timespec.self)
                let stamp = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
                // A zero means that there is no software stamp.
                message.realtime = stamp == 0 ? nil : stamp
            case (Int32(IPPROTO_IP), IP_RECVERR), (Int32(IPPROTO_IPV6), IPV6_RECVERR):
                guard length >= MemoryLayout<sock_extended_err>.size else { break }
                var error = data.loadUnaligned(as: sock_extended_err.self)
                if tutti_is_transmit_stamp(&error) != 0 { message.departureNumber = error.ee_data }
            default: break
            }
            next = tutti_cmsg_next(&header, current)
        }
    }
}
