public import TuttiCore

extension SampleBuffer {
    /// A buffer of interleaved floats, full scale ±1.
    ///
    /// - Returns: nil for a format outside `AudioFormat.Limits`, a part of a frame, or more than `maximumFrameCount`
    ///   frames.
    public init?(interleaved samples: [Float], channelCount: Int, sampleRate: Int, presentationTime: MediaTime) {
        guard
            let format = AudioFormat(
                codec: .float32, sampleRate: sampleRate, channelCount: channelCount, bitDepth: 32),
            samples.count % channelCount == 0
        else { return nil }
        self.init(
            format: format, presentationTime: presentationTime, frameCount: samples.count / channelCount,
            data: samples.withUnsafeBytes(Array.init))
    }

    /// A buffer of floats that lie channel by channel; they are interleaved here.
    ///
    /// - Returns: nil for channels of different lengths, and as `init(interleaved:…)` does.
    public init?(nonInterleaved channels: [[Float]], sampleRate: Int, presentationTime: MediaTime) {
        guard let first = channels.first, channels.allSatisfy({ $0.count == first.count }) else { return nil }
        var samples = [Float](repeating: 0, count: first.count * channels.count)
        for (channel, source) in channels.enumerated() {
            for (frame, sample) in source.enumerated() { samples[frame * channels.count + channel] = sample }
        }
        self.init(
            interleaved: samples, channelCount: channels.count, sampleRate: sampleRate,
            presentationTime: presentationTime)
    }

    /// A buffer of little-endian integers of 8 (signed), 16, 24 or 32 bits that lie channel by channel; they are
    /// interleaved here.
    ///
    /// - Returns: nil for channels of different lengths or other depths, and as `init(interleaved:…)` does.
    public init?(
        nonInterleaved channels: [[UInt8]], bitDepth: Int, sampleRate: Int, presentationTime: MediaTime
    ) {
        guard [8, 16, 24, 32].contains(bitDepth), let first = channels.first,
            channels.allSatisfy({ $0.count == first.count }), first.count % (bitDepth / 8) == 0,
            let format = AudioFormat(
                codec: .pcm, sampleRate: sampleRate, channelCount: channels.count, bitDepth: bitDepth)
        else { return nil }
        let width = bitDepth / 8
        var data: [UInt8] = []
        data.reserveCapacity(first.count * channels.count)
        for start in stride(from: 0, to: first.count, by: width) {
            for channel in channels { data += channel[start..<start + width] }
        }
        self.init(
            format: format, presentationTime: presentationTime, frameCount: first.count / width, data: data)
    }
}
