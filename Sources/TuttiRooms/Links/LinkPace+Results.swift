package import TuttiCore

/// What is known of a link.
extension LinkPace {
    /// Bytes a second that the link is taken to carry; nil where that is plenty.
    package var capacity: Double? { phase == .climbing || rate >= Self.ample ? nil : rate }

    /// Whether next to nothing is to be sent until what waits is through.
    package var isDraining: Bool { if case .draining = phase { true } else { false } }

    /// Bytes a second to be sent at most.
    ///
    /// - Parameters:
    ///   - share: of what the link carries.
    ///   - least: as many in any case, where the link carries them, or may: who begins beside many would otherwise be
    ///     sent less than is played.
    package func limit(share: Double, least: Double = 0) -> Double {
        precondition(share > 0 && share <= 1, "a share is above 0 and at most 1")
        precondition(rate >= 0 && rate.isFinite, "a link carries a number of bytes a second")
        return switch phase {
        case .climbing: max(rate, min(least, Self.usualMost))
        case .draining: rate * (rate < Self.ample ? Self.slowDraining.share : Self.draining.share)
        case .held: max(rate * share, min(least, rate * Self.keepingUp))
        }
    }

    /// Whether something has arrived in the last so many nanoseconds, by the kernel's word.
    package func hasArrived(within time: Int64, now: HostTime) -> Bool {
        arrival.map { now.nanoseconds(since: $0.at) <= time } ?? false
    }
}
