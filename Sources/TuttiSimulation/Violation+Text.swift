extension Violation: CustomStringConvertible {
    /// `no-gap: speaker kitchen was silent …`, without the time.
    package var description: String {
        "\(invariant): \(machine.map { "\($0) " } ?? "")\(message)"
    }

    /// When it was seen, as in scripts.
    package var time: String { TimeText.text(at) }

    /// Whether another is of the same kind and the same machine.
    package func isLike(_ other: Violation) -> Bool { invariant == other.invariant && machine == other.machine }
}
