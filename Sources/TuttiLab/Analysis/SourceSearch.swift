import Foundation
import TuttiSignal

/// Finds where in the whole source a piece of a recording comes from, to a few samples.
struct SourceSearch: Sendable {
    private static let decimation = 6
    private static let longestPiece = 96000

    private let transform: FourierTransform
    private let real: [Double]
    private let imaginary: [Double]
    private let length: Int

    init(source: [Float]) {
        let thin = Self.thin(source[...])
        length = thin.count
        transform = FourierTransform(atLeast: thin.count + Self.longestPiece / Self.decimation)
        var real = thin + [Double](repeating: 0, count: transform.size - thin.count)
        var imaginary = [Double](repeating: 0, count: transform.size)
        transform.forward(&real, &imaginary)
        (self.real, self.imaginary) = (real, imaginary)
    }

    /// The sample of the source that the room plays at sample `start` of its track.
    func position(of room: RoomTrack, at start: Int) -> Double? {
        guard let run = room.covered.first(where: { $0.upperBound > start }) else { return nil }
        // A window around the first sound may begin before the card did.
        let from = max(start, run.lowerBound)
        let piece = Self.thin(room.samples[from..<min(run.upperBound, from + Self.longestPiece)])
        var re = piece + [Double](repeating: 0, count: transform.size - piece.count)
        var im = [Double](repeating: 0, count: transform.size)
        transform.forward(&re, &im)
        for k in 0..<transform.size {
            let x = real[k] * re[k] + imaginary[k] * im[k]
            let y = imaginary[k] * re[k] - real[k] * im[k]
            // Partly whitened, as in the fine estimate: a bass line repeats, its overtones do so less.
            let weight = (x * x + y * y).squareRoot().squareRoot()
            re[k] = weight > 1e-12 ? x / weight : 0
            im[k] = weight > 1e-12 ? y / weight : 0
        }
        transform.inverse(&re, &im)
        var best = 0
        // Negative places (the piece begins before the source does) are at the upper end.
        for lag in -(piece.count - 1)..<length
        where re[(lag + transform.size) % transform.size] > re[(best + transform.size) % transform.size] {
            best = lag
        }
        return Double(best * Self.decimation - (from - start))
    }

    /// A sixth of the samples, with more weight on high frequencies (the difference of block sums).
    private static func thin(_ samples: ArraySlice<Float>) -> [Double] {
        var last = 0.0
        return (0..<samples.count / decimation).map { block in
            let from = samples.startIndex + block * decimation
            let sum = samples[from..<from + decimation].reduce(0) { $0 + Double($1) }
            defer { last = sum }
            return sum - last
        }
    }
}
