/// When the sound of a sink plays in its group.
///
/// Sound that begins has the service asked to play. The service connects and reads. After a while without sound the
/// connection is closed, which ends the track.
package struct SinkPlayback: Sendable {
    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// The service is asked to play.
        case ask
        /// Sound is not taken any more. The next one begins at any sound, or only after silence.
        case release(isArmed: Bool)
        /// What was interrupted is brought back, and then the connection closed.
        case finish
        /// What was interrupted is brought back, for nobody has come to read.
        case abandon
        /// The connection is closed.
        case close
        /// People are told why nothing plays.
        case report(String)
    }

    package enum State: Sendable, Equatable {
        /// Nothing sounds.
        case quiet
        /// The service was asked at this instant.
        case asking(since: Double)
        /// It plays.
        case playing
        /// Who read is gone since this instant, and may come back: to a track that it has only looked at, or restarted.
        case lost(since: Double)
        /// What was interrupted is being brought back.
        case finishing
    }

    /// Seconds without sound after which it is over.
    package let idle: Double
    /// Seconds in which the service has to connect; and after which it is asked again while sound goes on.
    package static let (patience, pause) = (10.0, 30.0)
    /// Seconds in which who read may come back.
    package static let grace = 5.0

    package private(set) var state = State.quiet
    package private(set) var isConnected = false
    private var wasAsked = false
    private var lastSound = 0.0
    private var retry: Double?

    /// - Parameter idle: seconds without sound after which it is over.
    package init(idle: Double) { self.idle = idle }

    /// When `tick` is to be called though nothing comes in; nil for never.
    package var deadline: Double? {
        switch state {
        case .quiet: isConnected ? lastSound + idle : retry
        case .asking(let since): min(since + Self.patience, lastSound + idle)
        case .playing: lastSound + idle
        case .lost(let since): min(since + Self.grace, lastSound + idle)
        case .finishing: nil
        }
    }

    // MARK: What happens

    /// Sound has begun, and is taken from now on.
    package mutating func soundBegan(at now: Double) -> [Effect] {
        lastSound = now
        guard state == .quiet else { return [] }
        retry = nil
        wasAsked = !isConnected
        state = isConnected ? .playing : .asking(since: now)
        return isConnected ? [] : [.ask]
    }

    /// There was sound.
    package mutating func sounds(at now: Double) { lastSound = now }

    /// Somebody reads.
    package mutating func connected(at now: Double) {
        isConnected = true
        switch state {
        case .asking, .lost: state = .playing
        case .quiet: lastSound = now
        case .playing, .finishing: break
        }
    }

    /// Who read is gone.
    package mutating func disconnected(at now: Double) {
        guard isConnected else { return }
        isConnected = false
        if state == .playing { state = .lost(since: now) }
    }

    /// The service has answered.
    ///
    /// - Parameter failure: why it does not play; nil when it does.
    package mutating func answered(failure: String?, at now: Double) -> [Effect] {
        guard let failure, !isConnected else { return [] }
        switch state {
        case .asking, .lost: return giveUp(failure, at: now)
        case .quiet, .playing, .finishing: return []
        }
    }

    /// What was interrupted is back.
    package mutating func finished(at now: Double) -> [Effect] {
        guard state == .finishing else { return [] }
        return end()
    }

    /// A program has begun to use the sink: what it plays is new.
    package mutating func programCame() -> [Effect] {
        guard state == .quiet else { return [] }
        retry = nil
        return [.release(isArmed: true)]
    }

    /// Time has passed.
    package mutating func tick(at now: Double) -> [Effect] {
        switch state {
        case .quiet:
            if isConnected, now - lastSound >= idle { return end() }
            guard let retry, now >= retry else { return [] }
            self.retry = nil
            return [.release(isArmed: true)]
        case .asking(let since):
            if now - lastSound >= idle { return [.abandon] + end() }
            guard now - since >= Self.patience else { return [] }
            return [.abandon] + giveUp("it has not connected to the sink's socket", at: now)
        case .playing:
            guard now - lastSound >= idle else { return [] }
            guard wasAsked else { return end() }
            state = .finishing
            return [.release(isArmed: true), .finish]
        case .lost(let since):
            if now - lastSound >= idle { return [.abandon] + end() }
            guard now - since >= Self.grace else { return [] }
            // The track is over, or somebody plays something else: they keep the group.
            state = .quiet
            return [.release(isArmed: false)]
        case .finishing: return []
        }
    }

    private mutating func giveUp(_ reason: String, at now: Double) -> [Effect] {
        state = .quiet
        retry = now + Self.pause
        return [.release(isArmed: false), .report(reason)]
    }

    private mutating func end() -> [Effect] {
        let wasConnected = isConnected
        (state, isConnected) = (.quiet, false)
        return [.release(isArmed: true)] + (wasConnected ? [.close] : [])
    }
}
