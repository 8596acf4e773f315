/// Who waits for a player's start and its end, and how it ended.
struct PlayerCompletion {
    /// How it ended, once it has.
    private(set) var outcome: PlayerOutcome?
    /// Whether it was stopped while there was something left.
    var wasStopped = false
    /// What stays of the queue, once it is over.
    var remains: PlayerRecord?
    private var ending: CheckedContinuation<PlayerOutcome, Never>?
    private var starters: [CheckedContinuation<Void, Never>] = []

    /// Whether it ended before its queue was over.
    var wasCutShort: Bool { outcome.map { $0.error != nil || wasStopped } ?? false }

    /// Resumes `continuation` when it ends.
    mutating func awaitEnd(_ continuation: CheckedContinuation<PlayerOutcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { ending = continuation }
    }

    /// Resumes `continuation` when it starts, or ends.
    mutating func awaitStart(_ continuation: CheckedContinuation<Void, Never>) { starters.append(continuation) }

    /// It has started.
    mutating func started() {
        for starter in starters { starter.resume() }
        starters = []
    }

    /// It is over.
    mutating func conclude(_ outcome: PlayerOutcome) {
        precondition(self.outcome == nil, "a player ends once")
        self.outcome = outcome
    }

    /// Resumes who waits for the end, once all watchers have been told of it.
    mutating func release() {
        guard let outcome else { return }
        ending?.resume(returning: outcome)
        ending = nil
    }
}
