package import TuttiCore

extension LinkPace {
    /// What the kernel reports of a connection.
    package struct Look: Sendable {
        package var now: HostTime
        /// Bytes that have arrived since the connection was made.
        package var arrived: UInt64
        /// Bytes on their way.
        package var underway: Int
        /// Nanoseconds of the last round trips, and of the quickest.
        package var (roundTrip, leastRoundTrip): (Int64, Int64)
        /// Whether more waits to be sent.
        package var isCrowded: Bool
        /// Bytes a second that may be sent at most.
        package var pace: Double

        package init(
            now: HostTime, arrived: UInt64, underway: Int, roundTrip: Int64, leastRoundTrip: Int64, isCrowded: Bool,
            pace: Double
        ) {
            (self.now, self.arrived, self.underway, self.isCrowded) = (now, arrived, underway, isCrowded)
            (self.roundTrip, self.leastRoundTrip, self.pace) = (roundTrip, leastRoundTrip, pace)
        }

        /// Bytes that travel together, and are no queue, and the rate below which that matters.
        private static let burst = (bytes: 3_000.0, matters: 250_000.0)

        /// Bytes a second that have arrived since an earlier look.
        func rate(since earlier: Look) -> Double {
            let time = Double(now.nanoseconds(since: earlier.now)) * 1e-9
            return time > 0 && arrived >= earlier.arrived ? Double(arrived - earlier.arrived) / time : 0
        }

        /// Nanoseconds that a round trip is longer than the quickest.
        ///
        /// Few round trips tell of the past; there the queue follows from what is on its way (Little's law).
        ///
        /// - Parameter through: bytes a second that come through.
        func queue(through: Double) -> Double {
            guard through > 0, through < Self.burst.matters else { return Double(max(0, roundTrip - leastRoundTrip)) }
            let waiting = max(0, Double(underway) - Self.burst.bytes)
            return max(0, waiting / through * 1e9 - Double(leastRoundTrip))
        }
    }
}
