import TuttiCore
package import TuttiRooms

/// What a sender that comes back makes of what the rooms report.
package enum Reattachment {
    /// The playhead to resume from: the newest of that in the record and those that rooms play on, on a clock that a
    /// room still knows. One that the record has among the earlier ones was followed by others which that room does not
    /// know.
    ///
    /// - Parameters:
    ///   - recorded: the playhead that was written down last.
    ///   - earlier: the playheads before that.
    /// - Returns: nil when no room knows the clock any more.
    package static func playhead(recorded: Playhead?, earlier: [Playhead], _ known: [KnownPlayback]) -> Playhead? {
        let told = known.compactMap(\.playhead).filter { !earlier.contains($0) }
        let clocks = Set(known.compactMap(\.timescale))
        let candidates = ((recorded.map { [$0] } ?? []) + told).filter { clocks.contains($0.group.timescale) }
        guard var newest = candidates.first else { return nil }
        for playhead in candidates
        where playhead.group.timescale == newest.group.timescale
            && playhead.group.nanoseconds > newest.group.nanoseconds
        {
            newest = playhead
        }
        return newest
    }
}
