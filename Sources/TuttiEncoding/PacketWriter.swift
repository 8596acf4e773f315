import TuttiCodecs
package import TuttiCore

/// Puts encoded packets end to end on the timeline, exactly: by counting frames from a base.
package struct PacketWriter {
    private let format: AudioFormat
    private let base: MediaTime
    private var frames: Int64 = 0

    package init(format: AudioFormat, base: MediaTime) {
        self.format = format
        self.base = base
    }

    /// Where the next packet begins.
    package var position: MediaTime { base + MediaTime(frame: frames, sampleRate: format.sampleRate) }

    /// The packet at its place; nil for one of impossible counts.
    mutating func buffer(for packet: EncodedPacket) -> SampleBuffer? {
        // A decoder that continues from the track before would not give quite the samples that were encoded.
        let isFirst = frames == 0 && format.codec.preroll.isPositive
        return buffer(
            packet.data, packet.frameCount, (packet.trimAtStart, packet.trimAtEnd), preroll: isFirst ? [] : nil)
    }

    /// Leaves room for what is not of this format.
    package mutating func skip(frames count: Int) { frames += Int64(count) }

    package mutating func buffer(
        _ data: [UInt8], _ frameCount: Int, _ trims: (start: Int, end: Int), preroll: [PrerollPacket]?
    ) -> SampleBuffer? {
        let buffer = SampleBuffer(
            format: format, presentationTime: position, frameCount: frameCount, trimAtStart: trims.start,
            trimAtEnd: trims.end, data: data, preroll: preroll)
        frames += Int64(frameCount - trims.start - trims.end)
        return buffer
    }
}
