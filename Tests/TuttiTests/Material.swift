import Tutti

/// Sound that says of each frame which one it is, and of which edition.
struct Material {
    let sampleRate: Int
    let edition: Int

    init(sampleRate: Int = 48_000, edition: Int = 1) {
        (self.sampleRate, self.edition) = (sampleRate, edition)
    }

    /// The left sample of a frame; the right one is its negative.
    func sample(_ frame: Int) -> Float {
        var bits = UInt64(bitPattern: Int64(frame)) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(edition) &* 0xD1B5_4A32_D192_ED03
        bits ^= bits >> 29
        bits = bits &* 0xBF58_476D_1CE4_E5B9
        // 24 bits, which integers and floats both hold exactly.
        return Float(Int32(truncatingIfNeeded: bits >> 40) - 1 << 23) * 0x1p-24
    }

    /// Frames as a buffer of floats at their own media time.
    func buffer(_ frames: Range<Int>) throws -> SampleBuffer {
        var samples: [Float] = []
        samples.reserveCapacity(2 * frames.count)
        for frame in frames {
            samples.append(sample(frame))
            samples.append(-sample(frame))
        }
        let time = MediaTime(frame: Int64(frames.lowerBound), sampleRate: sampleRate)
        let buffer = SampleBuffer(
            interleaved: samples, channelCount: 2, sampleRate: sampleRate, presentationTime: time)
        guard let buffer else { throw PlaybackError.invalidRendering("no such frames") }
        return buffer
    }
}

/// Media time of a frame at 48 kHz.
func frame(_ index: Int) -> MediaTime { MediaTime(frame: Int64(index), sampleRate: 48_000) }

/// Media time in milliseconds.
func milliseconds(_ count: Int) -> MediaTime { MediaTime(frame: Int64(count), sampleRate: 1_000) }

/// A renderer on a synchronizer, both on an offline output.
struct Studio {
    let output: OfflineOutput
    let synchronizer: RenderSynchronizer
    let renderer: AudioRenderer

    init(sampleRate: Int = 48_000, depth: Duration = .seconds(4)) throws {
        output = try OfflineOutput(sampleRate: sampleRate, depth: depth)
        synchronizer = RenderSynchronizer(clock: output.clock)
        renderer = AudioRenderer(route: output.route)
        try synchronizer.addRenderer(renderer)
    }

    /// Left samples of the next frames.
    func render(_ frames: Int) throws -> [Float] {
        let block = try output.render(frames)
        return stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
    }
}
