import NIOCore
package import TuttiCore
import TuttiDecoding
import TuttiEncoding
import TuttiWire

/// Original formats, and rooms that cannot decode them all, or whose links cannot carry them.
extension RoomGroup {
    /// What tracks may travel in when originals are kept.
    private static let originals = Decoders.decodable

    /// The log that a room is fed from.
    package func log(of room: Room) -> PacketLog { room.feed.transcoded?.log ?? log }

    /// Gives a room the timeline that it can decode and its link carries. One is made for the rooms that need them.
    func choose(for room: Room, _ welcome: Welcome) {
        room.feed.transcoded = plainKind(for: room, welcome).map { kind in
            rooms.lazy.compactMap(\.feed.transcoded).first { $0.kind == kind } ?? TranscodedTimeline(kind)
        }
    }

    private func plainKind(for room: Room, _ welcome: Welcome) -> TranscodingProfile? {
        if let bitrate = room.care.thinBitrate { return TranscodingProfile(codecs: [], opusBitrate: bitrate) }
        guard configuration.keepsOriginals else { return nil }
        let known = Set(Self.originals.filter { welcome.codecs.contains($0.rawValue) })
        return known.count < Self.originals.count ? TranscodingProfile(codecs: known) : nil
    }

    /// Begins, or begins again, what a room is fed from, when that does not reach back to `time`.
    func prepare(_ room: Room, at time: MediaTime) {
        guard let plain = room.feed.transcoded, let start = log.start, let end = log.end else { return }
        let place = max(time, start)
        guard place < end, !plain.reaches(place) else { return }
        plain.begin(log, at: place, isEnd: timelineEnd != nil, done: takePlain(plain.kind))
    }

    /// Hands on what was added to the log.
    func appendTranscoded(_ buffers: [SampleBuffer], isEnd: Bool) {
        for plain in plains { plain.append(buffers, isEnd: isEnd, done: takePlain(plain.kind)) }
    }

    /// Forgets what begins at `time` or later, or everything; `PacketLog.cut` says what is returned.
    package func cutLogs(from time: MediaTime? = nil) -> Int {
        for plain in plains {
            if let time { plain.cut(from: time) } else { plain.removeAll() }
        }
        return source.cut(from: time)
    }

    /// Forgets what begins at `time` or later, where tracks go on. What is behind with the encoders of the rooms that
    /// get something else would be lost: they begin anew.
    package func cutLogs(insideOfTrackFrom time: MediaTime) -> Int {
        for plain in plains { plain.rest() }
        return source.cut(from: time)
    }

    /// Forgets what lies behind.
    package func trimLogs(before time: MediaTime) {
        source.log.trim(before: time, keepingFrom: log.endIndex)
        for plain in plains { plain.log.trim(before: time, keepingFrom: plain.log.endIndex) }
    }

    private var plains: [TranscodedTimeline] {
        var seen: Set<TranscodingProfile> = []
        return rooms.compactMap(\.feed.transcoded).filter { seen.insert($0.kind).inserted }
    }

    /// What is done with the packets that come out of a timeline's encoder.
    private func takePlain(
        _ kind: TranscodingProfile
    ) -> @Sendable (Int, [SampleBuffer]) -> Void {
        let (loop, group) = (loop, bound)
        return { batch, buffers in
            loop.execute { group.value.take(buffers, of: batch, kind: kind) }
        }
    }

    private func take(_ buffers: [SampleBuffer], of batch: Int, kind: TranscodingProfile) {
        guard let plain = plains.first(where: { $0.kind == kind }) else { return }
        for buffer in plain.current(buffers, of: batch) {
            plain.log.append(source.entry(for: buffer))
        }
        for room in rooms where room.feed.transcoded === plain { feed(room) }
    }
}
