package import TuttiCore
package import TuttiPlayback
import TuttiWire

/// What the rooms hold of what is heard, as players show it.
extension Player {
    /// Credit moves in whole seconds, so that a room which holds all it takes may lack so much of its depth.
    private static let coarseness = 1.0

    /// The place in the piece that is heard.
    package func currentTime() -> MediaTime {
        let place = position
        guard let piece = programme.piece(at: place) else { return place }
        return max(.zero, piece.place(at: place))
    }

    /// What all rooms that are up hold of the piece that is heard, by their last word, in times of that piece.
    package func loadedTimeRanges() -> [TimeRange] {
        guard let piece = programme.piece(at: position) else { return [] }
        let whole = TimeRange(start: .zero, end: piece.length ?? MediaTime(frame: Int64(Int32.max), sampleRate: 1))
        return loaded().compactMap { range in
            TimeRange(start: piece.place(at: range.start), end: piece.place(at: range.end)).intersection(whole)
        }
    }

    /// Whether there is enough in all rooms that are up to play on.
    package func bufferingState() -> BufferingState {
        let depths = group.rooms.compactMap { $0.isUp ? $0.session.welcome?.bufferSeconds : nil }
        guard let depth = depths.min() else { return BufferingState() }
        return BufferingState(
            loaded: loaded(), playhead: position, end: programmeEnd, depth: max(depth - Self.coarseness, depth / 2))
    }

    /// What all rooms that are up hold, on the timeline.
    private func loaded() -> [TimeRange] {
        let held = group.rooms.filter(\.isUp).map { ranges($0.status?.loaded ?? []) }
        guard var common = held.first else { return [] }
        for ranges in held.dropFirst() {
            common = common.flatMap { range in ranges.compactMap { $0.intersection(range) } }
        }
        return common
    }

    private func ranges(_ pairs: [[Double]]) -> [TimeRange] {
        pairs.compactMap { pair in
            guard pair.count == 2, let start = MediaTime(seconds: pair[0], preferredTimescale: 1_000_000),
                let end = MediaTime(seconds: pair[1], preferredTimescale: 1_000_000)
            else { return nil }
            return TimeRange(start: start, end: exact(end))
        }
    }

    /// Rooms say where what they hold ends in decimals of a second. Who holds all there is holds it to its last frame.
    private func exact(_ end: MediaTime) -> MediaTime {
        guard let last = group.log.end, abs((last - end).seconds) < 1e-5 else { return end }
        return last
    }
}
