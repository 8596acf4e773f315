import TuttiCore

/// Turns floats into integers of 16 or 24 bits.
///
/// Samples that came from integers of that depth or less come out bit for bit. Where the source was deeper, triangular
/// dither of ±1 step is added first, so that the rounding error is noise and not distortion.
package struct SampleQuantiser {
    /// Bits of the integers; 16 or 24.
    package let bitDepth: Int
    private let isDithering: Bool
    private var random: SplitMix64

    /// A quantiser to the depth that the options name, or to the least that holds the source.
    init(sourceBitDepth: Int, options: EncoderOptions) throws(CodecError) {
        let depth = options.wireBitDepth ?? (sourceBitDepth <= 16 ? 16 : 24)
        guard depth == 16 || depth == 24 else { throw .unsupported("\(depth)-bit samples on the wire") }
        bitDepth = depth
        isDithering = sourceBitDepth > depth
        random = SplitMix64(seed: options.ditherSeed)
    }

    /// A quantiser to 16 or 24 bits.
    package init(bitDepth: Int, isDithering: Bool, seed: UInt64 = EncoderOptions().ditherSeed) {
        self.bitDepth = min(max(bitDepth, 16), 24)
        self.isDithering = isDithering
        random = SplitMix64(seed: seed)
    }

    /// Writes the integers of `samples` into the front of `output`, which is at least as long.
    mutating func quantise(_ samples: ArraySlice<Float>, into output: inout [Int32]) {
        samples.withUnsafeBufferPointer { quantise($0, into: &output) }
    }

    /// Writes the integers of `samples` into the front of `output`, which is at least as long.
    package mutating func quantise(_ samples: UnsafeBufferPointer<Float>, into output: inout [Int32]) {
        output.withUnsafeMutableBufferPointer { integers in
            if isDithering { dither(samples, into: integers) } else { round(samples, into: integers) }
        }
    }

    private func round(_ input: UnsafeBufferPointer<Float>, into integers: UnsafeMutableBufferPointer<Int32>) {
        let scale = Float(1 << (bitDepth - 1))
        let (lowest, highest) = (-scale, scale - 1)
        for index in 0..<min(input.count, integers.count) {
            let sample = input[index] * scale
            let finite = sample == sample ? sample : 0
            let clipped = min(max(finite, lowest), highest)
            // Nearest by truncation, which the compiler vectorises; whole numbers of 24 bits stay what they are.
            integers[index] = Int32(clipped + (clipped < 0 ? -0.5 : 0.5))
        }
    }

    /// In double precision: a float has no room below a sample of 24 bits for the dither.
    private mutating func dither(
        _ input: UnsafeBufferPointer<Float>, into integers: UnsafeMutableBufferPointer<Int32>
    ) {
        let scale = Double(1 << (bitDepth - 1))
        let (lowest, highest) = (-scale, scale - 1)
        let unit = 1 / Double(1 << 32)
        var random = random
        for index in 0..<min(input.count, integers.count) {
            // Its two halves are two even distributions, their difference a triangular one.
            let bits = random.next()
            let noise = Double(Int64(bits >> 32) &- Int64(bits & 0xFFFF_FFFF)) * unit
            let sample = Double(input[index]) * scale + noise
            let finite = sample == sample ? sample : 0
            let clipped = min(max(finite, lowest), highest)
            integers[index] = Int32(clipped + (clipped < 0 ? -0.5 : 0.5))
        }
        self.random = random
    }
}
