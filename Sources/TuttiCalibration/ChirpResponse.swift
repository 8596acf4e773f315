import Glibc
import TuttiSignal

/// A recording after the matched filter: where a chirp began, there is a peak of its height, 0.3 ms wide.
///
/// The filter undoes the sweep's phase and evens its spectrum out under a Hann window from the lowest to the highest
/// frequency (side lobes below −31 dB), without negative frequencies: what is left is the envelope of the room's
/// impulse response, whatever the loudspeaker's polarity.
struct ChirpResponse {
    /// Frames a second.
    let sampleRate: Int
    /// The envelope: value i belongs to a chirp that begins with frame i of the recording.
    let envelope: [Float]
    /// What it is where there is no chirp: its median. Positive.
    let floor: Float

    /// Seconds around the sweep in which the filter rings.
    private static let margin = 0.05

    /// - Parameter samples: one channel, full scale at ±1.
    init(samples: [Float], sampleRate: Int) {
        self.sampleRate = sampleRate
        let chirp = Chirp.samples(sampleRate: sampleRate)
        let margin = Int(Self.margin * Double(sampleRate))
        let transform = FourierTransform(atLeast: 6 * chirp.count)
        let filter = Self.filter(chirp, transform, sampleRate: sampleRate)
        let step = transform.size - chirp.count - 2 * margin
        var envelope = [Float](repeating: 0, count: samples.count)
        var start = 0
        while start < samples.count {
            var real = [Double](repeating: 0, count: transform.size)
            var imaginary = real
            for index in max(0, margin - start)..<transform.size {
                let frame = start - margin + index
                if frame >= samples.count { break }
                real[index] = Double(samples[frame])
            }
            transform.forward(&real, &imaginary)
            for bin in 0..<transform.size {
                let (x, y) = (real[bin], imaginary[bin])
                real[bin] = x * filter.real[bin] - y * filter.imaginary[bin]
                imaginary[bin] = x * filter.imaginary[bin] + y * filter.real[bin]
            }
            transform.inverse(&real, &imaginary)
            for index in 0..<min(step, samples.count - start) {
                let (x, y) = (real[margin + index], imaginary[margin + index])
                envelope[start + index] = Float((x * x + y * y).squareRoot())
            }
            start += step
        }
        self.envelope = envelope
        floor = Self.median(envelope)
    }

    private static func filter(
        _ chirp: [Double], _ transform: FourierTransform, sampleRate: Int
    ) -> (real: [Double], imaginary: [Double]) {
        var real = chirp + [Double](repeating: 0, count: transform.size - chirp.count)
        var imaginary = [Double](repeating: 0, count: transform.size)
        transform.forward(&real, &imaginary)
        let width = Chirp.highest(sampleRate: sampleRate) - Chirp.lowest
        var weights = 0.0
        for bin in 0..<transform.size {
            let frequency = Double(bin) * Double(sampleRate) / Double(transform.size)
            let place = (frequency - Chirp.lowest) / width
            let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            guard place > 0, place < 1, bin < transform.size / 2, power > 0 else {
                (real[bin], imaginary[bin]) = (0, 0)
                continue
            }
            let weight = 0.5 - 0.5 * cos(2 * Double.pi * place)
            weights += weight
            real[bin] *= weight / power
            imaginary[bin] *= -weight / power
        }
        // So that a chirp of full scale has a peak of 1.
        return (real.map { $0 / weights }, imaginary.map { $0 / weights })
    }

    /// The median of some of the values.
    private static func median(_ values: [Float]) -> Float {
        let some = stride(from: 0, to: values.count, by: 7).map { values[$0] }.sorted()
        return max(some.isEmpty ? 0 : some[some.count / 2], 1e-9)
    }

    /// The frame of the largest value in `range`; nil when that lies outside of the recording.
    func peak(in range: Range<Int>) -> Int? {
        range.clamped(to: 0..<envelope.count).max { envelope[$0] < envelope[$1] }
    }

    /// Where between the frames the peak at `frame` is, in frames: the top of a parabola through the logarithms.
    func refined(_ frame: Int) -> Double {
        guard frame > 0, frame + 1 < envelope.count else { return Double(frame) }
        let (before, here, after) = (log(level(frame - 1)), log(level(frame)), log(level(frame + 1)))
        let bend = before - 2 * here + after
        guard bend < -1e-12 else { return Double(frame) }
        return Double(frame) + min(max((before - after) / (2 * bend), -0.5), 0.5)
    }

    /// The envelope in frame `index`, at least 10⁻¹²; the same outside of the recording.
    func level(_ index: Int) -> Double {
        envelope.indices.contains(index) ? max(Double(envelope[index]), 1e-12) : 1e-12
    }
}
