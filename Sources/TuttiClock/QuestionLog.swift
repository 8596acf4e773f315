package import TuttiCore

/// When each of the others has asked last: one that follows does so all the time.
package struct QuestionLog<Address: Hashable & Sendable>: Sendable {
    /// Nanoseconds without a question after which another may not be following.
    private static var silence: Int64 { 2_000_000_000 }

    private var asked: [Address: HostTime] = [:]
    /// When one of these may have been missing for long enough; nil while nobody asks.
    private var nextMiss: HostTime?

    /// Nobody has asked.
    package init() {}

    /// Somebody asks.
    package mutating func note(_ address: Address, now: HostTime) {
        asked[address] = now
        nextMiss = nextMiss ?? now.advanced(byNanoseconds: Self.silence)
    }

    /// Whether this one asks all the time.
    package func isFollowing(_ address: Address, now: HostTime) -> Bool {
        asked[address].map { now.nanoseconds(since: $0) < Self.silence } ?? false
    }

    /// Forgets all others.
    package mutating func keep(_ addresses: [Address]) { asked = asked.filter { addresses.contains($0.key) } }

    /// Those of `addresses` that asked all the time, and do no more; each is named once.
    package mutating func takeMissing(of addresses: [Address], now: HostTime) -> [Address] {
        guard let due = nextMiss, due <= now else { return [] }
        let missing = addresses.filter { asked[$0] != nil && !isFollowing($0, now: now) }
        for address in missing { asked[address] = nil }
        nextMiss = asked.values.min().map { $0.advanced(byNanoseconds: Self.silence) }
        return missing
    }
}
