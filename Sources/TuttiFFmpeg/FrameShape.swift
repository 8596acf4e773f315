import CFFmpeg

/// What a converter must know of a frame; two frames of one shape go through the same converter.
struct FrameShape: Equatable {
    /// One way to mix a frame's channels.
    enum Mix {
        /// libswresample's own matrix for these speaker positions.
        case positions(UInt64)
        /// As many channels out as in, or positions as FFmpeg takes them for that number of channels.
        case standard
        /// Our matrix, output by output.
        case coefficients([Double])
    }

    let sampleFormat: AVSampleFormat
    let sampleRate: Int
    let channelCount: Int
    /// The speaker positions; 0 where the stream does not tell.
    let positions: UInt64

    /// The most channels that are mixed.
    static let maximumChannels: Int32 = 64

    /// The shape of `frame`; nil for one that cannot be converted.
    init?(_ frame: UnsafePointer<AVFrame>) {
        let layout = frame.pointee.ch_layout
        guard frame.pointee.sample_rate > 0, (1...Self.maximumChannels).contains(layout.nb_channels),
            frame.pointee.nb_samples >= 0, frame.pointee.format >= 0
        else { return nil }
        sampleFormat = AVSampleFormat(frame.pointee.format)
        sampleRate = Int(frame.pointee.sample_rate)
        channelCount = Int(layout.nb_channels)
        positions = layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0
    }

    /// The ways to bring the frame to `outputs` channels, best first.
    ///
    /// Two channels are left and right whatever they are called: mixing stereo that is marked oddly would spoil it.
    func mixes(toChannels outputs: Int) -> [Mix] {
        if channelCount == outputs { return [.standard] }
        if channelCount == 1 { return [.coefficients([Double](repeating: 1, count: outputs))] }
        let known: [Mix] = positions == 0 ? [] : [.positions(positions)]
        return known + [.standard, .coefficients(alternating(outputs: outputs))]
    }

    /// Channels dealt out to the outputs in turn, each at an equal share.
    private func alternating(outputs: Int) -> [Double] {
        var matrix = [Double](repeating: 0, count: outputs * channelCount)
        for channel in 0..<channelCount {
            let output = channel % outputs
            let sharers = (channelCount - output + outputs - 1) / outputs
            matrix[output * channelCount + channel] = 1 / Double(max(sharers, 1))
        }
        return matrix
    }
}
