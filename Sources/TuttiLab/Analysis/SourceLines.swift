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

    private let samples: [Float]
    private let interpolator = SincInterpolator()
    private let estimators = WindowEstimators()

    /// - Parameter samples: the song at the axis's rate.
    init(_ samples: [Float]) { self.samples = samples }

    /// The line that the room plays along in the window that begins at `start`, where it should play `media` of the song,
    /// give or take `reach` seconds; nil when it does not.
    func line(of track: RoomTrack, at start: Int, near media: Double, reach: Double) -> Line? {
        let size = MeasurementWindow.usual
        guard start >= 0, start + size <= track.samples.count else { return nil }
        let around = Int(reach * RoomTrack.rate)
        let from = max(0, Int(media) - around)
        let to = min(samples.count, Int(media) + around + size)
        guard to - from > size else { return nil }
        guard let place = Self.place(of: track.samples[start..<start + size], in: samples[from..<to]) else {
            return nil
        }
        let whole = from + place
        let piece = (whole..<whole + size).map { samples.indices.contains($0) ? samples[$0] : 0 }
        guard
            let delay = estimators[size].delay(of: track.samples[start..<start + size], behind: piece[...], limit: 192),
            delay.likeness > SourceAligner.leastLikeness
        else { return nil }
        return level(of: track, on: Line(offset: Double(whole - start) - delay.samples, gain: 1), before: start + size)
    }

    /// Where in `song` a piece is most like it, to some samples: the normalised correlation of their differences, which
    /// say more about time than the bass does.
    private static func place(of piece: ArraySlice<Float>, in song: ArraySlice<Float>) -> Int? {
        let (piece, song) = (thin(piece), thin(song))
        let power = piece.reduce(0) { $0 + $1 * $1 }
        guard power > 0, song.count >= piece.count else { return nil }
        let energy = song.reduce(into: [Float(0)]) { sums, sample in sums.append((sums.last ?? 0) + sample * sample) }
        var best: (lag: Int, likeness: Float) = (0, -1)
        for lag in 0...song.count - piece.count {
            var common: Float = 0
            for index in piece.indices { common += piece[index] * song[lag + index] }
            let own = max(energy[lag + piece.count] - energy[lag], 1e-9)
            let likeness = common / (own * power).squareRoot()
            if likeness > best.likeness { best = (lag, likeness) }
        }
        return best.lag * decimation
    }

    /// Differences of the sums of some samples each.
    private static func thin(_ samples: ArraySlice<Float>) -> [Float] {
        let sums = stride(from: samples.startIndex, through: samples.endIndex - decimation, by: decimation).map {
            samples[$0..<$0 + decimation].reduce(0, +)
        }
        return zip(sums, sums.dropFirst()).map { $1 - $0 }
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
        var output = [Float](repeating: 0, count: range.count)
        samples.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer {
                interpolator.sample(input, start: Double(range.lowerBound) + offset, step: 1, into: $0)
            }
        }
        return output
    }
}
