import TuttiChain

/// Reads the filters of Room EQ Wizard, AutoEq and Equalizer APO, which share one syntax: `Filter 1: ON PK Fc 105 Hz
/// Gain 5.5 dB Q 0.70`. After Equalizer APO's configuration reference (version 1.3).
struct FilterLines {
    /// Whether free text may stand before the first filter.
    let isRoomEQWizard: Bool
    private var effects: [Effect] = []
    private var hasFilters = false

    init(isRoomEQWizard: Bool) { self.isRoomEQWizard = isRoomEQWizard }

    /// What Equalizer APO can do, in its own words.
    private static let commands: Set<String> = [
        "preamp", "filter", "graphiceq", "delay", "copy", "convolution", "include", "device", "channel", "stage", "if",
        "elseif", "else", "endif", "eval", "loudnesscorrection",
    ]

    /// Whether a line is one of Equalizer APO's.
    static func isCommand(_ line: some StringProtocol) -> Bool {
        command(line).map { commands.contains($0.name) && !$0.rest.isEmpty } ?? false
    }

    /// The command of a line in lower case without its number, and what follows the colon.
    private static func command(_ line: some StringProtocol) -> (name: String, rest: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let words = line[..<colon].split(whereSeparator: \.isWhitespace)
        guard let first = words.first, words.count == 1 || words.count == 2 && Int(words[1]) != nil else { return nil }
        let rest = line[line.index(after: colon)...].drop(while: \.isWhitespace)
        return (first.lowercased().trimmingDigits, String(rest))
    }

    /// - Throws: `ChainError` with its line.
    mutating func chain(_ text: String) throws(ChainError) -> EffectChain {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let hasCommas = lines.contains { FilterLine.hasDecimalComma($0) }
        for (place, line) in lines.enumerated() {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do {
                try read(line, hasCommas: hasCommas)
            } catch { throw error.located(place + 1) }
        }
        guard hasFilters || !effects.isEmpty else { throw .syntax(line: 1, "the file has no filters") }
        return EffectChain(effects)
    }

    private mutating func read(_ line: Substring, hasCommas: Bool) throws(ChainError) {
        guard let (name, rest) = Self.command(line), Self.commands.contains(name) else {
            if isRoomEQWizard, !hasFilters { return }
            throw .syntax(line: 0, "\(ChainNode.quoted(line)) is no filter and no command that is known")
        }
        switch name {
        case "preamp": try add(gain: FilterLine(rest, hasCommas).decibels())
        case "filter":
            hasFilters = true
            if let band = try FilterLine(rest, hasCommas).band() { add(band) }
        case "delay": try add(delay: rest, hasCommas)
        case "convolution":
            let effect = Effect.convolution(Convolution(impulse: String(rest.trimmingSpaces)))
            try effect.validate()
            effects.append(effect)
        case "device", "channel":
            guard rest.trimmingSpaces.lowercased() == "all" else {
                throw .syntax(line: 0, "a chain is the same for all channels and devices; \(name) can only be all")
            }
        case "stage":
            guard rest.trimmingSpaces.lowercased() == "post-mix" else {
                throw .syntax(line: 0, "a chain has one stage only; stage can only be post-mix")
            }
        case "graphiceq":
            throw .syntax(
                line: 0,
                "a GraphicEQ is a curve, no list of filters; use AutoEq's ParametricEQ.txt, or an impulse response "
                    + "of the curve with convolve")
        default: throw .syntax(line: 0, "the command \(name) cannot be taken over")
        }
    }

    private mutating func add(gain: Double) throws(ChainError) {
        guard gain != 0 else { return }
        try Effect.gain(gain).validate()
        effects.append(.gain(gain))
    }

    private mutating func add(delay text: String, _ hasCommas: Bool) throws(ChainError) {
        let seconds = try FilterLine(text, hasCommas).seconds()
        guard seconds != 0 else { return }
        let effect = Effect.delay(Delay(time: seconds))
        try effect.validate()
        effects.append(effect)
    }

    private mutating func add(_ band: EQBand) { effects.append(band: band) }
}

extension [Effect] {
    /// Appends a filter, to the equaliser at the end if there is one with a place for it.
    mutating func append(band: EQBand) {
        if case .equalizer(let bands) = last, bands.count < EffectChain.Limits.bandCounts.upperBound {
            self[count - 1] = .equalizer(bands + [band])
        } else {
            append(.equalizer([band]))
        }
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmingSpaces: SubSequence {
        let start = drop(while: \.isWhitespace)
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...end]
    }

    /// Without digits at the end, as in `Filter1`.
    fileprivate var trimmingDigits: String {
        guard let end = lastIndex(where: { !$0.isNumber }) else { return "" }
        return String(self[...end])
    }
}
