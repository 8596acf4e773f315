import Glibc

/// How late an output is heard by itself, as people write it: milliseconds in steps of 0.1.
///
/// 100 ms says "this output is 100 ms late"; the speaker sends its samples out 100 ms earlier.
package struct OutputDelay: Sendable, Equatable {
    /// Tenths of a millisecond.
    package let tenths: Int

    /// The largest magnitude, in tenths of a millisecond.
    package static let limit = 50_000

    /// A delay of so many tenths, held to ±5 s.
    package init(tenths: Int) { self.tenths = min(max(tenths, -Self.limit), Self.limit) }

    /// The nearest step to `milliseconds`, held to ±5 s; 0 for what is no number.
    package init(milliseconds: Double) {
        let limit = Double(Self.limit)
        let scaled = (milliseconds * 10).rounded()
        self.init(tenths: scaled.isFinite ? Int(min(max(scaled, -limit), limit)) : 0)
    }

    /// Reads `35`, `-2.5`, `+12,5`, with or without `ms`; nil for anything else and beyond ±5 s.
    package init?(parsing text: String) {
        var digits = text.lowercased().filter { $0 != " " }
        if digits.hasSuffix("ms") { digits.removeLast(2) }
        digits = digits.replacing(",", with: ".")
        guard !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }),
            let value = Double(digits), abs(value) * 10 <= Double(Self.limit)
        else { return nil }
        self.init(milliseconds: value)
    }

    /// Milliseconds.
    package var milliseconds: Double { Double(tenths) / 10 }

    /// So many tenths more.
    package func adding(tenths change: Int) -> OutputDelay {
        OutputDelay(tenths: tenths + min(max(change, -2 * Self.limit), 2 * Self.limit))
    }

    /// What it means for `room`, because a sign alone misleads: `kitchen: output delay 100 ms (plays 100 ms earlier)`.
    package func effect(on room: String) -> String {
        let amount = OutputDelay(tenths: abs(tenths)).description
        let correction = tenths == 0 ? "no correction" : "plays \(amount) \(tenths > 0 ? "earlier" : "later")"
        return "\(room): output delay \(self) (\(correction))"
    }
}

extension OutputDelay: CustomStringConvertible {
    /// `35 ms`, `-2.5 ms`.
    package var description: String {
        let size = abs(tenths)
        let sign = tenths < 0 ? "-" : ""
        return size % 10 == 0 ? "\(sign)\(size / 10) ms" : "\(sign)\(size / 10).\(size % 10) ms"
    }
}
