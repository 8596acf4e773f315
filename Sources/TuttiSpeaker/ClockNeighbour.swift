package import TuttiCore
package import TuttiHost

/// Another speaker on the network, as a member of a group clock.
package struct ClockNeighbour: Sendable, Equatable {
    /// A clock that is known.
    package struct Part: Sendable, Equatable {
        /// Which.
        package var timescale: TimescaleID
        /// The id of whoever began it.
        package var origin: String
        /// Whether this speaker leads it.
        package var isLeading: Bool

        /// A part in a clock.
        package init(timescale: TimescaleID, origin: String, isLeading: Bool) {
            self.timescale = timescale
            self.origin = origin
            self.isLeading = isLeading
        }
    }

    /// The speaker's id.
    package var id: String
    /// Where it is asked for the time.
    package var address: SocketAddress
    /// Whether its host is on the network by radio.
    package var isWireless: Bool
    /// The clock that it knows; nil while it knows none.
    package var part: Part?

    /// A neighbour.
    package init(id: String, address: SocketAddress, isWireless: Bool, part: Part?) {
        self.id = id
        self.address = address
        self.isWireless = isWireless
        self.part = part
    }
}
