import NIOCore
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiWire

/// Audio: from the producer into the log, from the log to the rooms.
extension Player {
    func startProducer() throws(SenderError) {
        let producer = Producer(options: configuration.encoding) { serial, event in
            self.loop.execute { self.assumeIsolated { $0.take(event, piece: serial) } }
        }
        try producer.run()
        self.producer = producer
        guard let first = queue.current else { return finish(.nothingPlayable) }
        produce(first, at: configuration.startAt, from: configuration.startAt)
    }

    // MARK: Into the log

    private func take(_ event: ProducerEvent, piece serial: Int) {
        guard let piece = programme.last, piece.serial == serial, phase != .finished else { return }
        switch event {
        case .opened(let info): note(info, of: piece)
        case .failed(let message): note(failure: message, of: piece)
        case .packets(let buffers): append(buffers)
        case .ended(let end, let remainingOffset):
            appendPlain([], isEnd: true)
            programme.change(serial) { piece in
                piece.end = end
                piece.start = min(piece.start, end)
            }
            layNext(at: end, from: remainingOffset)
        }
    }

    private func note(_ info: AssetInfo, of piece: Programme.Piece) {
        // A queue may be long, and nobody looks at the pictures.
        var info = info
        info.artwork = nil
        programme.change(piece.serial) { $0.open(info) }
        queue[piece.entry]?.info = info
        queue[piece.entry]?.failure = nil
    }

    private func note(failure message: String, of piece: Programme.Piece) {
        programme.change(piece.serial) { $0.item.failure = message }
        queue[piece.entry]?.failure = message
        failed.insert(piece.entry)
        emit(.itemFailed(index: queue.index(of: piece.entry) ?? 0, uri: piece.item.input.uri, message: message))
    }

    private func append(_ buffers: [SampleBuffer]) {
        for buffer in buffers {
            log.append(PacketLog.Entry(buffer: buffer, formatID: formats.id(of: buffer.format)))
        }
        appendPlain(buffers)
        if awaitsFirstPacket, let first = buffers.first {
            awaitsFirstPacket = false
            if playhead.rate == 0, playhead.media != first.presentationTime {
                hold(at: first.presentationTime)
            }
        }
        for room in rooms { feed(room) }
    }

    /// The queue ends with the piece that was made last.
    func finished(at end: MediaTime) {
        if log.isEmpty, awaitsFirstPacket, queue.ids.allSatisfy(failed.contains) { return finish(.nothingPlayable) }
        if awaitsFirstPacket, !hasStarted {
            return finish(PlayerOutcome(exitCode: 3, message: "the programme is over before the place to begin at"))
        }
        programmeEnd = end
        for room in rooms where room.isUp {
            carryOut(room.session.send(.end(media: end), now: now), in: room)
        }
        if awaitsFirstPacket { finishProgramme() } else { advance() }
    }

    // MARK: To the rooms

    /// Sends what credit and connection take.
    func feed(_ room: Room) {
        guard let media = room.media, room.session.isMediaOpen, !log.isEmpty else { return }
        if room.cursor == nil { prepare(room, at: room.resumeAt) }
        let log = log(of: room)
        var cursor = room.cursor ?? log.entrance(at: room.resumeAt)
        if cursor < log.firstIndex { cursor = log.entrance(at: position) }
        var hasSent = false
        while media.isWritable, let entry = log[cursor],
            room.session.allows(
                payloadBytes: entry.buffer.byteCount, presentation: entry.buffer.presentationTime)
        {
            carryOut(room.session.announce(entry.buffer.format, id: entry.formatID, now: now), in: room)
            for part in entry.buffer.parts { write(part, formatID: entry.formatID, to: media, of: room) }
            hasSent = true
            cursor += 1
        }
        // Of a programme that is still being made nothing may be there yet.
        room.cursor = log.isEmpty ? nil : cursor
        if hasSent { media.flush() }
        extendProduction(for: cursor, in: log)
    }

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

    /// Keeps the producer a little ahead of the room that is furthest.
    private func extendProduction(for cursor: Int, in log: PacketLog) {
        let reached = log[cursor]?.buffer.presentationTime ?? log.end ?? .zero
        let limit = max(reached, position) + Self.lookahead
        guard limit > producerLimit + MediaTime(frame: 1, sampleRate: 2) else { return }
        producerLimit = limit
        producer?.extend(to: limit)
    }
}
