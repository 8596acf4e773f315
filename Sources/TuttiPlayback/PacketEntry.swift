import TuttiCore

/// A packet as the store keeps it: small, its format by number and its bytes by place.
struct PacketEntry: Sendable {
    let start: MediaTime
    /// The number in the store's format table.
    let format: Int32
    let frameCount: Int32
    let trimAtStart: Int32
    let trimAtEnd: Int32
    /// Where the store's payloads have its bytes.
    let payload: PayloadStore.Place

    init(_ packet: SampleBuffer, format: Int32, payload: PayloadStore.Place) {
        self.init(
            start: packet.presentationTime, format: format, frameCount: Int32(packet.frameCount),
            trimAtStart: Int32(packet.trimAtStart), trimAtEnd: Int32(packet.trimAtEnd), payload: payload)
    }

    private init(
        start: MediaTime, format: Int32, frameCount: Int32, trimAtStart: Int32, trimAtEnd: Int32,
        payload: PayloadStore.Place
    ) {
        precondition(trimAtStart >= 0 && trimAtEnd >= 0, "trimming shortens")
        precondition(trimAtStart + trimAtEnd < frameCount, "something of a packet plays")
        self.start = start
        self.format = format
        self.frameCount = frameCount
        self.trimAtStart = trimAtStart
        self.trimAtEnd = trimAtEnd
        self.payload = payload
    }

    /// Frames that play.
    var audible: Int { Int(frameCount - trimAtStart - trimAtEnd) }

    /// The entry as it was inserted, or as it was trimmed since.
    func buffer(format: AudioFormat, payloads: PayloadStore) -> SampleBuffer? {
        SampleBuffer(
            format: format, presentationTime: start, frameCount: Int(frameCount), trimAtStart: Int(trimAtStart),
            trimAtEnd: Int(trimAtEnd), data: payloads.data(at: payload), preroll: payloads.preroll(at: payload))
    }

    /// The audible frames `from` ..< `to`, by trimming; nil when there are none.
    func part(from: Int, to: Int, _ sampleRate: Int) -> PacketEntry? {
        let (first, last) = (max(0, from), min(audible, to))
        guard first < last else { return nil }
        return PacketEntry(
            start: start + MediaTime(frame: Int64(first), sampleRate: sampleRate), format: format,
            frameCount: frameCount, trimAtStart: trimAtStart + Int32(first),
            trimAtEnd: trimAtEnd + Int32(audible - last), payload: payload)
    }
}
