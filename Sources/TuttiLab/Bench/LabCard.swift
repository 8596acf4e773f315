import Foundation
package import TuttiCards

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
    /// What sets it apart from others; its crystal's rate is `ppm`.
    package var traits: CardTraits
    /// The only rate it takes; nil for any.
    package var rate: Int?
    /// Seconds after its first start at which it underruns by force.
    package var xruns: [Double]
    /// "20+3": gone at 20 s for 3 s.
    package var unplug: String?

    package init(
        name: String, directory: String, ppm: Double = 0, kind: Kind = .exact, rate: Int? = nil, xruns: [Double] = [],
        unplug: String? = nil, traits: CardTraits = CardTraits()
    ) {
        self.name = name
        self.directory = directory
        self.ppm = ppm
        self.kind = kind
        self.rate = rate
        self.xruns = xruns
        self.unplug = unplug
        self.traits = traits
    }

    /// The card of a seed, from the population.
    package init(name: String, directory: String, seed: UInt64, xruns: [Double] = []) {
        let traits = CardTraits.drawn(seed: seed)
        self.init(
            name: name, directory: directory, ppm: traits.ppm, rate: traits.rate, xruns: xruns, traits: traits)
    }

    /// What nothing that the card says shows, in ms: the output delay that its room has to be given.
    package var outputDelay: Double { Double(traits.unseenLead) / Double(rate ?? 48_000) * 1e3 }

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
        lines += Self.fields(traits)
        if !xruns.isEmpty { lines.append("    xruns \"\(xruns.map { "\($0)" }.joined(separator: " "))\"") }
        if let unplug { lines.append("    unplug \"\(unplug)\"") }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static func fields(_ traits: CardTraits) -> [String] {
        let plain = CardTraits()
        var lines: [String] = []
        if traits.startLatency != plain.startLatency {
            lines.append("    latency \(Double(traits.startLatency) / 1e6)")
        }
        if traits.step != plain.step { lines.append("    step \(traits.step)") }
        if traits.lead != plain.lead { lines.append("    lead \(traits.lead)") }
        if traits.delaySurplus != plain.delaySurplus { lines.append("    surplus \(traits.delaySurplus)") }
        if traits.lockingPpm != plain.lockingPpm { lines.append("    locking \(traits.lockingPpm)") }
        if let pauses = traits.pauses {
            lines.append("    pauses \"\(Double(pauses.interval) / 1e9)+\(Double(pauses.length) / 1e9)\"")
        }
        if traits.isOnly16Bit { lines.append("    format \"S16_LE\"") }
        if traits.channels != plain.channels { lines.append("    channels \(traits.channels)") }
        return lines
    }
}
