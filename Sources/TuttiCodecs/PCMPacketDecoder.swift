import TuttiCore

/// Little-endian signed integers of 8, 16, 24 or 32 bits, and floats in native order.
final class PCMPacketDecoder: PacketDecoder {
    let concealedPacketCount = 0

    private let format: AudioFormat

    private let width: Int

    init(format: AudioFormat) throws(CodecError) {
        let depths = format.codec == .float32 ? [32] : [8, 16, 24, 32]
        guard depths.contains(format.bitDepth) else {
            throw .unsupported("\(format.codec.rawValue) with \(format.bitDepth) bits")
        }
        self.format = format
        width = format.bitDepth / 8
    }

    func decode(_ buffer: SampleBuffer) throws(CodecError) -> PCMBlock {
        guard buffer.format == format else { throw .invalidFormat("the packet has another format") }
        let channels = format.channelCount
        let count = buffer.audibleFrameCount * channels
        let first = buffer.trimAtStart * channels * width
        guard buffer.data.count >= first + count * width else { throw .corruptPacket("too few bytes") }
        let samples = [Float](unsafeUninitializedCapacity: count) { output, written in
            buffer.data.withUnsafeBytes { bytes in
                let audible = UnsafeRawBufferPointer(rebasing: bytes[first..<first + count * width])
                if format.codec == .float32 { return Self.copyFloats(audible, to: output) }
                switch width {
                case 1: Self.decode8(audible, into: output)
                case 2: Self.decode16(audible, into: output)
                case 3: Self.decode24(audible, into: output)
                default: Self.decode32(audible, into: output)
                }
            }
            written = count
        }
        return PCMBlock(samples: samples, channelCount: channels, sampleRate: format.sampleRate)
    }

    /// Nothing to forget: packets do not depend on one another.
    func reset() {}

    /// What is not a number would spread through every filter: it becomes silence.
    private static func copyFloats(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<bytes.count / 4 {
            let value = bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
            output[index] = value.isFinite ? value : 0
        }
    }

    private static func decode8(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<bytes.count { output[index] = Float(Int8(bitPattern: bytes[index])) * 0x1p-7 }
    }

    private static func decode16(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<bytes.count / 2 {
            let value = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
            output[index] = Float(value) * 0x1p-15
        }
    }

    private static func decode24(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<bytes.count / 3 {
            let low = UInt32(bytes[index * 3]) << 8 | UInt32(bytes[index * 3 + 1]) << 16
            // In the top 24 bits, so that the sign is right; the arithmetic is exact all the same.
            output[index] = Float(Int32(bitPattern: low | UInt32(bytes[index * 3 + 2]) << 24)) * 0x1p-31
        }
    }

    private static func decode32(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<bytes.count / 4 {
            let value = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
            output[index] = Float(value) * 0x1p-31
        }
    }
}
