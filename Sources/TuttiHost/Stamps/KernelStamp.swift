/// What the kernel says of when a datagram passed.
package struct KernelStamp: Sendable, Equatable {
    /// Its own stamp, in ns of `CLOCK_REALTIME`.
    package var realtime: Int64?
    /// The network interface's stamp, in ns of that one's PTP clock.
    package var hardware: Int64?
    /// The number of the interface by which a datagram with such a stamp came.
    package var interface: UInt32?

    /// A stamp of these parts.
    package init(realtime: Int64? = nil, hardware: Int64? = nil, interface: UInt32? = nil) {
        self.realtime = realtime
        self.hardware = hardware
        self.interface = interface
    }
}
