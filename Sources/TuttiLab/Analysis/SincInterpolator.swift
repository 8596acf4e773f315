import Foundation

/// Band-limited interpolation: the value of a sampled signal between its samples, by a Kaiser-windowed sinc.
///
/// Errors stay below −100 dB up to 0.42 of the lower sample rate. The laboratory's own, on purpose: what judges the
/// product's resampler must not be that resampler.
package struct SincInterpolator: Sendable {
    private let taps: Int
    private let phases = 1024
    private let table: [Float]

    /// An interpolator for reading at `ratio` input samples an output sample; above 1 it also removes what the output
    /// rate cannot hold.
    package init(ratio: Double = 1) {
        let cutoff = min(1, 1 / ratio)
        taps = Int((64 / cutoff / 4).rounded(.up)) * 4
        let beta = 10.0
        var table = [Float](repeating: 0, count: (phases + 1) * taps)
        let norm = Self.bessel(beta)
        for phase in 0...phases {
            let fraction = Double(phase) / Double(phases)
            for tap in 0..<taps {
                let x = Double(tap - taps / 2 + 1) - fraction
                let position = x / (Double(taps) / 2)
                guard abs(position) < 1 else { continue }
                let window = Self.bessel(beta * (1 - position * position).squareRoot()) / norm
                let argument = .pi * x * cutoff
                let sinc = abs(argument) < 1e-12 ? 1 : sin(argument) / argument
                table[phase * taps + tap] = Float(sinc * window * cutoff)
            }
        }
        self.table = table
    }

    /// Values of `input` at `start`, `start + step`, … (in samples of the input; silence beyond its ends).
    package func sample(
        _ input: UnsafeBufferPointer<Float>, start: Double, step: Double,
        into output: UnsafeMutableBufferPointer<Float>
    ) {
        table.withUnsafeBufferPointer { table in
            for index in 0..<output.count {
                let position = start + Double(index) * step
                let whole = position.rounded(.down)
                let first = Int(whole) - taps / 2 + 1
                guard first > -taps, first < input.count else {
                    output[index] = 0
                    continue
                }
                let scaled = (position - whole) * Double(phases)
                let phase = min(Int(scaled), phases - 1)
                let blend = Float(scaled - Double(phase))
                let row = phase * taps
                output[index] =
                    first >= 0 && first + taps <= input.count
                    ? inner(input, first, table, row, blend) : edge(input, first, table, row, blend)
            }
        }
    }

    /// The same for `count` values of an array.
    package func samples(of input: [Float], start: Double, step: Double, count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { output, initialized in
            input.withUnsafeBufferPointer {
                sample($0, start: start, step: step, into: UnsafeMutableBufferPointer(rebasing: output[..<count]))
            }
            initialized = count
        }
    }

    private func inner(
        _ input: UnsafeBufferPointer<Float>, _ first: Int, _ table: UnsafeBufferPointer<Float>,
        _ row: Int, _ blend: Float
    ) -> Float {
        guard let samples = input.baseAddress, let rows = table.baseAddress else { return 0 }
        let x = UnsafeRawPointer(samples + first)
        let low = UnsafeRawPointer(rows + row)
        let high = UnsafeRawPointer(rows + row + taps)
        var sumLow = SIMD4<Float>.zero
        var sumHigh = SIMD4<Float>.zero
        var offset = 0
        while offset < taps * 4 {
            let values = x.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            sumLow += values * low.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            sumHigh += values * high.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            offset += 16
        }
        return sumLow.sum() * (1 - blend) + sumHigh.sum() * blend
    }

    private func edge(
        _ input: UnsafeBufferPointer<Float>, _ first: Int, _ table: UnsafeBufferPointer<Float>,
        _ row: Int, _ blend: Float
    ) -> Float {
        var sum: Float = 0
        for tap in max(0, -first)..<min(taps, input.count - first) {
            sum += input[first + tap] * (table[row + tap] * (1 - blend) + table[row + taps + tap] * blend)
        }
        return sum
    }

    /// The modified Bessel function I₀.
    static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / 2 / k) * (x / 2 / k)
            sum += term
            k += 1
        }
        return sum
    }
}
