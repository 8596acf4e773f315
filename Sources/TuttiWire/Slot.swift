import TuttiCore

/// A sender's place at a speaker.
package enum Slot: Sendable, Hashable {
    /// The one whose programme the room plays.
    case owner
    /// One beside it whose sound is mixed in: 0 ..< `WireLimits.overlays`.
    case overlay(Int)

    /// An overlay's number.
    var overlay: Int? { if case .overlay(let number) = self { number } else { nil } }

    /// The places that a sender of this policy may take, in order.
    static func places(for policy: RouteSharingPolicy) -> [Slot] {
        switch policy {
        case .longForm: [.owner]
        case .default: (0..<WireLimits.overlays).map { .overlay($0) }
        }
    }
}
