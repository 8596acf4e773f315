import TuttiCore

/// The packets just before a place in a medium, as far back as a decoder has to hear them.
struct PrerollWindow {
    private var entries: [(packet: PrerollPacket, end: Int64)] = []
    private var byteCount = 0
    private let frameCount: Int64

    /// No decoder needs more, whatever a file says of itself.
    private static let maximumPackets = 64
    private static let maximumBytes = 256 * 1_024

    /// A window of as much as the decoders of a format want.
    init(_ format: AudioFormat) { frameCount = format.codec.preroll.frame(at: format.sampleRate, rounding: .up) }

    /// What is in the window, in order.
    var packets: [PrerollPacket] { entries.map(\.packet) }

    /// Adds the packet that follows the last one, and drops those that it leaves too far behind.
    ///
    /// - Parameter end: the place of the frame after the packet.
    mutating func append(_ data: [UInt8], frameCount length: Int, end: Int64) {
        guard frameCount > 0, let packet = PrerollPacket(frameCount: length, data: data) else { return }
        entries.append((packet, end))
        byteCount += data.count
        while entries.count > 1, let first = entries.first,
            first.end <= end - frameCount || entries.count > Self.maximumPackets || byteCount > Self.maximumBytes
        {
            byteCount -= first.packet.data.count
            entries.removeFirst()
        }
    }

    /// The next packet comes from elsewhere.
    mutating func removeAll() { (entries, byteCount) = ([], 0) }
}
