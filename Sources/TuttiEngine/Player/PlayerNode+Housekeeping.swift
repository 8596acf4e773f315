import Synchronization

/// What the engine does for players outside of the render thread.
extension PlayerNode {
    /// Entries looked at for files that are to be read.
    private static let feedWindow = 256
    /// Seconds of a file that are ready where nobody waits for a render call.
    private static let feedAhead = 0.5

    func beginPlan() { state.withLock { $0.plans += 1 } }
    func endPlan() { state.withLock { $0.plans -= 1 } }

    /// Reads files until `target` frames of the schedule are ready, and the beginnings of entries that interrupt.
    func fill(isOffline: Bool) {
        guard let unit else { return }
        let format = unit.shape.format
        let least = unit.shape.capacity + 64
        let target = isOffline ? least : max(2 * least, Int(Double(format.sampleRate) * Self.feedAhead))
        feeding.withLock { last in
            let entries = state.withLock { $0.live.prefix(Self.feedWindow) }
            var missing = target
            for (index, entry) in entries.enumerated() where missing > 0 || entry.interrupts {
                if let feed = entry.feed {
                    if !feed.isComplete, feed.readyFrames < target {
                        if last !== feed { feed.displace() }
                        last = feed
                        feed.fill(target, format: format)
                    }
                    missing -= feed.readyFrames
                } else if index > 0 {
                    // Of the first one nobody here knows how much is left.
                    missing -= entry.frameCount
                }
                if entry.loops { missing = 0 }
            }
        }
    }

    /// Calls that are due, in the order of the schedule.
    func dueCalls(at engineTime: Int64?) -> [@Sendable () -> Void] {
        let latency = Int64(attachment.withLock { $0.latencyToOutput })
        return state.withLock { state in
            var calls: [@Sendable () -> Void] = []
            while let pointer = shared.pointee.finished.pop() {
                let entry = Unmanaged<PlayerEntry>.fromOpaque(pointer).takeRetainedValue()
                if let index = state.live.firstIndex(where: { $0 === entry }) { state.live.remove(at: index) }
                if let failure = entry.feed?.failure { state.failure = failure }
                guard let completion = entry.completion else { continue }
                if completion.kind == .dataPlayedBack {
                    let end = entry.end.load(ordering: .relaxed)
                    state.awaiting.append((entry, end + latency))
                } else {
                    calls.append { completion.handler(completion.kind) }
                }
            }
            state.awaiting.removeAll { entry, due in
                guard engineTime.map({ due <= $0 }) ?? true else { return false }
                if let completion = entry.completion { calls.append { completion.handler(completion.kind) } }
                return true
            }
            return calls
        }
    }

    /// Does what a stop asks for where no plan has the player, and gives the calls that are due then.
    func flush() -> [@Sendable () -> Void] {
        let isAtRest = state.withLock { state in
            if state.plans == 0 { voice.pointer.pointee.obeyAtRest() }
            return state.plans == 0
        }
        return isAtRest ? dueCalls(at: nil) : []
    }
}
