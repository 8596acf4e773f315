package import TuttiCore

/// Makes the packets of one track after the other, as far ahead as it is told to, and reports as it goes.
package protocol TrackProducer: Sendable {
    /// Begins a track; drops what is being made, if it is not through.
    func begin(_ item: ProducerItem, limit: MediaTime)

    /// Drops what is being made.
    func rest()

    /// Makes packets up to `limit` on the timeline.
    func extend(to limit: MediaTime)

    /// What a live track plays at its beginning is what was captured at `instant`.
    ///
    /// - Parameter serial: the number of the track's work item; of another one it means nothing.
    func anchor(_ serial: Int, at instant: HostTime)

    /// A live track is heard so many ns after its capture from now on, more than before.
    ///
    /// - Parameter serial: as with `anchor`.
    func raiseLatency(_ serial: Int, to latency: Int64)

    /// Ends for good.
    func stop()

    /// What it has made so far, and what that took; nil where nothing is really made.
    var effort: ProducerEffort? { get }
}
