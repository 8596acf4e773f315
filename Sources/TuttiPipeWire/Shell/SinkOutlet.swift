import Dispatch
import Glibc
import Logging
import TuttiHost
import TuttiRealtime
import TuttiRemote
import TuttiSchema

/// A sink with all that belongs to it: its place on the graph, its socket, and what it asks of the service.
final class SinkOutlet {
    /// No other outlet's, also not that of one which is gone.
    let number: Int
    private(set) var sink: SinkSet.Sink
    private let stream: SinkStream
    private let tap: SinkTap
    private let server: PipeWireServer
    let socket: SampleSocket
    private let options: PipeWireSession.Configuration
    private let inbox: Inbox
    private let logger: Logger
    /// Requests of one sink are made in order, and those of another do not wait for them.
    private let queue: DispatchQueue

    private var playback: SinkPlayback
    private var volume = SinkVolume(at: ServiceWatch.now)
    private var pacer = SilencePacer(rate: SinkStream.rate)
    private var track: SinkRequest.Track?
    /// Whether an answer is to be waited for that says which track plays.
    private var isAsking = false
    private var isReady = false
    private var soundsSeen = 0
    private var dropsSeen = 0
    private var hasToldOfDrops = false

    init(
        _ number: Int, _ sink: SinkSet.Sink, on server: PipeWireServer, _ options: PipeWireSession.Configuration,
        inbox: Inbox, logger: Logger
    ) throws {
        (self.number, self.sink, self.options, self.inbox, self.logger) = (number, sink, options, inbox, logger)
        let label = sink.node.split(separator: ".", maxSplits: 1).dropFirst().first.map { "-\($0)" } ?? ""
        socket = try SampleSocket(path: "\(options.folder)/pipewire\(label).sock", folder: options.folder)
        tap = SinkTap(inbox.bell, anewFrames: Int(max(options.idle, 1) * Double(SinkStream.rate)))
        self.server = server
        stream = try SinkStream(server, sink, tap: tap, latency: options.latency)
        playback = SinkPlayback(idle: options.idle)
        queue = DispatchQueue(label: "requests of \(sink.node)")
    }

    /// What the service is asked to play.
    private var input: ControlInput {
        let milliseconds = Int((options.latency * 1000).rounded())
        return ControlInput(
            uri: "unix:\(socket.path)?format=\(SinkStream.rate):f32:2&latency=\(milliseconds)ms",
            title: server.programs(playingTo: stream) ?? options.title)
    }

    private var name: Logger.Metadata { ["sink": "\(sink.node)"] }

    // MARK: Waiting

    /// What it waits for.
    var places: [pollfd] {
        var places = [pollfd(fd: socket.listener, events: Int16(POLLIN), revents: 0)]
        if let connection = socket.connection {
            let events = POLLIN | (socket.wantsToWrite ? POLLOUT : 0)
            places.append(pollfd(fd: connection, events: Int16(events), revents: 0))
        }
        return places
    }

    /// When it is to be served though nothing comes in.
    var deadline: Double? {
        let pacing = tap.isCapturing || playback.state != .quiet ? pacer.deadline : nil
        return [playback.deadline, volume.deadline, pacing].compactMap(\.self).min()
    }

    // MARK: Serving

    /// Does what there is to do.
    ///
    /// - Returns: false when the sink is off the graph.
    func serve(_ client: ServiceClient?, at now: Double) -> Bool {
        let news = stream.takeNews()
        if let failure = news.failure {
            logger.warning("a sink is gone: \(failure)", metadata: name)
            return false
        }
        if !isReady, stream.isReady {
            isReady = true
            if let level = sink.level { carryOut(volume.told(level, at: now), client) }
        }
        if let level = news.level { carryOut(volume.set(level, at: now), client) }
        carryOut(volume.settle(at: now), client)
        if news.isStreaming == true { carryOut(playback.programCame(), client, at: now) }
        serveSound(client, at: now)
        return true
    }

    private func serveSound(_ client: ServiceClient?, at now: Double) {
        if socket.readerIsGone() { hangUp(at: now) }
        if tap.isCapturing, playback.state == .quiet {
            tap.skipToBeginning()
            carryOut(playback.soundBegan(at: now), client, at: now)
        }
        if socket.accept() {
            if playback.state != .playing { logger.info("playing", metadata: name) }
            playback.connected(at: now)
            tap.keep(latencyFrames)
            if playback.state == .playing { pacer.samplesCame(at: now) }
            (dropsSeen, hasToldOfDrops) = (tap.dropped, false)
        }
        if tap.sounds != soundsSeen {
            soundsSeen = tap.sounds
            playback.sounds(at: now)
        }
        carryOut(playback.tick(at: now), client, at: now)
        send(at: now)
    }

    private var latencyFrames: Int { Int(options.latency * Double(SinkStream.rate)) }

