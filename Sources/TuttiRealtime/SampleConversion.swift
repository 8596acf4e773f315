package import TuttiCore

/// Turns float samples into a device's layout, rounding to nearest and saturating at full scale.
///
/// A 16-bit layout takes triangular dither of ±1 step where asked, and only there. RT: plain numbers only.
package struct SampleEncoder: Sendable {
    /// The layout.
    package let kind: SampleLayout
    private var random: SplitMix64

    /// An encoder to `kind`; `seed` starts the dither.
    package init(kind: SampleLayout, seed: UInt64) {
        self.kind = kind
        random = SplitMix64(seed: seed)
    }

    /// Writes `samples` samples of `input` to `output`, which has room for `samples × kind.bytesPerSample` bytes.
    ///
    /// - Parameter dither: set when the samples were altered (resampled, scaled), clear when they are the source's.
    package mutating func convert(
        _ input: UnsafePointer<Float>, samples: Int, dither: Bool, into output: UnsafeMutableRawPointer
    ) {
        switch kind {
        case .int16: dither ? ditherInt16(input, samples, output) : plainInt16(input, samples, output)
        case .int24: int24(input, samples, output)
        case .int24in32:
            for index in 0..<samples {
                let value = Self.integer(Double(input[index]), scale: 8_388_608)
                output.storeBytes(of: value.littleEndian, toByteOffset: 4 * index, as: Int32.self)
            }
        case .int32:
            for index in 0..<samples {
                let value = Self.integer(Double(input[index]), scale: 2_147_483_648)
                output.storeBytes(of: value.littleEndian, toByteOffset: 4 * index, as: Int32.self)
            }
        case .float32:
            for index in 0..<samples {
                output.storeBytes(of: input[index], toByteOffset: 4 * index, as: Float.self)
            }
        }
    }

    private func plainInt16(_ input: UnsafePointer<Float>, _ samples: Int, _ output: UnsafeMutableRawPointer) {
        for index in 0..<samples {
            let value = Int16(truncatingIfNeeded: Self.integer(Double(input[index]), scale: 32_768))
            output.storeBytes(of: value.littleEndian, toByteOffset: 2 * index, as: Int16.self)
        }
    }

    private mutating func ditherInt16(
        _ input: UnsafePointer<Float>, _ samples: Int, _ output: UnsafeMutableRawPointer
    ) {
        for index in 0..<samples {
            let bits = random.next()
            // The sum of two even distributions over ±½ step is the triangular one over ±1 step.
            let first = Double(UInt32(truncatingIfNeeded: bits >> 32)) * 0x1p-32
            let second = Double(UInt32(truncatingIfNeeded: bits)) * 0x1p-32
            let noisy = Double(input[index]) + (first + second - 1) / 32_768
            let value = Int16(truncatingIfNeeded: Self.integer(noisy, scale: 32_768))
            output.storeBytes(of: value.littleEndian, toByteOffset: 2 * index, as: Int16.self)
        }
    }

    private func int24(_ input: UnsafePointer<Float>, _ samples: Int, _ output: UnsafeMutableRawPointer) {
        for index in 0..<samples {
            let value = Self.integer(Double(input[index]), scale: 8_388_608)
            output.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: 3 * index, as: UInt8.self)
            output.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 3 * index + 1, as: UInt8.self)
            output.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 3 * index + 2, as: UInt8.self)
        }
    }

    /// Added to a number and taken away again, it leaves that rounded to the nearest integer, the even one of two (IEEE
    /// 754): from 2^52 on doubles have no digits after the point. Processors of the first x86-64 kind round by a call
    /// of the C library, once a sample.
    private static let wholeNumbers = 0x1.8p52

    /// `sample × scale` rounded, held inside −scale … scale − 1; what is not a number becomes silence.
    @inline(__always)
    private static func integer(_ sample: Double, scale: Double) -> Int32 {
        guard !sample.isNaN else { return 0 }
        let value = min(max(sample * scale, -scale), scale - 1)
        return Int32(value + wholeNumbers - wholeNumbers)
    }
}
