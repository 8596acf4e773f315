package import TuttiChain

extension CorrectionProposal {
    /// The proposal as the text of a room's chain, with what it rests on as comments.
    ///
    /// - Parameter title: what was measured, in one line.
    package func text(title: String) -> String {
        let line = title.replacing("\n", with: " ").replacing("\r", with: " ")
        let deviation =
            "# off the target by \(Self.number(deviationBefore)) dB before, \(Self.number(deviationAfter)) dB after "
            + "(RMS, \(Self.number(range.lowerBound)) to \(Self.number(range.upperBound)) Hz)"
        let effects = chain.effects.compactMap(Self.text)
        let list = effects.isEmpty ? "chain: []" : "chain:\n" + effects.map { "  - \"\($0)\"" }.joined(separator: "\n")
        return "# \(line)\n\(deviation)\n\(list)\n"
    }

    /// An effect of a proposal in the words of a chain.
    private static func text(_ effect: Effect) -> String? {
        switch effect {
        case .gain(let decibels): "gain \(number(decibels))"
        case .equalizer(let bands): "eq " + bands.map(text).joined(separator: "; ")
        default: nil
        }
    }

    /// A filter: its kind, Hz, dB, quality factor.
    package static func text(_ band: EQBand) -> String {
        "\(band.kind.rawValue.lowercased()) \(number(band.frequency)) \(number(band.gain)) \(number(band.q, hundredths: true))"
    }

    /// A number with one or two decimals, without zeros at its end.
    private static func number(_ value: Double, hundredths: Bool = false) -> String {
        let steps = hundredths ? 100 : 10
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let scaled = Int((abs(value) * Double(steps)).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: steps)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        if hundredths, rest % 10 == 0 { return "\(sign)\(whole).\(rest / 10)" }
        return "\(sign)\(whole).\(hundredths && rest < 10 ? "0" : "")\(rest)"
    }
}
