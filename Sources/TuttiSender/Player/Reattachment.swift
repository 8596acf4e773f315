import TuttiCore
package import TuttiRooms

/// What a sender that comes back makes of what the rooms say.
package enum Reattachment {
    /// The line that goes on: the newest of that in the record and those that rooms play along, on a clock that a room
    /// knows still. A line that the record knows of as an earlier one has been followed by others which that room has
    /// not heard of.
    ///
    /// - Parameters:
    ///   - recorded: the line that was written down last.
    ///   - earlier: the lines before that.
    /// - Returns: nil when no room knows the clock any more.
    package static func line(recorded: Playhead?, earlier: [Playhead], _ known: [KnownPlayback]) -> Playhead? {
        let told = known.compactMap(\.playhead).filter { !earlier.contains($0) }
        let clocks = Set(known.compactMap(\.timescale))
        let lines = ((recorded.map { [$0] } ?? []) + told).filter { clocks.contains($0.group.timescale) }
        guard var newest = lines.first else { return nil }
        for line in lines
        where line.group.timescale == newest.group.timescale && line.group.nanoseconds > newest.group.nanoseconds {
            newest = line
        }
        return newest
    }
}
