/// Decoded sound, by the places in the stream that it fills.
struct CoarseSound {
    /// A stretch of one song.
    struct Stretch {
        var media: MediaSpan
        let packet: SymbolicPacket
    }

    /// Nanoseconds, less than half a frame: frames do not begin on whole ones.
    private static let tolerance: Int64 = 1_000

    private(set) var stretches: [Stretch] = []

    /// How far there is sound without a gap from `place` on; `place` itself when there is none.
    func end(from place: Int64) -> Int64 {
        var reached = place
        for stretch in stretches where stretch.media.lower <= reached + Self.tolerance {
            reached = max(reached, stretch.media.upper)
        }
        return reached
    }

    mutating func append(_ stretch: Stretch) {
        if let last = stretches.last, last.media.upper == stretch.media.lower, last.packet == stretch.packet {
            stretches[stretches.count - 1].media.upper = stretch.media.upper
        } else {
            stretches.append(stretch)
        }
    }

    /// Forgets what lies before `place`.
    mutating func forget(before place: Int64) {
        while let first = stretches.first, first.media.upper <= place { stretches.removeFirst() }
    }

    /// Forgets what lies at `place` or behind it.
    mutating func cut(from place: Int64) {
        stretches = stretches.compactMap { stretch in
            guard stretch.media.lower < place else { return nil }
            var rest = stretch
            rest.media.upper = min(rest.media.upper, place)
            return rest
        }
    }
}
