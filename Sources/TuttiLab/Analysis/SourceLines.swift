/// The song, and straight lines along which a room may play it.
struct SourceLines: Sendable {
    /// At sample `t` of the axis the room plays sample `t + offset` of the song, so much louder.
    struct Line: Sendable {
        var offset: Double
        var gain: Double
    }

    /// Samples over which the level of the song is taken, to each side: 10 ms.
    private static let neighbourhood = 10
    /// A room that plays the song more quietly than this plays something else.
    private static let leastGain = 1e-3
    /// What is quieter cannot be told from silence: −60 dB.
    private static let quietest = 0.001

    /// Samples that are one when a place is looked for.
    private static let decimation = 6
    /// How many places are looked at closely.
    private static let candidates = 16
    /// Samples by which the exact place may lie beside.
    private static let refinement = 192

    private let samples: [Float]
    private let interpolator = SincInterpolator()
    private let estimators = WindowEstimators()

    /// - Parameter samples: the song at the axis's rate.
    init(_ samples: [Float]) { self.samples = samples }

    /// The line that the room plays along in the window that begins at `start`, where it should play `media` of the
    /// song, give or take `reach` seconds; nil when it does not.
    func line(of track: RoomTrack, at start: Int, near media: Double, reach: Double) -> Line? {
        let size = MeasurementWindow.usual
        guard start >= 0, start + size <= track.samples.count else { return nil }
        let around = Int(reach * RoomTrack.rate)
        let from = max(0, Int(media) - around)
        let to = min(samples.count, Int(media) + around + size)
        guard to - from > size else { return nil }
        let window = start..<start + size
        let lines = Self.places(of: track.samples[window], in: samples[from..<to]).compactMap { place in
            refined(track, window, from: from + place)
        }
        // Bars are like each other: it is the one that leaves the least of the window.
        return lines.min { rest(of: track, on: $0, window) < rest(of: track, on: $1, window) }
    }

    /// The exact line near a sample of the song: to the sample by correlation, then to its fractions.
    private func refined(_ track: RoomTrack, _ window: Range<Int>, from place: Int) -> Line? {
        let likeness = (place - Self.refinement...place + Self.refinement).map { start in
            self.likeness(of: track.samples[window], at: start)
        }
        guard let best = likeness.indices.max(by: { likeness[$0] < likeness[$1] }) else { return nil }
        let start = place - Self.refinement + best
        let piece = (start..<start + window.count).map { samples.indices.contains($0) ? samples[$0] : 0 }
        guard
            let delay = estimators[window.count].delay(of: track.samples[window], behind: piece[...], limit: 8),
            delay.likeness > SourceAligner.leastLikeness
        else { return nil }
        let line = Line(offset: Double(start - window.lowerBound) - delay.samples, gain: 1)
        return level(of: track, on: line, before: window.upperBound)
    }

    /// The normalised correlation of a piece with the song from `start` on; 0 beyond its ends.
    private func likeness(of piece: ArraySlice<Float>, at start: Int) -> Float {
        guard start >= 0, start + piece.count <= samples.count else { return 0 }
        var (common, power): (Float, Float) = (0, 0)
        for (place, value) in piece.enumerated() {
            common += value * samples[start + place]
            power += samples[start + place] * samples[start + place]
        }
        return power > 0 ? common / power.squareRoot() : 0
    }

    private func rest(of track: RoomTrack, on line: Line, _ window: Range<Int>) -> Double {
        zip(along(line.offset, window), track.samples[window]).reduce(0) { sum, pair in
            let difference = Double(pair.1) - line.gain * Double(pair.0)
            return sum + difference * difference
        }
    }

    /// Where in `song` a piece is much like it, to some samples, the likeliest first: by the normalised correlation of
    /// their thinned samples.
    private static func places(of piece: ArraySlice<Float>, in song: ArraySlice<Float>) -> [Int] {
        let (piece, song) = (thin(piece), thin(song))
        let power = piece.reduce(0) { $0 + $1 * $1 }
        guard power > 0, song.count >= piece.count else { return [] }
        let energy = song.reduce(into: [Float(0)]) { sums, sample in sums.append((sums.last ?? 0) + sample * sample) }
        let likeness = (0...song.count - piece.count).map { lag in
            var common: Float = 0
            for index in piece.indices { common += piece[index] * song[lag + index] }
            return common / (max(energy[lag + piece.count] - energy[lag], 1e-9) * power).squareRoot()
        }
        var chosen: [Int] = []
        for lag in likeness.indices.sorted(by: { likeness[$0] > likeness[$1] }) where chosen.count < candidates {
            // What lies closer is found when the place is looked at.
            if !chosen.contains(where: { abs($0 - lag) * decimation < refinement }) { chosen.append(lag) }
        }
        return chosen.map { $0 * decimation }
    }

    /// Sums of some samples each.
    private static func thin(_ samples: ArraySlice<Float>) -> [Float] {
        stride(from: samples.startIndex, through: samples.endIndex - decimation, by: decimation).map {
            samples[$0..<$0 + decimation].reduce(0, +)
        }
    }

    /// The line with the gain that the room has on it in the 100 ms before `time`; nil when it does not play it.
    func level(of track: RoomTrack, on line: Line, before time: Int) -> Line? {
        let range = time - 4_800..<time
        guard range.lowerBound >= 0, range.upperBound <= track.samples.count else { return nil }
        let song = along(line.offset, range)
        let power = song.reduce(0) { $0 + Double($1) * Double($1) }
        let common = zip(song, track.samples[range]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        guard power > 0, common / power > Self.leastGain else { return nil }
        return Line(offset: line.offset, gain: common / power)
    }

    /// By how much the room departs from the line, millisecond by millisecond, as a share of the line's level there.
    func departures(of track: RoomTrack, from line: Line, in range: Range<Int>) -> [Double] {
        let block = SteeringAnalysis.block
        let range = range.clamped(to: 0..<track.samples.count)
        let song = along(line.offset, range).map { Double($0) * line.gain }
        let count = range.count / block
        let powers = (0..<count).map { index in
            song[index * block..<(index + 1) * block].reduce(0) { $0 + $1 * $1 } / Double(block)
        }
        return (0..<count).map { index in
            let near = powers[max(0, index - Self.neighbourhood)..<min(count, index + Self.neighbourhood + 1)]
            let level = max((near.reduce(0, +) / Double(near.count)).squareRoot(), Self.quietest)
            var rest = 0.0
            for place in index * block..<(index + 1) * block {
                let difference = Double(track.samples[range.lowerBound + place]) - song[place]
                rest += difference * difference
            }
            return (rest / Double(block)).squareRoot() / level
        }
    }

    /// The largest second difference of the line in a range.
    func hardestCorner(of line: Line, in range: Range<Int>) -> Double {
        let song = along(line.offset, range.lowerBound - 1..<range.upperBound + 1)
        let corners = (1..<song.count - 1).map { index -> Float in
            abs(song[index + 1] - 2 * song[index] + song[index - 1])
        }
        return Double(corners.max() ?? 0) * line.gain
    }

    private func along(_ offset: Double, _ range: Range<Int>) -> [Float] {
        interpolator.samples(of: samples, start: Double(range.lowerBound) + offset, step: 1, count: range.count)
    }
}
