import Synchronization
import TuttiCore
public import TuttiPlayback

extension AudioRenderer {
    /// How long after a change of routes the old one is let go, in ns: its fade, and some.
    private static let retirement: Int64 = 100_000_000

    /// Where the renderer plays.
    public var route: PlaybackRoute { state.withLock { $0.route } }

    /// Plays on another route. What is held is handed over, so that nothing needs to be enqueued again; while playing,
    /// the new route takes over from the old one at one instant, with a crossfade of 8 ms.
    ///
    /// - Throws: `otherClock` for a route on another clock, `output` when the route cannot be opened; the renderer then
    ///   plays on where it did.
    public func setRoute(_ route: PlaybackRoute) throws(PlaybackError) {
        guard route.clock === clock else { throw .otherClock }
        let isAttached = state.withLock { state in
            if !state.isAttached { state.change(to: route) }
            return state.isAttached
        }
        if isAttached {
            let opened = try open(route)
            let unused = state.withLock { state -> (any RoutePort)? in
                guard state.isAttached else { return opened.port }
                takeOver(opened, route, &state)
                return nil
            }
            unused?.close()
        }
        broadcaster.send(.routeChanged(route.kind))
        update()
    }

    private func open(_ route: PlaybackRoute) throws(PlaybackError) -> (port: ProcessingPort, number: Int) {
        let number = state.withLock { state in
            state.portNumber += 1
            return state.portNumber
        }
        let port = try route.open { [weak self] event in self?.handle(event, ofPort: number) }
        return (ProcessingPort(port, clock: clock), number)
    }

    private func takeOver(
        _ opened: (port: ProcessingPort, number: Int), _ route: PlaybackRoute, _ state: inout State
    ) {
        let port = opened.port
        let now = clock.now()
        state.timeline.advance(to: now)
        let lead = state.port == nil ? 0 : max(port.startLead, state.port?.stopLead ?? 0)
        let instant = now.advanced(byNanoseconds: lead)
        let line = state.timeline.line(at: instant)
        let media = state.timeline.time(at: instant)
        state.load(port)
        let old = state.port
        state.port = port
        state.portNumber = opened.number
        // Its device may have gone while it was opened.
        if state.lostPort == opened.number { state.setRoute(route) } else { state.change(to: route) }
        state.applyGain(rampMilliseconds: 0)
        let group = HostTimeline.group(instant)
        port.set(line.rate > 0 ? Timebase(rate: line.rate, mediaTime: media, groupTime: group) : line)
        for next in state.timeline.lines(at: now) where next.groupTime.nanoseconds > instant.nanoseconds {
            port.set(next)
        }
        guard let old else { return }
        old.set(Timebase(rate: 0, mediaTime: media, groupTime: group))
        state.retiring.append(RetiringPort(port: old, instant: instant))
        clock.schedule(at: instant.advanced(byNanoseconds: Self.retirement)) { [weak self] in
            self?.retire(old)
        }
    }

    private func retire(_ port: any RoutePort) {
        state.withLock { state in state.retiring.removeAll { $0.port === port } }
        port.close()
    }

    // MARK: For the synchronizer

    /// Opens the output and plays on `timeline`.
    ///
    /// - Parameter start: media time from which on to play; nil for wherever the timeline stands.
    func attach(to timeline: HostTimeline, from start: MediaTime?) throws(PlaybackError) {
        let (isTaken, route) = state.withLock { state in
            defer { state.isAttached = true }
            return (state.isAttached, state.route)
        }
        if isTaken { throw .alreadyAttached }
        do throws(PlaybackError) {
            let opened = try open(route)
            state.withLock { state in
                state.timeline = timeline
                state.rate = timeline.line(at: clock.now()).rate
                takeOver(opened, route, &state)
                if let start, let instant = timeline.instant(of: start, now: clock.now()) {
                    let line = timeline.line(at: instant)
                    opened.port.set(
                        Timebase(rate: line.rate, mediaTime: start, groupTime: HostTimeline.group(instant)))
                }
            }
        } catch {
            state.withLock { state in
                state.isAttached = false
                (state.status, state.error) = (.failed, error)
            }
            throw error
        }
        update()
    }

    /// Lets the output go. What is held stays.
    func detach() {
        let ports = state.withLock { state in
            defer {
                state.port = nil
                state.retiring = []
                state.portNumber += 1
                state.isAttached = false
                state.timeline = HostTimeline(now: clock.now())
            }
            return state.retiring.map(\.port) + [state.port].compactMap(\.self)
        }
        for port in ports { port.close() }
        update()
    }

