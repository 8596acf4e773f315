import NIOCore
import TuttiAssets
import TuttiCore
import TuttiWire

/// Audio: from the producer into the log, from the log to the rooms.
extension Player {
    func startProducer() throws(SenderError) {
        let producer = Producer(inputs: configuration.inputs, options: configuration.encoding) { epoch, event in
            self.loop.execute { self.assumeIsolated { $0.take(event, epoch: epoch) } }
        }
        try producer.run()
        self.producer = producer
        produce(item: 0, start: .zero, offset: configuration.startAt)
    }

    /// Makes the programme anew from `offset` into an item that lies at `start`.
    func produce(item: Int, start: MediaTime, offset: MediaTime) {
        epoch += 1
        log.removeAll()
        awaitsFirstPacket = true
        programmeEnd = nil
        if programme.items.indices.contains(item) { programme.items[item].start = start }
        producerLimit = start + offset + Self.lookahead
        producer?.begin(
            ProducerOrder(epoch: epoch, item: item, start: start, offset: offset), limit: producerLimit)
    }

    // MARK: Into the log

    private func take(_ event: ProducerEvent, epoch: Int) {
        guard epoch == self.epoch, phase != .finished else { return }
        switch event {
        case .opened(let item, let info, let start):
            programme.items[item].info = info
            programme.items[item].start = start
        case .failed(let item, let message):
            programme.items[item].failure = message
            emit(.itemFailed(index: item, uri: programme.items[item].input.uri, message: message))
        case .packets(let buffers): append(buffers)
        case .ended(let item, let end):
            programme.items[item].end = end
            if programme.items.indices.contains(item + 1) { programme.items[item + 1].start = end }
        case .finished(let end): finished(at: end)
        }
    }

    private func append(_ buffers: [SampleBuffer]) {
        for buffer in buffers {
            log.append(PacketLog.Entry(buffer: buffer, formatID: formats.id(of: buffer.format)))
        }
        if awaitsFirstPacket, let first = buffers.first {
            awaitsFirstPacket = false
            if playhead.rate == 0, playhead.media != first.presentationTime {
                hold(at: first.presentationTime)
            }
        }
        for room in rooms { feed(room) }
    }

    private func finished(at end: MediaTime) {
        if log.isEmpty, awaitsFirstPacket, programme.isHopeless { return finish(.nothingPlayable) }
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
        var cursor = room.cursor ?? log.index(at: room.resumeAt)
        if cursor < log.firstIndex { cursor = log.index(at: position) }
        var hasSent = false
        while media.isWritable, let entry = log[cursor],
            room.session.allows(
                payloadBytes: entry.buffer.data.count, presentation: entry.buffer.presentationTime)
        {
            carryOut(room.session.announce(entry.buffer.format, id: entry.formatID, now: now), in: room)
            let header = room.session.packetHeader(for: entry.buffer, formatID: entry.formatID)
            var bytes = media.allocator.buffer(capacity: header.count + entry.buffer.data.count)
            bytes.writeBytes(header)
            if plays(entry.buffer, in: room) {
                bytes.writeBytes(entry.buffer.data)
            } else {
                bytes.writeRepeatingByte(0, count: entry.buffer.data.count)
            }
            media.write(bytes, promise: nil)
            hasSent = true
            cursor += 1
        }
        room.cursor = cursor
        if hasSent { media.flush() }
        extendProduction(for: cursor)
    }

    /// Whether a packet is one that the room plays; another is sent as the silence that zeros are in PCM.
    private func plays(_ buffer: SampleBuffer, in room: Room) -> Bool {
        guard buffer.format.codec == .pcm, let parts = configuration.parts[room.address.label] else { return true }
        return parts.contains { $0.intersection(buffer.timeRange) != nil }
    }

    /// Keeps the producer a little ahead of the room that is furthest.
    private func extendProduction(for cursor: Int) {
        let reached = log[cursor]?.buffer.presentationTime ?? log.end ?? .zero
        let limit = max(reached, position) + Self.lookahead
        guard limit > producerLimit + MediaTime(frame: 1, sampleRate: 2) else { return }
        producerLimit = limit
        producer?.extend(to: limit)
    }
}
