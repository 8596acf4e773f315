package import TuttiSignal

/// A chirp that counts.
package struct HeardChirp: Sendable, Equatable {
    /// The room's number in the schedule.
    package var room: Int
    /// When it was played, in seconds of the schedule.
    package var played: Double
    /// Seconds that it was heard later than the reference room's chirps usually are, by the rooms' clock.
    package var late: Double
}

extension Calibration.Result {
    /// By how much one room was heard after another one, turn by turn: each chirp of `second` with the last one of
    /// `first` before it.
    ///
    /// - Parameter distance: seconds that sound needs longer from `second` than from `first`.
    package func offsets(of second: Int, behind first: Int, distance: Double) -> [TimedOffset] {
        var before: HeardChirp?
        var offsets: [TimedOffset] = []
        for chirp in chirps {
            if chirp.room == first { before = chirp }
            guard chirp.room == second, let mate = before else { continue }
            offsets.append(
                TimedOffset(
                    seconds: (mate.played + chirp.played) / 2,
                    microseconds: (chirp.late - mate.late - distance) * 1e6))
            before = nil
        }
        return offsets
    }
}
