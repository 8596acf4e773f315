import TuttiAssets
import TuttiCodecs
import TuttiCore
import TuttiWire

/// Puts encoded packets end to end on the timeline, exactly: by counting frames from a base.
struct PacketWriter {
    private let format: AudioFormat
    private let base: MediaTime
    private var frames: Int64 = 0

    init(format: AudioFormat, base: MediaTime) {
        self.format = format
        self.base = base
    }

    /// Where the next packet begins.
    var position: MediaTime { base + MediaTime(frame: frames, sampleRate: format.sampleRate) }

    /// The packet at its place; nil for one of impossible counts.
    mutating func buffer(for packet: EncodedPacket) -> SampleBuffer? {
        // A decoder that goes on from the piece before would not give quite the samples that were encoded.
        let isFirst = frames == 0 && format.codec.preroll.isPositive
        return buffer(
            packet.data, packet.frameCount, (packet.trimAtStart, packet.trimAtEnd), preroll: isFirst ? [] : nil)
    }

    /// The packet at its place; nil for one of impossible counts. One that is too long for the wire is silent: it
    /// goes without its bytes.
    mutating func buffer(for packet: AssetPacket) -> SampleBuffer? {
        let isTooLong = packet.data.count > MediaPacket.maximumPayloadBytes
        return buffer(
            isTooLong ? [] : packet.data, packet.frameCount, (packet.trimAtStart, packet.trimAtEnd),
            preroll: packet.preroll)
    }

    /// Leaves room for what is not of this format.
    mutating func skip(frames count: Int) { frames += Int64(count) }

    private mutating func buffer(
        _ data: [UInt8], _ frameCount: Int, _ trims: (start: Int, end: Int), preroll: [PrerollPacket]?
    ) -> SampleBuffer? {
        let buffer = SampleBuffer(
            format: format, presentationTime: position, frameCount: frameCount, trimAtStart: trims.start,
            trimAtEnd: trims.end, data: data, preroll: preroll)
        frames += Int64(frameCount - trims.start - trims.end)
        return buffer
    }
}
