import TuttiCore

/// A sender's place at a speaker.
package enum Seat: Sendable, Hashable {
    /// The one whose programme the room plays.
    case owner
    /// One beside it whose sound is mixed in: 0 ..< `WireLimits.guests`.
    case guest(Int)

    /// A guest's number.
    var guest: Int? { if case .guest(let number) = self { number } else { nil } }

    /// The places that a sender of this policy may take, in order.
    static func places(for policy: RouteSharingPolicy) -> [Seat] {
        switch policy {
        case .longForm: [.owner]
        case .default: (0..<WireLimits.guests).map { .guest($0) }
        }
    }
}