    /// Follows the synchronizer's line; `news` is what the route has yet to know of it. A change from one rate to
    /// another flushes.
    func follow(_ timeline: HostTimeline, news: [Timebase]) {
        let restart = state.withLock { state -> MediaTime? in
            var restart: MediaTime?
            state.timeline = timeline
            for line in news {
                if state.isChange(to: line.rate) {
                    _ = state.core.flush()
                    state.port?.forget()
                    restart = line.mediaTime
                }
                state.rate = line.rate
                for retiring in state.retiring where line.groupTime.nanoseconds < retiring.instant.nanoseconds {
                    retiring.port.set(Timebase(rate: 0, mediaTime: line.mediaTime, groupTime: line.groupTime))
                }
                state.port?.set(line)
            }
            return restart
        }
        if let restart { broadcaster.send(.flushedAutomatically(at: restart, reason: .rateChanged)) }
        update()
    }

    /// Falls silent at a media time; gives the instant of that, nil when it is not reached by what is known.
    func stop(at time: MediaTime) -> HostTime? {
        state.withLock { state in
            guard let instant = state.timeline.instant(of: time, now: clock.now()) else { return nil }
            state.port?.set(Timebase(rate: 0, mediaTime: time, groupTime: HostTimeline.group(instant)))
            return instant
        }
    }

    /// How long before its instant a command must be known for the output to keep to it, in ns.
    func lead(forRate rate: Double) -> Int64 {
        state.withLock { state in
            guard let port = state.port else { return 0 }
            guard rate > 0 else { return port.stopLead }
            // What is enqueued again for another rate is to be there by then.
            return state.isChange(to: rate) ? max(port.startLead, port.handoverLead) : port.startLead
        }
    }

    /// How long before its instant the output wants to know of a line that follows a running one, in ns.
    var handoverLead: Int64 { state.withLock { $0.port?.handoverLead ?? 0 } }

    // MARK: What the port says

    private func handle(_ event: RoutePortEvent, ofPort number: Int) {
        switch event {
        case .lost(let error):
            flushAutomatically(.deviceLost, ofPort: number) { state in
                state.lostPort = number
                state.fail(error)
            }
        case .restored:
            let isCurrent = state.withLock { state in
                guard state.portNumber == number else { return false }
                state.lostPort = 0
                state.recover()
                return true
            }
            if isCurrent { broadcaster.send(.deviceReturned) }
        case .suspended:
            let port = state.withLock { state -> (any RoutePort)? in
                guard state.portNumber == number else { return nil }
                defer { (state.port, state.isSuspended) = (nil, true) }
                return state.port
            }
            port?.close()
        case .resumed: resume(ofPort: number)
        case .room(let name, let event, let message):
            let isCurrent = self.state.withLock { $0.portNumber == number }
            if isCurrent { broadcaster.send(.room(name: name, RoomChange(event, message: message))) }
        }
    }

    private func resume(ofPort number: Int) {
        let route = state.withLock { state -> PlaybackRoute? in
            guard state.portNumber == number, state.isSuspended, state.isAttached else { return nil }
            state.isSuspended = false
            return state.route
        }
        guard let route else { return }
        do throws(PlaybackError) {
            let opened = try open(route)
            flushAutomatically(.reconfigured, ofPort: opened.number) { [self] in takeOver(opened, route, &$0) }
        } catch {
            state.withLock { $0.fail(error) }
        }
    }

    /// Drops what is held, says so, and asks for data again.
    private func flushAutomatically(
        _ reason: AudioRendererEvent.FlushReason, ofPort number: Int, _ change: (inout State) -> Void
    ) {
        let time = state.withLock { state -> MediaTime? in
            guard state.portNumber == number else { return nil }
            let effects = state.core.flush()
            state.perform(effects)
            change(&state)
            return state.timeline.time(at: clock.now())
        }
        guard let time else { return }
        broadcaster.send(.flushedAutomatically(at: time, reason: reason))
        update()
    }
}

extension AudioRenderer.State {
    /// Whether the programme runs and goes on at another rate.
    fileprivate func isChange(to newRate: Double) -> Bool { rate > 0 && newRate > 0 && newRate != rate }

    fileprivate mutating func change(to newRoute: PlaybackRoute) {
        setRoute(newRoute)
        recover()
    }

    fileprivate mutating func setRoute(_ newRoute: PlaybackRoute) {
        route = newRoute
        core.setTraits(newRoute.traits)
    }

    fileprivate mutating func fail(_ reason: PlaybackError) { (status, error) = (.failed, reason) }

    fileprivate mutating func recover() {
        if status == .failed { (status, error) = (.rendering, nil) }
    }

    /// Gives a new port what is held, wherever the programme stands: it may go back to it.
    fileprivate func load(_ port: any RoutePort) {
        for buffer in core.buffers(from: .zero) { port.insert(buffer) }
        if let end = core.end { port.setEnd(end) }
    }
}
