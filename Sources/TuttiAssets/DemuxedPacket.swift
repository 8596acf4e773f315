#if FFmpeg
import CFFmpeg

/// A packet as the demuxer gave it, on its own.
struct DemuxedPacket {
    /// What the container asks to drop of what the packet decodes to.
    struct Trims: Equatable {
        /// Frames at the front; more than the packet has go on to the next ones.
        var start: Int
        /// Frames at the back.
        var end: Int

        /// Nil for a packet that says nothing of it.
        init?(_ packet: UnsafePointer<AVPacket>) {
            var (start, end): (UInt32, UInt32) = (0, 0)
            guard tutti_packet_trims(packet, &start, &end) != 0 else { return nil }
            self.start = Int(Int32(truncatingIfNeeded: start))
            self.end = Int(end)
        }
    }

    let data: [UInt8]
    /// When the packet begins, in the stream's time base; FFmpeg's mark for an unknown one.
    let timestamp: Int64
    /// In the stream's time base.
    let duration: Int64
    let trims: Trims?
    /// Its sound lies outside of the edit list.
    let isDiscarded: Bool
    /// It begins another configuration of the decoder.
    let changesFormat: Bool

    init(_ packet: UnsafePointer<AVPacket>) {
        data = Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(max(0, packet.pointee.size))))
        timestamp = packet.pointee.pts
        duration = packet.pointee.duration
        trims = Trims(packet)
        isDiscarded = packet.pointee.flags & AV_PKT_FLAG_DISCARD != 0
        changesFormat = tutti_packet_changes_format(packet) != 0
    }
}
#endif
