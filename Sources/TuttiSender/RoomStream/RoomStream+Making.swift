import NIOCore
import TuttiCore
import TuttiDecoding
import TuttiEncoding
import TuttiPlayback
import TuttiRooms

/// From what is held to the packets that the rooms are fed from.
extension RoomStream {
    /// What travels as it is; the rest is encoded as FLAC.
    static let codecsOnTheWire = Set(Decoders.decodable).subtracting([.pcm])

    /// How much is made ahead of the room that is furthest.
    private static let lookahead = MediaTime(frame: 10, sampleRate: 1)
    /// How much is made at once.
    private static let batch = (duration: MediaTime(frame: 2, sampleRate: 1), count: 64)

    /// Makes what follows, if the rooms will take it soon.
    func make() {
        guard !isMaking, outdatedFrom == nil, !isClosed else { return }
        let buffers = nextBuffers()
        guard !buffers.isEmpty else { return }
        isMaking = true
        let (edition, end) = (edition, made)
        encoder.encode(buffers, isEnd: true) { packets in
            self.perform { $0.append(packets, edition: edition, end: end) }
        }
    }

    private func append(_ packets: [SampleBuffer], edition: Int, end: MediaTime) {
        guard edition == self.edition, !isClosed else { return }
        precondition(appended <= end && end <= made, "packets come back that were never made")
        isMaking = false
        appended = end
        // Nothing is held back for what may not come.
        group.append(packets, isEnd: true)
        group.feed()
        make()
    }

    /// The next of what is held, as far as one follows the other; they count as made then.
    private func nextBuffers() -> [SampleBuffer] {
        let limit = max(group.reached ?? .zero, group.position) + Self.lookahead
        let start = made
        var buffers: [SampleBuffer] = []
        while made < limit, made - start < Self.batch.duration, buffers.count < Self.batch.count,
            let next = held.packet(covering: made) ?? held.next(after: made), next.presentationTime < limit,
            buffers.isEmpty || next.presentationTime == made
        {
            if let part = next.part(from: made) { buffers.append(part) }
            made = next.timeRange.end
        }
        return buffers
    }
}

extension SampleBuffer {
    /// What of the buffer plays at `time` or later, to the nearest frame; nil when nothing does.
    fileprivate func part(from time: MediaTime) -> SampleBuffer? {
        let dropped = max(0, (time - presentationTime).frame(at: format.sampleRate))
        guard dropped > 0 else { return self }
        guard dropped < audibleFrameCount else { return nil }
        return SampleBuffer(
            format: format,
            presentationTime: presentationTime + MediaTime(frame: dropped, sampleRate: format.sampleRate),
            frameCount: frameCount, trimAtStart: trimAtStart + Int(dropped), trimAtEnd: trimAtEnd, data: data,
            preroll: preroll)
    }
}
