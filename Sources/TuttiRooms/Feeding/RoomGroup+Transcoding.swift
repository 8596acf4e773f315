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
    func log(of room: Room) -> PacketLog { room.feed.transcoded?.log ?? log }

    /// Gives a room the timeline that it can decode and its link carries. One is made for the rooms that need them.
    func choose(for room: Room, _ welcome: Welcome) {
        room.feed.transcoded = profile(for: room, welcome).map { kind in
            rooms.lazy.compactMap(\.feed.transcoded).first { $0.kind == kind } ?? TranscodedTimeline(kind)
        }
    }

    private func profile(for room: Room, _ welcome: Welcome) -> TranscodingProfile? {
        if let bitrate = room.care.thinBitrate { return TranscodingProfile(codecs: [], opusBitrate: bitrate) }
        guard configuration.keepsOriginals else { return nil }
        let known = Set(Self.originals.filter { welcome.codecs.contains($0.rawValue) })
        return known.count < Self.originals.count ? TranscodingProfile(codecs: known) : nil
    }

    /// Begins, or begins again, what a room is fed from, when that does not reach back to `time`.
    func prepare(_ room: Room, at time: MediaTime) {
        guard let transcoded = room.feed.transcoded, let start = log.start, let end = log.end else { return }
        let place = max(time, start)
        guard place < end, !transcoded.reaches(place) else { return }
        transcoded.begin(log, at: place, isEnd: timelineEnd != nil, done: takeTranscoded(for: transcoded))
    }

    /// Hands on what was added to the log.
    func appendTranscoded(_ buffers: [SampleBuffer], isEnd: Bool) {
        for transcoded in transcodedTimelines {
            transcoded.append(buffers, isEnd: isEnd, done: takeTranscoded(for: transcoded))
        }
    }

    /// Forgets what begins at `time` or later, or everything; returns what `PacketLog.cut` returns.
    package func cutLogs(from time: MediaTime? = nil) -> Int {
        for transcoded in transcodedTimelines {
            if let time { transcoded.cut(from: time) } else { transcoded.removeAll() }
        }
        cutPictures(from: time)
        return source.cut(from: time)
    }

    /// Forgets what begins at `time` or later, inside a track. What the transcoders still hold back would be lost, so
    /// transcoded timelines are restarted.
    package func cutLogs(insideOfTrackFrom time: MediaTime) -> Int {
        for transcoded in transcodedTimelines { transcoded.rest() }
        cutPictures(from: time)
        return source.cut(from: time)
    }

    /// Forgets what has played.
    package func trimLogs(before time: MediaTime) {
        pictures.trim(before: time)
        source.log.trim(before: time, keepingFrom: log.endIndex)
        for transcoded in transcodedTimelines {
            transcoded.log.trim(before: time, keepingFrom: transcoded.log.endIndex)
        }
    }

    private var transcodedTimelines: [TranscodedTimeline] {
        var seen: Set<TranscodingProfile> = []
        return rooms.compactMap(\.feed.transcoded).filter { seen.insert($0.kind).inserted }
    }

    /// What is done with the packets that come out of a timeline's encoder.
    private func takeTranscoded(for timeline: TranscodedTimeline) -> @Sendable (Int, [SampleBuffer]) -> Void {
        let (loop, group) = (loop, bound)
        let timeline = NIOLoopBound(timeline, eventLoop: loop)
        return { batch, buffers in
            loop.execute { group.value.take(buffers, of: batch, for: timeline.value) }
        }
    }

    private func take(_ buffers: [SampleBuffer], of batch: Int, for transcoded: TranscodedTimeline) {
        // Another one may have been begun for rooms of the same kind meanwhile.
        guard transcodedTimelines.contains(where: { $0 === transcoded }) else { return }
        for buffer in transcoded.current(buffers, of: batch) {
            transcoded.log.append(source.entry(for: buffer))
        }
        for room in rooms where room.feed.transcoded === transcoded { feed(room) }
    }
}
