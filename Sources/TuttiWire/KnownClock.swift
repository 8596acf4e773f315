package import TuttiCore

/// The group clock that a speaker knows already when a sender comes, which may join it.
package struct KnownClock: Sendable, Equatable {
    /// The clock's timescale.
    package var timescale: TimescaleID
    /// Group nanoseconds when this was written: good to the time that a message takes.
    package var time: Int64
    /// The id of whoever began the clock.
    package var origin: String
    /// The id of the speaker that is asked for it, the reporting one itself if it keeps the clock; nil when that is no
    /// speaker.
    package var leaderID: String?

    /// A known clock.
    package init(timescale: TimescaleID, time: Int64, origin: String, leaderID: String?) {
        self.timescale = timescale
        self.time = time
        self.origin = origin
        self.leaderID = leaderID
    }
}
