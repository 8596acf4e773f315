package import TuttiCore

/// What a `TimestampedUDPSocket` has to tell.
package enum UDPEvent: Sendable, Equatable {
    /// A datagram came; `stamp` tells who read the clock at `receivedAt`.
    case datagram(bytes: [UInt8], from: SocketAddress, receivedAt: HostTime, stamp: StampKind)
    /// The datagram sent under `key` left at `at`, by the kernel's stamp or the hardware's.
    case transmitted(key: UInt32, at: HostTime, stamp: StampKind)
}

/// A datagram on its way.
package struct SendStamp: Sendable, Equatable {
    /// Names the datagram in a later `UDPEvent.transmitted`.
    package let key: UInt32
    /// This process's clock just before the send.
    package let userTime: HostTime
    /// The `errno` when the kernel did not take the datagram; 0 when it did. No `transmitted` follows a failure.
    package let failure: Int32

    /// Whether the kernel took the datagram.
    package var isSent: Bool { failure == 0 }

    /// A stamp of the given parts.
    package init(key: UInt32, userTime: HostTime, failure: Int32 = 0) {
        self.key = key
        self.userTime = userTime
        self.failure = failure
    }
}
