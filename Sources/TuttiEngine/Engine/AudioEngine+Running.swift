import Synchronization

extension AudioEngine {
    /// Whether it renders when it is asked to.
    public var isRunning: Bool { state.withLock { $0.run == .running } }

    /// Whether nodes have been made ready: while it runs or pauses.
    var isPrepared: Bool { state.withLock { $0.run != .stopped } }

    /// Starts, or goes on after `pause`; a running engine stays as it is.
    ///
    /// - Throws: `noOutput`, `unconnected`, `formatMismatch`, `fanOutAcrossRates`, `invalidEffect`, `outputFailed`.
    public func start() throws(AudioEngineError) {
        try state.withLock { state throws(AudioEngineError) in
            guard state.run != .running else { return }
            var draft = state
            if draft.run == .paused, core.reopen() {
                draft.run = .running
            } else {
                draft.edges = [:]
                for tap in draft.taps.values { tap.restart() }
                let plan = try prepare(&draft, isStart: true)
                core.shared.pointee.sampleTime.store(0, ordering: .releasing)
                plan.restartClocks()
                core.open(plan)
                draft.run = .running
            }
            do throws(AudioEngineError) {
                try startOutput(draft)
            } catch {
                core.close()
                core.release()
                state.run = .stopped
                throw error
            }
            if draft.manual?.mode != .offline { draft.worker = EngineWorker(self) }
            state = draft
        }
    }

    private func startOutput(_ state: State) throws(AudioEngineError) {
        guard state.manual == nil, let output = state.output, let (_, capacity) = Self.renderFormat(state) else {
            return
        }
        let core = core
        do {
            try output.start { frameCount, planes in
                let count = min(frameCount, capacity)
                _ = core.render(count, into: planes)
                planes.clear(from: count, frames: frameCount - count)
            }
        } catch {
            throw .outputFailed("\(error)")
        }
    }

    /// Renders nothing until `start`; everything stays ready.
    public func pause() {
        state.withLock { state in
            guard state.run == .running else { return }
            halt(&state)
            state.run = .paused
        }
    }

    /// Stops. Players keep what they have not played.
    public func stop() {
        let nodes = state.withLock { state -> [AudioNode] in
            guard state.run != .stopped else { return [] }
            halt(&state)
            collecting.withLock { _ in core.release() }
            state.run = .stopped
            return state.ordered
        }
        deliver(nodes, at: nil)
        for node in nodes { for call in node.settle() { call() } }
        deliverLeft()
    }

    /// Lets all effects forget what they have heard.
    public func reset() {
        state.withLock { state in
            core.close()
            for node in state.ordered { node.unit?.reset() }
            for edge in state.edges.values { edge.reset() }
            if state.run == .running { _ = core.reopen() }
        }
    }

    private func halt(_ state: inout State) {
        state.worker?.end()
        state.worker = nil
        if state.manual == nil { state.output?.stop() }
        core.close()
    }

    // MARK: Housekeeping

    /// Reads files ahead, and delivers what has been rendered.
    package func keepHouse() {
        let nodes = state.withLock { $0.ordered }
        for node in nodes { node.feed(isOffline: false) }
        collect(nodes)
        deliver(nodes, at: core.shared.pointee.sampleTime.load(ordering: .acquiring))
    }

    func collect(_ nodes: [AudioNode]) {
        collecting.withLock { _ in
            core.collect()
            for node in nodes { node.unit?.collect() }
        }
    }

    /// Calls handlers of taps and of players.
    ///
    /// - Parameter time: frames rendered; nil when there will be no more.
    func deliver(_ nodes: [AudioNode], at time: Int64?) {
        let (taps, isOffline) = state.withLock { state in
            (state.taps.sorted { $0.key < $1.key }.map(\.value), state.manual?.mode == .offline)
        }
        for tap in taps { tap.deliver(all: isOffline || time == nil) }
        for node in nodes { for call in node.completions(at: time) { call() } }
        deliverLeft()
    }

    /// Calls the handlers of nodes that were detached, once nothing of them is heard.
    func deliverLeft() {
        let settled = state.withLock { state -> [AudioNode] in
            guard !state.leaving.isEmpty else { return [] }
            let settled = state.leaving.filter { $0.isAtRest && $0.engine !== self }
            state.leaving.removeAll { $0.isAtRest || $0.engine === self }
            return settled
        }
        for node in settled { for call in node.settle() { call() } }
    }
}
