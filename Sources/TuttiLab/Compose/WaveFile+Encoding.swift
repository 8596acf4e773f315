package import Foundation
import TuttiCore

extension WaveFile {
    /// The bytes of a WAV file with these samples, as integers of 16 or 24 bits; samples beyond full scale are clipped.
    package func encoded(bits: Int) -> Data {
        let header = WAVHeader(
            sampleRate: sampleRate, channelCount: channels.count, layout: bits == 24 ? .int24 : .int16)
        let sampleBytes = header.layout.bytesPerSample
        let size = frameCount * header.frameBytes
        var data = Data(capacity: WAVHeader.byteCount + size)
        data.append(contentsOf: header.bytes(dataBytes: size))
        let scale = Float(1 << (8 * sampleBytes - 1))
        for frame in 0..<frameCount {
            for channel in channels {
                let value = Int(max(-scale, min(scale - 1, (channel[frame] * scale).rounded())))
                for index in 0..<sampleBytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
            }
        }
        return data
    }

    /// Writes such a file.
    package func write(to path: String, bits: Int = 16) throws(AnalysisError) {
        do {
            try encoded(bits: bits).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .unwritable(path: path)
        }
    }
}
