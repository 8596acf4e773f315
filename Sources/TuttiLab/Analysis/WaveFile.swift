package import Foundation
import TuttiCore

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
        do throws(WAVFault) {
            let (header, sound) = try WAVHeader.parse(bytes)
            self = Self.decode(bytes[sound], header)
        } catch {
            throw .notWave(path: path, reason: error.reason)
        }
    }

    /// One channel of the file for correlation: the left and less of the right, so that no stereo picture cancels.
    package func correlationSignal() -> [Float] {
        guard let left = channels.first else { return [] }
        guard channels.count > 1 else { return left }
        return zip(left, channels[1]).map { $0 + 0.6 * $1 }
    }
}

extension WaveFile {
    private static func decode(_ bytes: ArraySlice<UInt8>, _ header: WAVHeader) -> WaveFile {
        let (frameBytes, sampleBytes) = (header.frameBytes, header.layout.bytesPerSample)
        let frames = bytes.count / frameBytes
        let channels = (0..<header.channelCount).map { channel in
            bytes.withUnsafeBytes { raw in
                [Float](unsafeUninitializedCapacity: frames) { output, count in
                    for frame in 0..<frames {
                        output[frame] = sample(raw, frame * frameBytes + channel * sampleBytes, header.layout)
                    }
                    count = frames
                }
            }
        }
        return WaveFile(sampleRate: header.sampleRate, channels: channels)
    }

    private static func sample(_ raw: UnsafeRawBufferPointer, _ at: Int, _ layout: SampleLayout) -> Float {
        switch layout {
        case .float32: return raw.loadUnaligned(fromByteOffset: at, as: Float.self)
        case .int16: return Float(raw.loadUnaligned(fromByteOffset: at, as: Int16.self)) / 32768
        case .int24:
            let high = Int32(Int8(bitPattern: raw[at + 2])) << 16
            return Float(high | Int32(raw[at + 1]) << 8 | Int32(raw[at])) / 8_388_608
        case .int24in32: return Float(raw.loadUnaligned(fromByteOffset: at, as: Int32.self)) / 8_388_608
        case .int32: return Float(Double(raw.loadUnaligned(fromByteOffset: at, as: Int32.self)) / 2_147_483_648)
        }
    }
}
