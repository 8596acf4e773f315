/// Memory and credit have bounds: rooms hold no more than they have room for, senders send no more than they were
/// granted and keep no more than they set themselves.
package struct BoundedMemory: Invariant {
    package static let name = "bounds"

    /// What a connection may hold that has not left, in bytes: back-pressure begins far below.
    static let waiting: Int64 = 8 << 20
    /// What a room may hold beyond its bound: the packet that a grant was just enough for.
    static let packet: Int64 = 1 << 20

    package init(_ scenario: Scenario) {}

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        var violations: [Violation] = []
        for room in now.rooms where room.bufferedBytes > room.bufferBytes + Self.packet {
            violations.append(
                Self.violation(
                    now.at, .speaker(room.name),
                    "buffers \(room.bufferedBytes) bytes; its limit is \(room.bufferBytes)"))
        }
        for sender in now.senders {
            let machine = Machine.sender(sender.name)
            for group in sender.groups {
                if group.logBytes > group.logLimit {
                    violations.append(
                        Self.violation(
                            now.at, machine,
                            "keeps \(group.logBytes) bytes for \(group.name); its limit is \(group.logLimit)"))
                }
                for connection in group.connections {
                    violations += Self.check(connection).map { Self.violation(now.at, machine, $0) }
                }
            }
        }
        return violations
    }

    private static func check(_ connection: ConnectionObservation) -> [String] {
        var messages: [String] = []
        if connection.sent > connection.granted {
            messages.append(
                "sent \(connection.sent) bytes to \(connection.room), which granted only \(connection.granted)")
        }
        if connection.waiting > waiting {
            messages.append("has \(connection.waiting) bytes waiting for \(connection.room); the limit is \(waiting)")
        }
        return messages
    }
}
