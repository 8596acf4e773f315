package import Foundation

extension WaveFile {
    /// The bytes of a WAV file with these samples, as integers of 16 or 24 bits; samples beyond full scale are clipped.
    package func encoded(bits: Int) -> Data {
        let sampleBytes = bits == 24 ? 3 : 2
        let frameBytes = sampleBytes * channels.count
        let size = frameCount * frameBytes
        var data = Data(capacity: 44 + size)
        func put(_ value: Int, _ count: Int) {
            for index in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        data.append(contentsOf: "RIFF".utf8)
        put(36 + size, 4)
        data.append(contentsOf: "WAVEfmt ".utf8)
        put(16, 4)
        put(1, 2)
        put(channels.count, 2)
        put(sampleRate, 4)
        put(sampleRate * frameBytes, 4)
        put(frameBytes, 2)
        put(8 * sampleBytes, 2)
        data.append(contentsOf: "data".utf8)
        put(size, 4)
        let scale = Float(1 << (8 * sampleBytes - 1))
        for frame in 0..<frameCount {
            for channel in channels {
                put(Int(max(-scale, min(scale - 1, (channel[frame] * scale).rounded()))), sampleBytes)
            }
        }
        return data
    }
}
