/// What a `volume` command asks for.
package enum VolumeChange: Sendable, Equatable, CustomStringConvertible {
    /// This volume, 0 … 100.
    case to(Double)
    /// So much more, or less.
    case by(Double)

    /// Reads `N`, `+N` or `-N`.
    package init?(parsing text: String) {
        guard let value = Double(text), value.isFinite, abs(value) <= 100, !text.lowercased().contains("x") else {
            return nil
        }
        if text.hasPrefix("+") || text.hasPrefix("-") { self = .by(value) } else { self = .to(value) }
    }

    /// As it is read.
    package var description: String {
        switch self {
        case .to(let value): Self.text(value)
        case .by(let change): (change < 0 ? "-" : "+") + Self.text(abs(change))
        }
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) <= 100 ? "\(Int(value))" : "\(value)"
    }

    /// The volume after the change, 0 … 100.
    package func applied(to volume: Double) -> Double {
        switch self {
        case .to(let value): min(max(value, 0), 100)
        case .by(let change): min(max(volume + change, 0), 100)
        }
    }
}
