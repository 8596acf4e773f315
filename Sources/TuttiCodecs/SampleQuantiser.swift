import CKernels

/// Turns floats into integers of 16 or 24 bits.
///
/// Samples that came from integers of that depth or less come out bit for bit. Where the source was deeper, triangular
/// dither of ±1 step is added first, so that the rounding error is noise and not distortion.
package struct SampleQuantiser {
    /// Bits of the integers; 16 or 24.
    package let bitDepth: Int
    private let isDithering: Bool
    /// The state of the generator of dither, a `SplitMix64`.
    private var random: UInt64
    /// Whether this processor has the wider instructions; asked once.
    private static let hasWide = tutti_has_wide() != 0

    /// A quantiser to the depth that the options name, or to the least that holds the source.
    init(sourceBitDepth: Int, options: EncoderOptions) throws(CodecError) {
        let depth = options.wireBitDepth ?? (sourceBitDepth <= 16 ? 16 : 24)
        guard depth == 16 || depth == 24 else { throw .unsupported("\(depth)-bit samples on the wire") }
        bitDepth = depth
        isDithering = sourceBitDepth > depth
        random = options.ditherSeed
    }

    /// A quantiser to 16 or 24 bits.
    package init(bitDepth: Int, isDithering: Bool, seed: UInt64 = EncoderOptions().ditherSeed) {
        self.bitDepth = min(max(bitDepth, 16), 24)
        self.isDithering = isDithering
        random = seed
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

    private mutating func dither(
        _ input: UnsafeBufferPointer<Float>, into integers: UnsafeMutableBufferPointer<Int32>
    ) {
        guard let from = input.baseAddress, let to = integers.baseAddress else { return }
        let (count, scale) = (min(input.count, integers.count), Double(1 << (bitDepth - 1)))
        random =
            Self.hasWide
            ? tutti_dither_wide(from, to, count, scale, random) : tutti_dither(from, to, count, scale, random)
    }
}
