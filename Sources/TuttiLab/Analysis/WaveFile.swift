package import Foundation

/// The samples of a WAV file: 16, 24 or 32 bit integers or 32 bit floats, any number of channels.
package struct WaveFile: Sendable {
    /// Frames a second.
    package var sampleRate: Int
    /// The samples of each channel, full scale at ±1.
    package var channels: [[Float]]

    /// The frames of every channel.
    package var frameCount: Int { channels.first?.count ?? 0 }

    /// A file of these samples.
    package init(sampleRate: Int, channels: [[Float]]) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Reads the file at `path`. A data chunk longer than the file (its writer was killed) is read as far as it goes.
    package init(path: String) throws(AnalysisError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw .unreadable(path: path)
        }
        try self.init(parsing: data, path: path)
    }

    /// Reads the bytes of a WAV file; `path` names it in errors.
    package init(parsing data: Data, path: String) throws(AnalysisError) {
        let bytes = data.withUnsafeBytes { [UInt8]($0) }
        guard bytes.count >= 12, Self.text(bytes, 0) == "RIFF", Self.text(bytes, 8) == "WAVE" else {
            throw .notWave(path: path, reason: "no RIFF header")
        }
        var layout: Layout?
        var at = 12
        while at + 8 <= bytes.count {
            let name = Self.text(bytes, at)
            let size = Self.integer(bytes, at + 4, 4)
            let body = at + 8
            if name == "fmt " {
                layout = try Layout(bytes, at: body, size: size, path: path)
            } else if name == "data" {
                guard let layout else { throw .notWave(path: path, reason: "data before its format") }
                self = Self.decode(bytes[body..<min(bytes.count, body + size)], layout)
                return
            }
            at = body + size + (size & 1)
        }
        throw .notWave(path: path, reason: "no data")
    }

    /// One channel of the file for correlation: the left and less of the right, so that no stereo picture cancels.
    package func correlationSignal() -> [Float] {
        guard let left = channels.first else { return [] }
        guard channels.count > 1 else { return left }
        return zip(left, channels[1]).map { $0 + 0.6 * $1 }
    }
}

extension WaveFile {
    private struct Layout {
        var sampleRate: Int
        var channelCount: Int
        var sampleBytes: Int
        var isFloat: Bool

        init(_ bytes: [UInt8], at: Int, size: Int, path: String) throws(AnalysisError) {
            guard size >= 16, at + size <= bytes.count else { throw .notWave(path: path, reason: "short format") }
            var tag = WaveFile.integer(bytes, at, 2)
            if tag == 0xfffe, size >= 26 { tag = WaveFile.integer(bytes, at + 24, 2) }
            channelCount = WaveFile.integer(bytes, at + 2, 2)
            sampleRate = WaveFile.integer(bytes, at + 4, 4)
            let bits = WaveFile.integer(bytes, at + 14, 2)
            sampleBytes = bits / 8
            isFloat = tag == 3
            guard (1...64).contains(channelCount), (1000...1_000_000).contains(sampleRate) else {
                throw .notWave(path: path, reason: "\(channelCount) channels at \(sampleRate) Hz")
            }
            guard isFloat ? bits == 32 : tag == 1 && [16, 24, 32].contains(bits) else {
                throw .notWave(path: path, reason: "samples of kind \(tag) with \(bits) bits")
            }
        }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, _ layout: Layout) -> WaveFile {
        let frameBytes = layout.sampleBytes * layout.channelCount
        let frames = bytes.count / frameBytes
        let channels = (0..<layout.channelCount).map { channel in
            bytes.withUnsafeBytes { raw in
                [Float](unsafeUninitializedCapacity: frames) { output, count in
                    for frame in 0..<frames {
                        output[frame] = sample(raw, frame * frameBytes + channel * layout.sampleBytes, layout)
                    }
                    count = frames
                }
            }
        }
        return WaveFile(sampleRate: layout.sampleRate, channels: channels)
    }

    private static func sample(_ raw: UnsafeRawBufferPointer, _ at: Int, _ layout: Layout) -> Float {
        if layout.isFloat { return raw.loadUnaligned(fromByteOffset: at, as: Float.self) }
        switch layout.sampleBytes {
        case 2: return Float(raw.loadUnaligned(fromByteOffset: at, as: Int16.self)) / 32768
        case 3:
            let high = Int32(Int8(bitPattern: raw[at + 2])) << 16
            return Float(high | Int32(raw[at + 1]) << 8 | Int32(raw[at])) / 8_388_608
        default: return Float(Double(raw.loadUnaligned(fromByteOffset: at, as: Int32.self)) / 2_147_483_648)
        }
    }

    private static func integer(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        guard at + count <= bytes.count else { return 0 }
        return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }

    private static func text(_ bytes: [UInt8], _ at: Int) -> String {
        at + 4 <= bytes.count ? String(decoding: bytes[at..<at + 4], as: UTF8.self) : ""
    }
}
