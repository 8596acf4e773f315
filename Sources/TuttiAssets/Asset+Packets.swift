#if FFmpeg
package import TuttiCore

extension Asset {
    /// Turns from samples to packets: `readPacket` goes on where `read` would have.
    ///
    /// - Returns: what the packets are; nil when they cannot travel as they are (another coding, more than two
    ///   channels, AAC without configuration), and `read` goes on.
    package func startPackets() throws(AssetError) -> AudioFormat? {
        guard packets == nil, let coding = OriginalCoding(stream, bitDepth: info.bitDepth) else {
            return packets?.coding.format
        }
        dropPending()
        packets = try PacketStream(stream, coding: coding, position: max(position, 0))
        return coding.format
    }

    /// The next packet of which something is heard; nil at the end. Only after `startPackets`.
    ///
    /// The packets' audible frames are the frames that `read` would give, one for one.
    ///
    /// - Throws: as `read` does.
    package func readPacket() throws(AssetError) -> PacketStep? {
        guard let packets else { return nil }
        if interrupter.wasInterrupted { throw .interrupted(input.name) }
        if position < 0 {
            let frames = min(-position, Int64(info.sampleRate), endFrame.map { $0 - position } ?? .max)
            guard frames > 0 else { return nil }
            position += frames
            return .silence(frames: Int(frames))
        }
        let step = try packets.next(before: endFrame)
        switch step {
        case .packet(let packet): position += Int64(packet.audibleFrameCount)
        case .silence(let frames): position += Int64(frames)
        case .unsuitable: break
        case nil: try checkPromise()
        }
        return step
    }

    /// Turns back to samples: `read` goes on where `readPacket` would have, or, where that is not to be had again,
    /// behind the packet read last.
    package func stopPackets() throws(AssetError) {
        guard packets != nil else { return }
        packets = nil
        // Behind every place, so that the seek does not count on what comes next.
        stream.resume(at: .max / 2)
        // A live stream cannot be had again: what comes next goes on.
        if stream.demuxer.isSeekable || (input.isRemote && info.duration != nil) { return try move(to: position) }
        stream.resume(at: max(position, 0))
    }
}
#endif
