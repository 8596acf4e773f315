import TuttiCore

/// A packet as the store keeps it: small, its format by number.
struct PacketEntry: Sendable {
    /// The number in the store's format table.
    let format: Int32
    let start: MediaTime
    let frameCount: Int32
    let trimAtStart: Int32
    let trimAtEnd: Int32
    var data: [UInt8]
    var preroll: [PrerollPacket]?

    init(_ packet: SampleBuffer, format: Int32) {
        self.init(
            format: format, start: packet.presentationTime, frameCount: Int32(packet.frameCount),
            trimAtStart: Int32(packet.trimAtStart), trimAtEnd: Int32(packet.trimAtEnd), data: packet.data,
            preroll: packet.preroll)
    }

    private init(
        format: Int32, start: MediaTime, frameCount: Int32, trimAtStart: Int32, trimAtEnd: Int32, data: [UInt8],
        preroll: [PrerollPacket]?
    ) {
        self.format = format
        self.start = start
        self.frameCount = frameCount
        self.trimAtStart = trimAtStart
        self.trimAtEnd = trimAtEnd
        self.data = data
        self.preroll = preroll
    }

    /// Bytes of the packet and of its pre-roll.
    var byteCount: Int { (preroll ?? []).reduce(data.count) { $0 + $1.data.count } }

    /// Frames that are heard.
    var audible: Int { Int(frameCount - trimAtStart - trimAtEnd) }

    /// The entry as it was inserted, or as it was trimmed since.
    func buffer(format: AudioFormat) -> SampleBuffer? {
        SampleBuffer(
            format: format, presentationTime: start, frameCount: Int(frameCount), trimAtStart: Int(trimAtStart),
            trimAtEnd: Int(trimAtEnd), data: data, preroll: preroll)
    }

    /// The audible frames `from` ..< `to`, by trimming; nil when there are none.
    func part(from: Int, to: Int, _ sampleRate: Int) -> PacketEntry? {
        let (first, last) = (max(0, from), min(audible, to))
        guard first < last else { return nil }
        return PacketEntry(
            format: format, start: start + MediaTime(frame: Int64(first), sampleRate: sampleRate),
            frameCount: frameCount, trimAtStart: trimAtStart + Int32(first),
            trimAtEnd: trimAtEnd + Int32(audible - last), data: data, preroll: preroll)
    }
}
