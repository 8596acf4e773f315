import TuttiClock
package import TuttiCore
package import TuttiHost

/// How speakers that see one another on the network come to share one clock before anybody plays.
///
/// Each decides by itself, from what all make known: who knows no clock joins the one that most know; where nobody
/// knows any the first of them begins one, wired ones before wireless ones; and of two clocks the smaller circle joins
/// the larger. Nobody is asked, and nothing is sent for it. It holds while nothing is played and no sender is here: a
/// sender's order counts for more.
package struct ClockCircle: Sendable {
    /// What is to be done.
    package enum Decision: Sendable, Equatable {
        /// Nothing.
        case stay
        /// A clock is to be begun.
        case lead
        /// A clock is to be shared, or the one that is shared has new members.
        case join(Order)
    }

    /// The members of a clock, seen from one of them.
    package struct Order: Sendable, Equatable {
        package var timescale: TimescaleID
        package var origin: String
        /// Those before this speaker, whoever is asked first at the front.
        package var parents: [ClockNeighbour]
        /// Those behind it.
        package var behind: [ClockNeighbour]
    }

    /// This speaker.
    private let id: String
    package let isWireless: Bool

    /// How many others a member names at most, before itself and behind: enough to find the clock again when some are
    /// gone.
    package static let names = 16
    /// How many ask the same member at most where all name one another. In houses of more the time is handed on.
    static let askers = 16
    /// For how long, in nanoseconds, those before this speaker are given to begin a clock, each.
    package static let courtesy: Int64 = 3_000_000_000

    /// A speaker of this id and link.
    package init(id: String, isWireless: Bool) { (self.id, self.isWireless) = (id, isWireless) }

    /// What is to be done.
    ///
    /// - Parameters:
    ///   - part: the clock that this speaker knows.
    ///   - known: where the members are that it can ask already.
    ///   - neighbours: the other speakers.
    ///   - waited: nanoseconds since all that were there had been seen.
    package func decision(
        part: ClockNeighbour.Part?, known: Set<SocketAddress>, neighbours: [ClockNeighbour], waited: Int64
    ) -> Decision {
        let clocks = neighbours.compactMap(\.part?.timescale) + (part.map { [$0.timescale] } ?? [])
        guard let best = SharedClock.best(of: clocks) else {
            return mayLead(neighbours, waited: waited) ? .lead : .stay
        }
        guard part?.timescale == best else { return join(best, neighbours) }
        let isComplete = neighbours.allSatisfy { $0.part?.timescale != best || known.contains($0.address) }
        return isComplete || known.count >= Self.names ? .stay : join(best, neighbours)
    }

    private func mayLead(_ neighbours: [ClockNeighbour], waited: Int64) -> Bool {
        guard !neighbours.isEmpty else { return false }
        let before = neighbours.count { ($0.isWireless ? 1 : 0, $0.id) < (isWireless ? 1 : 0, id) }
        return waited >= Int64(before) * Self.courtesy
    }

    private func join(_ timescale: TimescaleID, _ neighbours: [ClockNeighbour]) -> Decision {
        let members = neighbours.filter { $0.part?.timescale == timescale }.sorted { Self.place($0) < Self.place($1) }
        guard let first = members.first?.part else { return .stay }
        // Whoever joins leads nothing, and its place among the others is that of its link and its id.
        let position = members.count { Self.place($0) < (1, isWireless ? 1 : 0, id) }
        let parent = max(position - 1, 0) / Self.askers
        var parents = Array(members.prefix(position))
        if parents.indices.contains(parent) { parents.insert(parents.remove(at: parent), at: 0) }
        return .join(
            Order(
                timescale: timescale, origin: first.origin, parents: Array(parents.prefix(Self.names)),
                behind: Array(members.dropFirst(position).prefix(Self.names))))
    }

    private static func place(_ member: ClockNeighbour) -> (Int, Int, String) {
        (member.part?.isLeading == true ? 0 : 1, member.isWireless ? 1 : 0, member.id)
    }
}
