import TuttiCore

/// The newest word that was heard of each leader, so that an older one, which may have come from here, is known for what it is.
struct LeaderMemory: Sendable {
    /// Leaders that are remembered at most; the one silent for longest goes first.
    private static let capacity = 32
    /// Nanoseconds after which a word tells nothing any more: long before counts of milliseconds come round.
    private static let span: Int64 = 86_400_000_000_000

    private struct Word: Sendable {
        var beat: UInt32
        var heardAt: HostTime
    }

    private var words: [UInt32: Word] = [:]

    /// Whether the leader has said that later than anything heard of it so far.
    func isNews(_ descent: ClockDescent, now: HostTime) -> Bool {
        guard let word = words[descent.leader], now.nanoseconds(since: word.heardAt) < Self.span else { return true }
        return descent.isNewer(than: word.beat)
    }

    /// What `leader` said up to `beat` is no news from now on.
    mutating func note(_ leader: UInt32, upTo beat: UInt32, now: HostTime) {
        let descent = ClockDescent(losses: 0, leader: leader, beat: beat)
        guard isNews(descent, now: now) else { return }
        words[leader] = Word(beat: beat, heardAt: now)
        guard words.count > Self.capacity else { return }
        let oldest = words.min { ($0.value.heardAt, $0.key) < ($1.value.heardAt, $1.key) }
        if let oldest { words[oldest.key] = nil }
    }
}
