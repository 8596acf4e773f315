/// What a `volume` command asks for.
package enum VolumeChange: Sendable, Equatable, CustomStringConvertible {
    /// This volume, 0 … 100.
    case to(Double)
    /// So much more, or less.
    case by(Double)
    /// This volume, 0 … 100, in the loudest of several rooms; the others keep their distance to it. Muted rooms stay
    /// so. Of one room it is `to`.
    case balanced(Double)

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
        case .to(let value), .balanced(let value): Self.text(value)
        case .by(let change): (change < 0 ? "-" : "+") + Self.text(abs(change))
        }
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) <= 100 ? "\(Int(value))" : "\(value)"
    }

    /// The same for rooms whose loudest has this volume: `balanced` as the step that it is for each of them.
    package func resolved(loudest: Double?) -> VolumeChange {
        guard case .balanced(let volume) = self else { return self }
        return loudest.map { .by(min(max(volume, 0), 100) - $0) } ?? .to(volume)
    }

    /// The volume after the change, 0 … 100.
    package func applied(to volume: Double) -> Double {
        switch self {
        case .to(let value), .balanced(let value): min(max(value, 0), 100)
        case .by(let change): min(max(volume + change, 0), 100)
        }
    }
}
