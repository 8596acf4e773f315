package import TuttiCore

/// What a `seek` command asks for, within the piece that is heard.
package enum SeekTarget: Sendable, Equatable, CustomStringConvertible {
    /// This place.
    case to(MediaTime)
    /// So much further, or back.
    case by(MediaTime)
    /// What is live now, on a station or a live source.
    case live

    /// Reads `T`, `+T` or `-T`, where T is seconds, `M:SS` or `H:MM:SS`, with decimals; or `live`.
    package init?(parsing text: String) {
        if text.lowercased() == "live" {
            self = .live
            return
        }
        guard let time = Self.time(text.hasPrefix("+") || text.hasPrefix("-") ? String(text.dropFirst()) : text) else {
            return nil
        }
        if text.hasPrefix("+") {
            self = .by(time)
        } else if text.hasPrefix("-") {
            self = .by(-time)
        } else {
            self = .to(time)
        }
    }

    /// As it is read: seconds, to the millisecond, or `live`.
    package var description: String {
        switch self {
        case .to(let time): Self.text(time)
        case .by(let distance): (distance < .zero ? "-" : "+") + Self.text(distance)
        case .live: "live"
        }
    }

    /// The magnitude of a time in seconds, with three decimals where it is not a whole number of them.
    private static func text(_ time: MediaTime) -> String {
        let milliseconds = (abs(time.seconds) * 1000).rounded()
        // A media time is less than 2³¹ seconds.
        let whole = UInt64(milliseconds)
        let rest = whole % 1000
        guard rest > 0 else { return "\(whole / 1000)" }
        return "\(whole / 1000).\(rest < 100 ? "0" : "")\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Reads seconds, `M:SS` or `H:MM:SS`, to the millisecond.
    package static func time(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard !part.isEmpty, part.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 == 0x2E && isLast) }),
                let value = Double(part), index == 0 || value < 60
            else { return nil }
            seconds = seconds * 60 + value
        }
        return MediaTime(seconds: seconds, preferredTimescale: 1000)
    }
}
