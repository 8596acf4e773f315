/// What is to be retained on a broker, what it has, and what therefore is to be published: changes only, and none more
/// often than its topic may change.
///
/// Every mutation takes `now`, in seconds of a clock that runs evenly. `due` gives what is to be published; what it has
/// given counts as published.
package struct RetainedTopics: Sendable, Equatable {
    /// A message to be retained. An empty payload removes what is there.
    package struct Message: Sendable, Equatable {
        package var topic: String
        package var payload: [UInt8]

        package init(topic: String, payload: [UInt8]) { (self.topic, self.payload) = (topic, payload) }
    }

    /// What comes first when much is due: an entity's configuration before its values, and whether it can be used last.
    package enum Rank: Int, Sendable, Comparable {
        case configuration, value, availability

        package static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Wanted: Equatable {
        var payload: [UInt8]
        var rank: Rank
        var pause: Double
    }

    private struct Sent: Equatable {
        var payload: [UInt8]
        var time: Double
        /// Seconds until the next change, at least.
        var pause: Double
    }

    private var wanted: [String: Wanted] = [:]
    private var sent: [String: Sent] = [:]
    private var removed: Set<String> = []

    /// Nothing is wanted, and the broker has nothing.
    package init() {}

    /// Wants a topic to have a value.
    ///
    /// - Parameter pause: seconds between two changes, at least; of two values with different ones, the lesser counts.
    package mutating func want(_ topic: String, _ payload: [UInt8], _ rank: Rank = .value, every pause: Double) {
        wanted[topic] = Wanted(payload: payload, rank: rank, pause: pause)
        removed.remove(topic)
    }

    /// Wants a topic to be empty, whether the broker has something there or not.
    package mutating func remove(_ topic: String) {
        wanted[topic] = nil
        removed.insert(topic)
    }

    /// Whether a topic is to have a value.
    package func wants(_ topic: String) -> Bool { wanted[topic] != nil }

    /// The broker may have lost everything: all of it is to be published again.
    package mutating func forget() { sent = [:] }

    /// What is to be published now, in this order.
    package mutating func due(at now: Double) -> [Message] {
        let changed = wanted.filter { topic, value in
            guard let last = sent[topic] else { return true }
            return last.payload != value.payload && now - last.time >= min(last.pause, value.pause)
        }
        let messages =
            removed.sorted().map { Message(topic: $0, payload: []) }
            + changed.sorted { ($0.value.rank, $0.key) < ($1.value.rank, $1.key) }
            .map { Message(topic: $0.key, payload: $0.value.payload) }
        for topic in removed { sent[topic] = nil }
        removed = []
        for (topic, value) in changed {
            sent[topic] = Sent(payload: value.payload, time: now, pause: value.pause)
        }
        return messages
    }

    /// When something will be due that is not yet; nil if nothing waits.
    package func nextDue() -> Double? {
        if !removed.isEmpty { return -.infinity }
        return wanted.compactMap { topic, value -> Double? in
            guard let last = sent[topic] else { return -.infinity }
            return last.payload == value.payload ? nil : last.time + min(last.pause, value.pause)
        }.min()
    }
}
