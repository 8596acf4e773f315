import NIOCore
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms

/// Audio: from the producer into the log that the rooms are fed from.
extension Player {
    func startProducer() throws(SenderError) {
        let producer = try host.startProducer(configuration.encoding) { serial, event in
            self.loop.execute { self.assumeIsolated { $0.take(event, serial: serial) } }
        }
        production.start(producer)
        if restored != nil { return }
        guard let first = queue.current else { return configuration.staysAtEnd ? rest() : finish(.nothingPlayable) }
        produce(first, at: playhead.media, from: playhead.media)
    }

    private func take(_ event: ProducerEvent, serial: Int) {
        guard let track = timeline.last, production.serial == serial, phase != .finished else { return }
        // What is scheduled is written down before anything of it is sent.
        defer { commit() }
        switch event {
        case .opened(let info):
            production.use(track.item.input)
            note(info, of: track)
        case .failed(let message): note(failure: message, of: track)
        case .tailFailed(let message):
            if let track = timeline.tracks.dropLast().last { note(failure: message, of: track) }
        case .placed(let start, let head):
            timeline.change(track.serial) { track in
                track.start = start
                track.head = head
                track.isPlaced = true
            }
        case .titled(let title, let time):
            timeline.change(track.serial) { $0.note(title.map { StreamTags(title: $0) }, at: time) }
        case .live(let report): take(report)
        case .packets(let buffers): append(buffers)
        case .ending(let ending):
            group.append([], isEnd: true)
            timeline.change(track.serial) { track in
                track.end = ending.end
                track.ending = ending
            }
            scheduleNext(in: ending)
        case .ended(let end, let remainingOffset):
            group.append([], isEnd: true)
            timeline.change(track.serial) { track in
                track.end = end
                track.start = min(track.start, end)
            }
            scheduleNext(at: end, from: remainingOffset)
        }
    }

    private func note(_ info: AssetInfo, of track: PlaybackTimeline.Track) {
        // A queue may be long, and nobody looks at the pictures.
        var info = info
        info.artwork = nil
        noteTracks(info, of: track)
        timeline.change(track.serial) { $0.open(info) }
        queue[track.entry]?.info = info
        recorder?.touch(track.entry)
        // While the tail of a track is produced, the failure is that track's.
        if track.ending == nil { queue[track.entry]?.failure = nil }
        queue[track.entry]?.listener?.opened(info)
    }

    private func note(failure message: String, of track: PlaybackTimeline.Track) {
        timeline.change(track.serial) { $0.item.failure = message }
        queue[track.entry]?.failure = message
        recorder?.touch(track.entry)
        failures.insert(track.entry)
        queue[track.entry]?.listener?.failed(message)
        emit(
            .itemFailed(
                index: queue.index(of: track.entry) ?? 0, uri: track.item.input.uri, message: message,
                id: track.entry.rawValue))
    }

    private func append(_ buffers: [SampleBuffer]) {
        group.append(buffers)
        if production.awaitsFirstPacket, let first = buffers.first {
            production.awaitsFirstPacket = false
            if playhead.rate == 0, playhead.media != first.presentationTime {
                group.hold(at: first.presentationTime)
            }
        }
        group.feed()
    }

    /// The queue ends with the track that was made last.
    func finished(at end: MediaTime) {
        if production.awaitsFirstPacket, configuration.staysAtEnd {
            group.timelineEnd = end
            return rest()
        }
        if group.log.isEmpty, production.awaitsFirstPacket, queue.ids.allSatisfy(failures.contains) {
            return finish(.nothingPlayable)
        }
        if failures.givenUpAt != nil, production.awaitsFirstPacket, !group.hasStarted {
            return finish(.givenUp(failures: failures.count))
        }
        if production.awaitsFirstPacket, !group.hasStarted {
            return finish(PlayerOutcome(exitCode: 3, message: "the tracks end before the start position"))
        }
        group.end(at: end)
        if production.awaitsFirstPacket { finishTimeline() } else { advance() }
    }

    /// What is produced ahead and not taken is not more than this, in bytes, however much rooms can buffer.
    private static let maximumLogBytes = 256 << 20

    /// Keeps the producer a little ahead of the room that is furthest.
    func extendProduction(beyond reached: MediaTime) {
        guard group.log.byteCount < Self.maximumLogBytes else { return }
        let limit = max(reached, position) + Self.lookahead
        guard limit > production.limit + MediaTime(frame: 1, sampleRate: 2) else { return }
        production.extend(to: limit)
        followPictures()
    }
}
