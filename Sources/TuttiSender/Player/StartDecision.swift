package import TuttiRooms

/// What becomes of a start, by how far the rooms are connected.
package enum StartDecision {
    /// Rooms have still to answer.
    case wait
    /// It cannot start.
    case fail(SenderError)
    /// It starts without `missing`; `late` rooms have answered and join when they can.
    case start(late: [any GroupRoom], missing: [any GroupRoom])

    /// - Parameters:
    ///   - rooms: at least one.
    ///   - isLate: whether the time is over in which all rooms must have answered.
    ///   - isTooLate: whether nobody is waited for any more.
    ///   - allowsMissing: whether to play in the rooms that answer when others do not.
    package init(of rooms: [any GroupRoom], isLate: Bool, isTooLate: Bool, allowsMissing: Bool) {
        precondition(!rooms.isEmpty, "a start without rooms")
        let absent = rooms.filter { !$0.isUp }
        let missing = absent.filter { $0.link == .refused || isLate && !$0.isAnswering }
        let isNobodyThere = missing.count == rooms.count || isTooLate && absent.count == rooms.count
        if let room = missing.first ?? absent.first, isNobodyThere || !allowsMissing && !missing.isEmpty {
            let reason = "no answer from \(room.address.endpoint); check the address and the network"
            self = .fail(room.problem ?? .roomUnreachable(room.label, reason: reason))
        } else if absent.count == rooms.count || !isLate && !absent.allSatisfy({ $0.link == .refused }) {
            // Those that take their time join late; but somebody has to be there.
            self = .wait
        } else {
            self = .start(late: absent.filter { isLate && $0.isAnswering }, missing: missing)
        }
    }
}
