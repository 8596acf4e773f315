import TuttiSignal

/// A stretch of time in which a room played the source without a break: between a pause, a seek and another.
package struct PlayedStretch: Sendable, Equatable {
    /// The first and the last probe that show it, in seconds of true time after the first card's start.
    package var start: Double
    package var end: Double
    /// The place in the source at `start`, in seconds.
    package var media: Double

    /// The place at which the source would lie at time 0, which is the same all through the stretch.
    package var line: Double { media - start }

    /// A probe's length in blocks (0.2 s), and the blocks from one probe to the next (0.2 s).
    private static let length = 1600
    private static let hop = 1600
    /// Samples of a block: places are right to that, an eighth of a millisecond.
    private static let decimation = 6
    /// What lies across a change, or is not the source, is less alike.
    private static let leastLikeness = 0.9
    /// Probes within 2 ms of a line belong to one stretch.
    private static let tolerance = 0.002

    /// The stretches of each card, in the order of time; what is shorter than two probes is left out.
    package static func stories(of cards: [CardRecording], source: WaveFile) -> [[PlayedStretch]] {
        let origin = cards.flatMap { $0.truth.runs.map(\.start) }.min() ?? 0
        let search = Search(thin(source.resampled(to: RoomTrack.rate).correlationSignal()))
        return cards.map { card in stretches(thin(RoomTrack(card, origin: origin).samples), search) }
    }

    private static func stretches(_ track: [Double], _ search: Search) -> [PlayedStretch] {
        let second = RoomTrack.rate / Double(decimation)
        var found: [(stretch: PlayedStretch, probes: Int)] = []
        for start in stride(from: 0, through: track.count - length, by: hop) {
            guard let place = search.place(of: track[start..<start + length]), place.likeness > leastLikeness else {
                continue
            }
            let (time, media) = (Double(start) / second, Double(place.block) / second)
            if let last = found.last, abs(last.stretch.line - (media - time)) < tolerance {
                found[found.count - 1].stretch.end = time
                found[found.count - 1].probes += 1
            } else {
                found.append((PlayedStretch(start: time, end: time, media: media), 1))
            }
        }
        return found.filter { $0.probes > 1 }.map(\.stretch)
    }

    /// Means of blocks, which keep what lies below some kHz.
    private static func thin(_ samples: [Float]) -> [Double] {
        (0..<samples.count / decimation).map { block in
            let from = block * decimation
            return samples[from..<from + decimation].reduce(0) { $0 + Double($1) } / Double(decimation)
        }
    }
}

extension PlayedStretch {
    /// Normalised correlation with the whole source: 1 where the probe is the source at some volume.
    private struct Search {
        private let transform: FourierTransform
        private let real: [Double]
        private let imaginary: [Double]
        /// The energy of the source up to each block.
        private let energy: [Double]

        init(_ source: [Double]) {
            transform = FourierTransform(atLeast: source.count + PlayedStretch.length)
            var real = source + [Double](repeating: 0, count: transform.size - source.count)
            var imaginary = [Double](repeating: 0, count: transform.size)
            transform.forward(&real, &imaginary)
            (self.real, self.imaginary) = (real, imaginary)
            energy = source.reduce(into: [0]) { sums, sample in sums.append((sums.last ?? 0) + sample * sample) }
        }

        /// The block of the source that the probe begins with; nil for silence.
        func place(of probe: ArraySlice<Double>) -> (block: Int, likeness: Double)? {
            let power = probe.reduce(0) { $0 + $1 * $1 }
            guard power > 1e-6 * Double(probe.count) else { return nil }
            var re = Array(probe) + [Double](repeating: 0, count: transform.size - probe.count)
            var im = [Double](repeating: 0, count: transform.size)
            transform.forward(&re, &im)
            for k in 0..<transform.size {
                (re[k], im[k]) = (
                    real[k] * re[k] + imaginary[k] * im[k], imaginary[k] * re[k] - real[k] * im[k]
                )
            }
            transform.inverse(&re, &im)
            return (0..<max(0, energy.count - probe.count)).map { block -> (block: Int, likeness: Double) in
                let own = energy[block + probe.count] - energy[block]
                return (block, own > 1e-9 ? re[block] / (own * power).squareRoot() : 0)
            }.max { $0.likeness < $1.likeness }
        }
    }
}
