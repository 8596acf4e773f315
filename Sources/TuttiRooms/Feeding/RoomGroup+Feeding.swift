import NIOCore
package import TuttiCore
import TuttiSchema
import TuttiWire

/// Audio: into the log, and from the log to the rooms.
extension RoomGroup {
    /// Standard deviation of a room's clock, µs, below which a short queue in front of its replies does it no harm.
    private static let knownClock = 100.0

    /// Adds what follows to the timeline.
    ///
    /// - Parameter isEnd: a track ends with it: nothing of it is held back.
    package func append(_ buffers: [SampleBuffer], isEnd: Bool = false) {
        for buffer in buffers {
            source.append(buffer)
        }
        appendTranscoded(buffers, isEnd: isEnd)
    }

    /// How far the room that is furthest has been sent the timeline; nil where none has.
    package var reached: MediaTime? {
        rooms.compactMap { room in
            let log = log(of: room)
            return room.feed.cursor.flatMap { log[$0]?.buffer.presentationTime ?? log.end }
        }.max()
    }

    /// Up to where there is sound: what has been produced, or what rooms buffer from before.
    package var soundEnd: MediaTime? {
        source.soundEnd
    }

    /// Sends all rooms the timeline from another log, from where each room has it.
    ///
    /// - Returns: where those that are up have it up to.
    package func retrace() -> [MediaTime] {
        let place = position
        return rooms.filter(\.isUp).map { room in
            let log = log(of: room)
            if let cursor = room.feed.cursor {
                room.feed.resumeAt = log[cursor]?.buffer.presentationTime ?? log.end ?? room.feed.resumeAt
            }
            room.feed.begin(at: max(room.feed.resumeAt, place))
            return room.feed.resumeAt
        }
    }

    /// Sends all rooms what credit and connections take.
    package func feed() {
        for room in rooms { feed(room) }
    }

    /// Sends what credit and connection take.
    func feed(_ room: Room) {
        guard let media = room.media, room.session.isMediaOpen, !isIntroducing(room) else { return }
        if room.feed.cursor == nil, let begin = source.begin, room.feed.resumeAt < begin { return report(.lacking) }
        guard !log.isEmpty else { return }
        if room.feed.cursor == nil { prepare(room, at: room.feed.resumeAt) }
        let log = log(of: room)
        // It is not sent again what it buffers already.
        if room.feed.cursor == nil, let end = log.end, room.feed.resumeAt > end { return report(.sent(upTo: end)) }
        var cursor = room.feed.cursor ?? log.index(at: room.feed.resumeAt)
        var enters = room.feed.cursor == nil
        if cursor < log.firstIndex { (cursor, enters) = (log.index(at: position), true) }
        var hasSent = false
        let helping = firstHelping
        while media.isWritable, let entry = log[cursor],
            let buffer = enters ? log.entering(at: cursor) : entry.buffer,
            sendPictures(before: buffer.presentationTime, to: room, on: media, &hasSent),
            helping.map({ buffer.presentationTime < $0 }) ?? true,
            room.session.allows(payloadBytes: buffer.byteCount, presentation: buffer.presentationTime)
        {
            carryOut(room.session.announce(buffer.format, id: entry.formatID, now: now), in: room)
            for part in buffer.parts { write(part, formatID: entry.formatID, to: media, of: room) }
            enters = false
            hasSent = true
            cursor += 1
        }
        if log[cursor] == nil, let end = log.end { _ = sendPictures(before: end, to: room, on: media, &hasSent) }
        // Of a timeline that is still being made nothing may be there yet.
        room.feed.cursor = log.isEmpty ? nil : cursor
        if hasSent {
            media.flush()
            room.feed.mayQueue = true
        }
        room.feed.isLoading = !media.isWritable
        if room.feed.isLoading { watchLoading() }
        report(.sent(upTo: log[cursor]?.buffer.presentationTime ?? log.end ?? .zero))
    }

    /// Where what many rooms get before the first sound ends: each needs some seconds to begin, and minutes for the
    /// first would keep the last waiting. Nil once they play, and for few rooms.
    private var firstHelping: MediaTime? {
        isBeginning ? playhead.media + Self.helping : nil
    }

    /// Whether many rooms wait for the first sound.
    var isBeginning: Bool { !hasStarted && rooms.count > Self.few }

    /// So many rooms are filled while they wait for each other; more get so much first.
    static let few = 16
    private static let helping = MediaTime(frame: 5, sampleRate: 1)

    private func write(_ buffer: SampleBuffer, formatID: UInt16, to media: any Channel, of room: Room) {
        let header = room.session.packetHeader(for: buffer, formatID: formatID)
        var bytes = media.allocator.buffer(capacity: header.count + buffer.data.count)
        bytes.writeBytes(header)
        if plays(buffer, in: room) {
            bytes.writeBytes(buffer.data)
        } else {
            bytes.writeRepeatingByte(0, count: buffer.data.count)
        }
        media.write(bytes, promise: nil)
    }

    /// Whether a packet is one that the room plays; another is sent as the silence that zeros are in PCM.
    private func plays(_ buffer: SampleBuffer, in room: Room) -> Bool {
        guard buffer.format.codec == .pcm, let parts = configuration.parts[room.address.label] else { return true }
        return parts.contains { $0.intersection(buffer.timeRange) != nil }
    }

    // MARK: Changes

    /// Flushes all rooms, and fills them from `time`.
    package func refill(from time: MediaTime) {
        for room in rooms {
            room.feed.begin(at: time)
            empty(room)
            hasten(room)
            room.status = nil
        }
    }

    /// Flushes a room; it keeps where the timeline ends.
    func empty(_ room: Room) {
        carryOut(room.session.flush(from: nil, now: now), in: room)
        if let timelineEnd { carryOut(room.session.send(.end(media: timelineEnd), now: now), in: room) }
    }

    /// Has the rooms drop what they buffer from `time` on: the log has been cut there.
    ///
    /// - Parameter first: the index of the first packet that is another now: rooms that have not been sent that far are
    ///   left alone; nil for none.
    package func flush(from time: MediaTime, unlessBefore first: Int?) {
        for room in rooms {
            let isOpen = source.begin.map { time >= $0 } ?? true
            if let first, isOpen, room.feed.transcoded == nil, let cursor = room.feed.cursor, cursor <= first {
                continue
            }
            room.feed.lookAnew()
            carryOut(room.session.flush(from: time, now: now), in: room)
            room.status?.loaded.cut(at: time)
            hasten(room)
        }
    }

    private func hasten(_ room: Room) {
        let isClockKnown = room.status?.clockOffsetSigmaUs.map { $0 < Self.knownClock } ?? false
        guard isClockKnown else { return }
        room.care.link.hasten(now: now)
        keepPace(of: room)
        watchLoading()
    }

    /// Whether rooms are ready they have reported of something else.
    package func outdateReadiness() {
        for room in rooms { room.feed.isOutdated = true }
    }

    /// Whether all rooms can play on from `time` with what they last reported to buffer.
    package func holds(_ time: MediaTime) -> Bool {
        rooms.allSatisfy { !$0.isUp || holds($0, time) }
    }

    private func holds(_ room: Room, _ time: MediaTime) -> Bool {
        let second = time + MediaTime(frame: 1, sampleRate: 1)
        let needed = TimeRange(start: time, end: timelineEnd.map { min(second, $0) } ?? second)
        return !room.session.isFlushing && room.status?.loaded.holds(needed) ?? false
    }
}
