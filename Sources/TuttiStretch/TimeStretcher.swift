import CSonic

/// Lets stereo pass faster or slower with its pitch kept, by leaving out or repeating whole periods of the voice
/// (Sonic).
///
/// Output frame k stands for the source's frame k · rate, give or take a period of the lowest voice: n frames in give
/// exactly `frames(of: n)` out, however they are cut into blocks. What comes out has 16 bits. Used by one thread at a
/// time.
package final class TimeStretcher {
    /// The rates there are: seconds of the source a second of output.
    package static let rates = 0.5...2.0

    /// The bits of what comes out.
    package static let bitDepth = 16

    /// Frames a second at which the lowest voice that is looked for has periods of a whole number of frames.
    private static let sampleRates = 4_000...384_000
    /// Frames taken in at once: the correction is as fine as that.
    private static let block = 1_024
    /// Seconds of the source that Sonic holds back, as they are on average.
    private static let latency = 0.025
    /// Seconds within which a departure from the line is made good.
    private static let patience = 5.0
    /// The most by which the speed is changed for that.
    private static let correction = 0.01
    /// Seconds of the ramp at the end: the last period may be cut in the middle.
    private static let ramp = 0.005

    /// Seconds of the source a second of output.
    package let rate: Double
    private let sampleRate: Int
    private let stream: sonicStream
    private var framesIn = 0
    private var framesOut = 0

    /// A stretcher at the beginning of a sound.
    ///
    /// - Parameter sampleRate: frames a second, 4000 … 384 000.
    /// - Throws: `.badRate` outside of 0.5 … 2, `.badSampleRate`, `.outOfMemory`.
    package init(rate: Double, sampleRate: Int) throws(StretchError) {
        guard Self.rates.contains(rate) else { throw .badRate(rate) }
        guard Self.sampleRates.contains(sampleRate) else { throw .badSampleRate(sampleRate) }
        guard let stream = sonicCreateStream(Int32(sampleRate), 2) else { throw .outOfMemory }
        self.rate = rate
        self.sampleRate = sampleRate
        self.stream = stream
        sonicSetSpeed(stream, Float(rate))
    }

    deinit { sonicDestroyStream(stream) }

    /// How many frames become of `count` frames of the source.
    package func frames(of count: Int) -> Int { Int((Double(count) / rate).rounded()) }

    /// Takes interleaved stereo and gives what can be said of it.
    package func process(_ samples: [Float]) throws(StretchError) -> [Float] {
        var output: [Float] = []
        output.reserveCapacity(2 * (frames(of: samples.count / 2) + Self.block))
        for start in stride(from: 0, to: samples.count - samples.count % 2, by: 2 * Self.block) {
            let piece = samples[start..<min(start + 2 * Self.block, samples.count - samples.count % 2)]
            keepToTheLine()
            try write(piece)
            framesIn += piece.count / 2
            read(into: &output)
        }
        return output
    }

    /// Gives the rest, with a short ramp at its end.
    package func finish() throws(StretchError) -> [Float] {
        let missing = frames(of: framesIn) - framesOut
        guard missing > 0 else { return [] }
        var output: [Float] = []
        let silence = [Float](repeating: 0, count: 2 * Self.block)
        while output.count < 2 * missing {
            try write(silence[...])
            read(into: &output)
        }
        output.removeLast(output.count - 2 * missing)
        let ramp = min(missing, Int(Self.ramp * Double(sampleRate)))
        for index in 0..<ramp {
            let gain = (Float(index) + 0.5) / Float(ramp)
            output[output.count - 2 - 2 * index] *= gain
            output[output.count - 1 - 2 * index] *= gain
        }
        return output
    }

    /// Sonic rounds what it copies to whole frames and so strays from the line, by up to 0.2 %: a little more or less
    /// speed brings it back.
    private func keepToTheLine() {
        let seconds = (Double(framesIn) - Double(framesOut) * rate) / Double(sampleRate)
        guard framesOut > 0 else { return }
        let correction = min(max((seconds - Self.latency) / Self.patience, -Self.correction), Self.correction)
        sonicSetSpeed(stream, Float(rate * (1 - correction)))
    }

    /// Sonic works on 16 bits; it would cut off, and wrap what is too loud, where this rounds and clips.
    private func write(_ samples: ArraySlice<Float>) throws(StretchError) {
        var integers = samples.map { sample in
            Int16(max(-32_768, min(32_767, ((sample.isFinite ? sample : 0) * 32_768).rounded())))
        }
        guard sonicWriteShortToStream(stream, &integers, Int32(integers.count / 2)) != 0 else { throw .outOfMemory }
    }

    private func read(into output: inout [Float]) {
        var integers = [Int16](repeating: 0, count: 2 * Self.block)
        while true {
            let count = Int(sonicReadShortFromStream(stream, &integers, Int32(Self.block)))
            guard count > 0 else { return }
            framesOut += count
            for sample in integers.prefix(2 * count) { output.append(Float(sample) / 32_768) }
        }
    }
}
