/// The timebase along which a programme plays: from group instant `group` on, the programme stands at `media` and goes
/// on at `rate`.
package struct TimebaseObservation: Sendable, Hashable, Codable {
    /// Names the programme.
    package var stream: UInt32
    /// Names the group clock.
    package var timescale: UInt64
    /// Seconds of the programme in a second; 0 holds it.
    package var rate: Double
    /// In nanoseconds of the programme.
    package var media: Int64
    /// In nanoseconds of the timescale.
    package var group: Int64

    /// A timebase.
    package init(stream: UInt32, timescale: UInt64, rate: Double, media: Int64, group: Int64) {
        self.stream = stream
        self.timescale = timescale
        self.rate = rate
        self.media = media
        self.group = group
    }
}