    private func send(at now: Double) {
        guard socket.connection != nil else {
            pacer.stop()
            // What nobody reads gets old; it is heard in time or not at all.
            if tap.isCapturing { tap.keep(latencyFrames) }
            return
        }
        if tap.ring.readableFrames > 0 { pacer.samplesCame(at: now) }
        guard socket.send(tap.ring) else { return hangUp(at: now) }
        if tap.dropped != dropsSeen {
            if !hasToldOfDrops { logger.warning("the service reads too slowly: sound is lost", metadata: name) }
            (dropsSeen, hasToldOfDrops) = (tap.dropped, true)
        }
        guard playback.state == .playing || playback.state == .finishing, tap.ring.readableFrames == 0 else { return }
        if !socket.sendSilence(frames: pacer.due(at: now)) { hangUp(at: now) }
    }

    private func hangUp(at now: Double) {
        socket.hangUp()
        playback.disconnected(at: now)
    }

    // MARK: What comes in

    /// Takes how the group stands now.
    func take(_ sink: SinkSet.Sink, _ client: ServiceClient?, at now: Double) {
        self.sink = sink
        volume.spacing = [.playing, .paused, .buffering].contains(sink.group.status?.state) ? 0.1 : 0.5
        guard isReady, let level = sink.level else { return }
        carryOut(volume.told(level, at: now), client)
    }

    /// Takes what the service has answered.
    func complete(_ completion: InboxContent.Completion.Kind, _ client: ServiceClient?, at now: Double) {
        switch completion {
        case .play(.success(let track)):
            (self.track, isAsking) = (track, false)
            carryOut(playback.answered(failure: nil, at: now), client, at: now)
            // It is over already.
            if playback.state == .quiet { _ = finishTrack(client) }
        case .play(.failure(let failure)):
            isAsking = false
            carryOut(playback.answered(failure: failure.description, at: now), client, at: now)
        case .finish: carryOut(playback.finished(at: now), client, at: now)
        case .level(let result):
            if case .failure(let failure) = result {
                logger.warning("the volume is not set: \(failure)", metadata: name)
                carryOut(volume.answered(isDone: false, at: now), client)
            } else {
                carryOut(volume.answered(isDone: true, at: now), client)
            }
        }
    }

    // MARK: Effects

    private func carryOut(_ effect: SinkVolume.Effect?, _ client: ServiceClient?) {
        switch effect {
        case .show(let level): stream.show(level)
        case .ask(let level, let before):
            ask(client, failed: { .level(.failure($0)) }) { [group = sink.group] client in
                .level(
                    Result { () throws(ServiceClient.Failure) in
                        try SinkRequest.setLevel(level, from: before, of: group, asking: client.ask) { usleep(600_000) }
                    })
            }
        case nil: break
        }
    }

    private func carryOut(_ effects: [SinkPlayback.Effect], _ client: ServiceClient?, at now: Double) {
        for effect in effects {
            switch effect {
            case .ask:
                isAsking = true
                let (input, group) = (input, sink.group)
                ask(client, failed: { .play(.failure($0)) }) { client in
                    .play(
                        Result { () throws(ServiceClient.Failure) in
                            try SinkRequest.play(input, in: group, at: now, asking: client.ask) { usleep(600_000) }
                        })
                }
            case .release(let isArmed): tap.release(isArmed: isArmed)
            case .finish:
                guard !isAsking, finishTrack(client) else {
                    inbox.put { [number] in $0.completions.append(.init(outlet: number, kind: .finish)) }
                    break
                }
            case .abandon: _ = finishTrack(client)
            case .close:
                socket.hangUp()
                logger.info("silent", metadata: name)
            case .report(let reason):
                logger.warning("the service does not play: \(reason)", metadata: name)
            }
        }
    }

    /// Has the service go back to what was interrupted.
    ///
    /// - Returns: whether there is something to be done.
    private func finishTrack(_ client: ServiceClient?) -> Bool {
        guard let track else { return false }
        self.track = nil
        ask(client, failed: { _ in .finish }) { client in
            try? SinkRequest.finish(track, asking: client.ask)
            return .finish
        }
        return true
    }

    /// Asks the service on another thread, and leaves what came of it in the inbox.
    private func ask(
        _ client: ServiceClient?, failed: (ServiceClient.Failure) -> InboxContent.Completion.Kind,
        _ body: @escaping @Sendable (ServiceClient) -> InboxContent.Completion.Kind
    ) {
        let number = number
        guard let client else {
            let kind = failed(.unavailable)
            return inbox.put { $0.completions.append(.init(outlet: number, kind: kind)) }
        }
        queue.async { [inbox] in
            let kind = body(client)
            inbox.put { $0.completions.append(.init(outlet: number, kind: kind)) }
        }
    }
}
