import Foundation

/// A virtual sound card of a host (`Tests/Lab/card`): what its ALSA configuration says.
package struct LabCard: Sendable, Equatable {
    /// How the card's pointer moves.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Tells the truth.
        case exact
        /// A frame early or late.
        case plusMinusOne = "plusminus1"
        /// In steps of a millisecond, as USB cards do.
        case millisecondSteps = "step1ms"
        /// Wakes its application late.
        case late
    }

    package var name: String
    /// Where it writes its recording and its log.
    package var directory: String
    /// How much faster than nominal its crystal runs.
    package var ppm: Double
    package var kind: Kind
    /// The only rate it takes; nil for any.
    package var rate: Int?
    /// Seconds after its first start at which it underruns by force.
    package var xruns: [Double]
    /// "20+3": gone at 20 s for 3 s.
    package var unplug: String?

    package init(
        name: String, directory: String, ppm: Double = 0, kind: Kind = .exact, rate: Int? = nil, xruns: [Double] = [],
        unplug: String? = nil
    ) {
        self.name = name
        self.directory = directory
        self.ppm = ppm
        self.kind = kind
        self.rate = rate
        self.xruns = xruns
        self.unplug = unplug
    }

    /// The card's truth log.
    package var logPath: String { "\(directory)/\(name).log" }

    /// An ALSA configuration in which this card is `default`, on top of the system's own.
    /// - Parameter plugin: path of the card's shared object.
    package func configuration(plugin: String) -> String {
        var lines = [
            "</usr/share/alsa/alsa.conf>",
            "pcm_type.tutti_lab { lib \"\(plugin)\" }",
            "pcm.!default {",
            "    type tutti_lab",
            "    name \"\(name)\"",
            "    directory \"\(directory)\"",
            "    ppm \(ppm)",
            "    kind \"\(kind.rawValue)\"",
        ]
        if let rate { lines.append("    rate \(rate)") }
        if !xruns.isEmpty { lines.append("    xruns \"\(xruns.map { "\($0)" }.joined(separator: " "))\"") }
        if let unplug { lines.append("    unplug \"\(unplug)\"") }
        return (lines + ["}", ""]).joined(separator: "\n")
    }
}
