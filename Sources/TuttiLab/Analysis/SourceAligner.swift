import Foundation

/// Finds which part of the source a room plays at each moment.
package struct SourceAligner: Sendable {
    /// At sample `center` of the true-time axis the room plays sample `media` of the source (at the axis's rate).
    package struct Alignment: Sendable, Equatable {
        package var center: Int
        package var media: Double
        package var likeness: Double
    }

    /// Samples of a window: 171 ms.
    package static let windowSize = 8192
    /// Samples from one window to the next: 100 ms.
    package static let hop = 4800
    /// What counts as the source and not as something else.
    static let leastLikeness = 0.35
    /// Below this a window is silence and says nothing about time.
    static let quietest = 0.0007

    private let source: [Float]
    private let estimator: DelayEstimator
    private let search: SourceSearch

    /// An aligner for a source at the axis's rate.
    package init(source: [Float]) {
        self.source = source
        estimator = DelayEstimator(size: Self.windowSize, sampleRate: RoomTrack.rate)
        search = SourceSearch(source: source)
    }

    /// The alignments of the windows that begin at `first`, `first + hop`, …, as far as the room plays the source.
    package func align(_ room: RoomTrack, from first: Int) -> [Alignment] {
        var found: [Alignment] = []
        var failures = 0
        for start in stride(from: first, through: room.samples.count - Self.windowSize, by: Self.hop) {
            let window = start..<start + Self.windowSize
            // Judged by the window's middle: of what lies at its edges alone, the time would be that of the cut.
            let middle = start + Self.windowSize / 4..<start + Self.windowSize * 3 / 4
            guard room.covers(window), room.level(middle) > Self.quietest else { continue }
            var alignment: Alignment?
            if let last = found.last {
                let center = start + Self.windowSize / 2
                alignment = align(room, start, near: last.media + Double(center - last.center))
            }
            // A search through the whole source costs as much as a hundred windows: after some failures, one a second.
            if alignment == nil, failures < 3 || failures % 10 == 0, let media = search.position(of: room, at: start) {
                alignment = align(room, start, near: media + Double(Self.windowSize / 2))
            }
            failures = alignment == nil ? failures + 1 : 0
            if let alignment { found.append(alignment) }
        }
        return found
    }

    /// The alignment of one window whose centre should play `media`, within 4 ms.
    private func align(_ room: RoomTrack, _ start: Int, near media: Double) -> Alignment? {
        let half = Self.windowSize / 2
        let from = Int(media.rounded()) - half
        guard from > -half, from + half < source.count else { return nil }
        let piece = (from..<from + Self.windowSize).map { source.indices.contains($0) ? source[$0] : 0 }
        let window = room.samples[start..<start + Self.windowSize]
        guard let delay = estimator.delay(of: window, behind: piece[...], limit: 192),
            delay.likeness > Self.leastLikeness
        else { return nil }
        return Alignment(center: start + half, media: Double(from + half) - delay.samples, likeness: delay.likeness)
    }
}
