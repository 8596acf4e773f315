/// Which sample of the source a room plays at each sample of true time: the alignments, joined by straight lines.
struct PlaybackMap: Sendable {
    /// A jump: from one window to the next the place in the source moved by more than the time between them.
    struct Jump: Sendable, Equatable {
        /// Where on the axis.
        var center: Int
        /// Samples of the source that were left out (positive) or played again.
        var samples: Double
    }

    /// More than this from window to window is a jump and no correction: 1 ms.
    static let jumpThreshold = 48.0

    let alignments: [SourceAligner.Alignment]

    /// The jumps, in order.
    var jumps: [Jump] {
        zip(alignments, alignments.dropFirst()).compactMap { before, after in
            let moved = after.media - before.media - Double(after.center - before.center)
            return abs(moved) > Self.jumpThreshold ? Jump(center: after.center, samples: moved) : nil
        }
    }

    /// Samples of the source that pass in a sample of true time, around alignment `index`: a fit over half a second on
    /// each side that does not reach over a jump.
    func slope(at index: Int) -> Double {
        let here = alignments[index]
        let near = alignments[max(0, index - 5)...min(alignments.count - 1, index + 5)].filter {
            abs($0.media - here.media - Double($0.center - here.center)) < Self.jumpThreshold
        }
        guard near.count >= 3 else { return 1 }
        return 1 + Self.drift(near)
    }

    /// How much faster than true time the source passes, over the longest stretch without a jump; nil when it is short.
    var drift: Double? {
        var best: ArraySlice<SourceAligner.Alignment> = []
        var from = 0
        for index in 1...max(1, alignments.count) {
            let isEnd = index >= alignments.count
            let breaks =
                isEnd
                || abs(
                    alignments[index].media - alignments[index - 1].media
                        - Double(alignments[index].center - alignments[index - 1].center)) > Self.jumpThreshold
            guard breaks else { continue }
            let stretch = alignments[from..<min(index, alignments.count)]
            if stretch.count > best.count { best = stretch }
            from = index
        }
        return best.count >= 10 ? Self.drift(Array(best)) : nil
    }

    /// The slope of (media − centre) over centre, by least squares.
    private static func drift(_ points: [SourceAligner.Alignment]) -> Double {
        guard let first = points.first else { return 0 }
        let xs = points.map { Double($0.center - first.center) }
        let ys = zip(points, xs).map { $0.media - first.media - $1 }
        let count = Double(points.count)
        let (meanX, meanY) = (xs.reduce(0, +) / count, ys.reduce(0, +) / count)
        let spread = xs.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let common = zip(xs, ys).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        return spread > 0 ? common / spread : 0
    }

    /// The sample of the axis at which the room plays sample `media` of the source, by the nearest alignment.
    func center(ofMedia media: Double) -> Double? {
        guard !alignments.isEmpty else { return nil }
        var (low, high) = (0, alignments.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if alignments[middle].media <= media { low = middle } else { high = middle }
        }
        let next = min(low + 1, alignments.count - 1)
        let isNextNearer = abs(alignments[next].media - media) < abs(alignments[low].media - media)
        let nearest = alignments[isNextNearer ? next : low]
        return Double(nearest.center) + media - nearest.media
    }
}
