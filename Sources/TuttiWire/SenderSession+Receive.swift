package import TuttiCore

extension SenderSession {
    /// Bytes have arrived on the control connection.
    package mutating func controlReceived(_ bytes: [UInt8], now: HostTime) -> [SenderEffect] {
        guard phase != .closed else { return [] }
        lastHeard = now
        controlDecoder.append(bytes)
        var effects: [SenderEffect] = []
        do throws(WireError) {
            while phase != .closed, let frame = try controlDecoder.next() {
                guard case .control(let body) = frame else {
                    throw .unexpectedMessage(type: "media", reason: "speakers send no media")
                }
                effects += try handle(ControlMessage(parsing: body), now: now)
            }
        } catch {
            reset()
            effects.append(.close(reason: error.description))
        }
        return effects
    }

    /// Bytes have arrived on the media connection: nothing but a refusal is legal there.
    package mutating func mediaReceived(_ bytes: [UInt8], now: HostTime) -> [SenderEffect] {
        guard phase != .closed else { return [] }
        mediaDecoder.append(bytes)
        do throws(WireError) {
            guard let frame = try mediaDecoder.next() else { return [] }
            guard case .control(let body) = frame,
                case .failure(let code, let message) = try ControlMessage(parsing: body)
            else { throw .unexpectedMessage(type: "media", reason: "speakers send no media") }
            reset()
            return [.refused(code: code, message: message), .close(reason: message)]
        } catch {
            reset()
            return [.close(reason: error.description)]
        }
    }

    private mutating func handle(_ message: ControlMessage, now: HostTime) throws(WireError) -> [SenderEffect] {
        switch message {
        case .welcome(let welcome): return try greeted(welcome, now: now)
        case .failure(let code, let message):
            reset()
            return [.refused(code: code, message: message), .close(reason: message)]
        case .unsupported: return []
        case .unknown(let type): return send(.unsupported(type: type), now: now)
        default: break
        }
        guard case .welcomed = phase else {
            throw .unexpectedMessage(type: message.type, reason: "welcome must come first")
        }
        switch message {
        case .credit(let credit):
            self.credit = Credit(bytes: max(credit.bytes, self.credit?.bytes ?? 0), horizon: credit.horizon)
            // Where sending goes on is known only once the flush is answered.
            return isFlushing ? [] : [.creditGranted]
        case .status(let status): return [.status(status)]
        case .trust(let trust): return peerID != nil ? [.trust(trust)] : []
        case .cardFit(let fit): return [.cardFit(fit)]
        case .event(let kind, let message): return [.event(kind: kind, message: message)]
        case .flushed(let generation, let loaded):
            guard isFlushing, generation == self.generation else { return [] }
            isFlushing = false
            unanswered = []
            return [.flushed(loaded: loaded)]
        default:
            throw .unexpectedMessage(type: message.type, reason: "speakers do not send this")
        }
    }

    /// The speaker has answered. Of audio that is of an older generation than the sender's it drops what the flushes
    /// since then were about. What is of a newer one, the shell has to flush.
    private mutating func greeted(_ welcome: Welcome, now: HostTime) throws(WireError) -> [SenderEffect] {
        guard phase == .greeting else {
            throw .unexpectedMessage(type: "welcome", reason: "it must come only once")
        }
        guard welcome.version == version else {
            throw .versionMismatch(theirs: welcome.version, ours: version)
        }
        phase = .welcomed(mediaIsOpen: false)
        self.welcome = welcome
        isClaim = false
        let missed = Int32(bitPattern: generation &- welcome.generation)
        isBehind = missed < 0
        if missed < 0 { generation = welcome.generation }
        guard missed > 0 else {
            unanswered = []
            return [.openMedia(welcome)]
        }
        let time = firstPlace(ofLast: Int(missed))
        let loaded = time.map { welcome.loaded.before($0) } ?? []
        self.welcome?.loaded = loaded
        var answer = welcome
        answer.loaded = loaded
        return flush(from: time, now: now) + [.openMedia(answer)]
    }

    /// The first place that the last `count` flushes were about; nil for everything, which it is when they are not all
    /// known.
    private func firstPlace(ofLast count: Int) -> MediaTime? {
        let missed = unanswered.suffix(count)
        guard missed.count == count, missed.first?.generation == generation &- UInt32(count) &+ 1 else { return nil }
        var first: MediaTime?
        for flush in missed {
            guard let from = flush.from else { return nil }
            first = min(first ?? from, from)
        }
        return first
    }

    /// Where sending resumes: the end of the loaded range that holds `playhead`, or the playhead itself.
    package static func resumePoint(after loaded: [TimeRange], playhead: MediaTime) -> MediaTime {
        loaded.coalesced().first { $0.contains(playhead) }?.end ?? playhead
    }
}
