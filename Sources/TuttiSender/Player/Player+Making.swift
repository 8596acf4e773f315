import NIOCore
import TuttiAssets
import TuttiCore
import TuttiPlayback

/// Audio: from the producer into the log that the rooms are fed from.
extension Player {
    func startProducer() throws(SenderError) {
        producer = try group.host.startProducer(configuration.encoding) { serial, event in
            self.loop.execute { self.assumeIsolated { $0.take(event, order: serial) } }
        }
        if restored != nil { return }
        guard let first = queue.current else { return configuration.staysAtEnd ? rest() : finish(.nothingPlayable) }
        produce(first, at: playhead.media, from: playhead.media)
    }

    private func take(_ event: ProducerEvent, order serial: Int) {
        guard let piece = programme.last, orders == serial, phase != .finished else { return }
        // What is laid is written down before anything of it is sent.
        defer { commit() }
        switch event {
        case .opened(let info):
            if opened?.close(after: piece.item.input) == true { opened = nil }
            note(info, of: piece)
        case .failed(let message): note(failure: message, of: piece)
        case .endingFailed(let message):
            if let piece = programme.pieces.dropLast().last { note(failure: message, of: piece) }
        case .placed(let start, let head):
            programme.change(piece.serial) { piece in
                piece.start = start
                piece.head = head
                piece.isPlaced = true
            }
        case .titled(let title, let time):
            programme.change(piece.serial) { $0.note(streamTitle: title, at: time) }
        case .packets(let buffers): append(buffers)
        case .ending(let ending):
            group.append([], isEnd: true)
            programme.change(piece.serial) { piece in
                piece.end = ending.end
                piece.ending = ending
            }
            layNext(in: ending)
        case .ended(let end, let remainingOffset):
            group.append([], isEnd: true)
            programme.change(piece.serial) { piece in
                piece.end = end
                piece.start = min(piece.start, end)
            }
            layNext(at: end, from: remainingOffset)
        }
    }

    private func note(_ info: AssetInfo, of piece: PlaybackTimeline.Piece) {
        // A queue may be long, and nobody looks at the pictures.
        var info = info
        info.artwork = nil
        programme.change(piece.serial) { $0.open(info) }
        queue[piece.entry]?.info = info
        recorder?.touch(piece.entry)
        // Of a piece whose ending is made the failure is its own.
        if piece.ending == nil { queue[piece.entry]?.failure = nil }
        queue[piece.entry]?.listener?.opened(info)
    }

    private func note(failure message: String, of piece: PlaybackTimeline.Piece) {
        programme.change(piece.serial) { $0.item.failure = message }
        queue[piece.entry]?.failure = message
        recorder?.touch(piece.entry)
        failed.insert(piece.entry)
        queue[piece.entry]?.listener?.failed(message)
        emit(
            .itemFailed(
                index: queue.index(of: piece.entry) ?? 0, uri: piece.item.input.uri, message: message,
                id: piece.entry.rawValue))
    }

    private func append(_ buffers: [SampleBuffer]) {
        group.append(buffers)
        if awaitsFirstPacket, let first = buffers.first {
            awaitsFirstPacket = false
            if playhead.rate == 0, playhead.media != first.presentationTime {
                group.hold(at: first.presentationTime)
            }
        }
        group.feed()
    }

    /// The queue ends with the piece that was made last.
    func finished(at end: MediaTime) {
        if awaitsFirstPacket, configuration.staysAtEnd {
            group.programmeEnd = end
            return rest()
        }
        if group.log.isEmpty, awaitsFirstPacket, queue.ids.allSatisfy(failed.contains) {
            return finish(.nothingPlayable)
        }
        if givenUpAt != nil, awaitsFirstPacket, !group.hasStarted { return finish(.givenUp(failures: failed.count)) }
        if awaitsFirstPacket, !group.hasStarted {
            return finish(PlayerOutcome(exitCode: 3, message: "the tracks end before the start position"))
        }
        group.end(at: end)
        if awaitsFirstPacket { finishProgramme() } else { advance() }
    }

    /// What is made ahead and not taken is not more than this, in bytes, whatever rooms say that they have room for.
    private static let maximumLogBytes = 256 << 20

    /// Keeps the producer a little ahead of the room that is furthest.
    func extendProduction(beyond reached: MediaTime) {
        guard group.log.byteCount < Self.maximumLogBytes else { return }
        let limit = max(reached, position) + Self.lookahead
        guard limit > producerLimit + MediaTime(frame: 1, sampleRate: 2) else { return }
        producerLimit = limit
        producer?.extend(to: limit)
    }
}
