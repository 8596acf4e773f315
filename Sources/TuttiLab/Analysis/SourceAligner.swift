import Foundation

/// Finds which part of the source a room plays at each moment.
package struct SourceAligner: Sendable {
    /// At sample `center` of the true-time axis the room plays sample `media` of the source (at the axis's rate).
    package struct Alignment: Sendable, Equatable {
        package var center: Int
        package var media: Double
        package var likeness: Double
        /// Samples of the window.
        package var size: Int
    }

    /// What counts as the source and not as something else.
    static let leastLikeness = 0.35
    /// Below this a window is silence and says nothing about time.
    private static let quietest = 0.0007
    /// Likewise −45 dB of the room's peak: in the last of a song's end the recording's own 16 bits are heard.
    private static let quietestShare = 0.0056

    private let source: [Float]
    private let estimators: WindowEstimators
    private let search: SourceSearch

    /// An aligner for a source at the axis's rate.
    package init(source: [Float], estimators: WindowEstimators = WindowEstimators()) {
        self.source = source
        self.estimators = estimators
        search = SourceSearch(source: source)
    }

    /// The alignments of the windows, as far as the room plays the source in them.
    package func align(_ room: RoomTrack, _ windows: [MeasurementWindow]) -> [Alignment] {
        var found: [Alignment] = []
        var failures = 0
        let quietest = max(Self.quietest, Self.quietestShare * Double(room.peak))
        for window in windows where window.range.upperBound <= room.samples.count {
            // Judged by the window's middle: of what lies at its edges alone, the time would be that of the cut.
            let middle = window.start + window.size / 4..<window.start + window.size * 3 / 4
            guard room.sounds(window.range), room.level(middle) > quietest else { continue }
            var alignment: Alignment?
            if let last = found.last {
                alignment = align(room, window, near: last.media + Double(window.center - last.center))
            }
            // A search through the whole source costs as much as a hundred windows: after some failures, one a second.
            if alignment == nil, failures < 3 || failures % 10 == 0,
                let media = search.position(of: room, at: window.start)
            {
                alignment = align(room, window, near: media + Double(window.size / 2))
            }
            failures = alignment == nil ? failures + 1 : 0
            if let alignment { found.append(alignment) }
        }
        return found
    }

    /// The alignment of one window whose centre should play `media`, within 4 ms.
    private func align(_ room: RoomTrack, _ window: MeasurementWindow, near media: Double) -> Alignment? {
        let half = window.size / 2
        let from = Int(media.rounded()) - half
        guard from > -half, from + half < source.count else { return nil }
        let piece = (from..<from + window.size).map { source.indices.contains($0) ? source[$0] : 0 }
        guard
            let delay = estimators[window.size].delay(of: room.samples[window.range], behind: piece[...], limit: 192),
            delay.likeness > Self.leastLikeness
        else { return nil }
        return Alignment(
            center: window.center, media: Double(from + half) - delay.samples, likeness: delay.likeness,
            size: window.size)
    }
}
