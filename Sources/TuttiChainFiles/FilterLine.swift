import TuttiChain

/// One line of Room EQ Wizard or Equalizer APO after its colon.
struct FilterLine {
    private let words: [Substring]
    /// Whether the file writes decimals with commas, and thousands with points.
    private let hasCommas: Bool
    private var place = 0

    init(_ text: String, _ hasCommas: Bool) {
        // Room EQ Wizard 5.01 writes `100H z`.
        words = text.replacing("H z", with: " Hz").split(whereSeparator: \.isWhitespace)
        self.hasCommas = hasCommas
    }

    /// Whether a line of filters has a gain or a quality factor with a decimal comma.
    static func hasDecimalComma(_ line: some StringProtocol) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        return zip(words, words.dropFirst()).contains { name, value in
            ["gain", "q", "preamp:"].contains(name.lowercased()) && value.contains(",")
        }
    }

    /// The filter; nil for one that is off or none.
    ///
    /// - Throws: `ChainError` without a line.
    func band() throws(ChainError) -> EQBand? {
        var line = self
        guard let state = line.next()?.lowercased(), state == "on" || state == "off" else {
            throw .syntax(line: 0, "a filter must be ON or OFF")
        }
        guard state == "on" else { return nil }
        guard let kind = line.next()?.uppercased() else { throw .syntax(line: 0, "the kind of filter is missing") }
        if kind == "NONE" { return nil }
        let values = try line.values()
        return try Self.band(kind, values)
    }

    /// What a filter is set to, as far as the line says.
    private struct Values {
        var slope: Double?
        var frequency: Double?
        var gain: Double?
        var q: Double?
        var octaves: Double?
    }

    private mutating func values() throws(ChainError) -> Values {
        var values = Values()
        while let word = next() {
            switch word.lowercased() {
            case "fc": values.frequency = try number("Fc", .frequency)
            case "gain": values.gain = try number("Gain", .decibels)
            case "q": values.q = try number("Q", .plain)
            case "bw":
                guard next()?.lowercased() == "oct" else { throw .syntax(line: 0, "BW must be in octaves: BW Oct 0.5") }
                values.octaves = try number("BW Oct", .plain)
            case "bw/60":
                // The bandwidth in Hz of the DSP1124P is the frequency times BW/60 times √2, as Room EQ Wizard's help says.
                values.q = 60 / (try number("BW/60", .plain) * 2.0.squareRoot())
            case "t60":
                // The decay that a modal filter is meant for follows from its other values.
                guard next()?.lowercased() == "target" else { throw .syntax(line: 0, "T60 must be T60 target 100 ms") }
                _ = try number("T60 target", .seconds)
            default:
                // A shelf's slope stands before the frequency.
                guard values.frequency == nil, values.slope == nil else {
                    throw .syntax(line: 0, "\(ChainNode.quoted(word)) is not known")
                }
                place -= 1
                values.slope = try number("the slope", .decibels)
            }
        }
        return values
    }

    private static func band(_ kind: String, _ values: Values) throws(ChainError) -> EQBand {
        guard let frequency = values.frequency else { throw .syntax(line: 0, "Fc is missing") }
        let q = values.q ?? values.octaves.map(FilterShape.quality(octaves:))
        let band: EQBand
        switch kind {
        case "PK", "PEQ", "MODAL":
            guard let q else { throw .syntax(line: 0, "\(kind) needs a Q or a bandwidth") }
            band = EQBand(.peak, frequency: frequency, gain: try gain(of: kind, values), q: q)
        case "LP", "LPQ": band = EQBand(.lowPass, frequency: frequency, q: q ?? EQBand.template.q)
        case "HP", "HPQ": band = EQBand(.highPass, frequency: frequency, q: q ?? EQBand.template.q)
        case "NO": band = EQBand(.notch, frequency: frequency, q: q ?? 30)
        case "AP":
            guard let q else { throw .syntax(line: 0, "AP needs a Q or a bandwidth") }
            band = EQBand(.allPass, frequency: frequency, q: q)
        case "LS", "LSC", "LSQ", "HS", "HSC", "HSQ":
            band = try shelf(kind, frequency, try gain(of: kind, values), q, values.slope)
        default: throw .syntax(line: 0, "the filter \(ChainNode.quoted(kind)) cannot be taken over")
        }
        guard values.slope == nil || band.kind == .lowShelf || band.kind == .highShelf else {
            throw .syntax(line: 0, "\(kind) has no slope")
        }
        try band.validate()
        return band
    }

    private static func gain(of kind: String, _ values: Values) throws(ChainError) -> Double {
        guard let gain = values.gain else { throw .syntax(line: 0, "\(kind) needs a Gain") }
        return gain
    }

    /// As Equalizer APO has it: without a slope and a quality factor, 10.8 dB an octave around the frequency. With one
    /// of them the frequency of LS and HS is the corner of the shelf, that of LSC and HSC the middle of its slope.
    private static func shelf(
        _ kind: String, _ frequency: Double, _ gain: Double, _ q: Double?, _ decibels: Double?
    ) throws(ChainError) -> EQBand {
        let isLow = kind.hasPrefix("L")
        let slope = decibels.map { $0 / 12 } ?? q.map { FilterShape.slope(quality: $0, gain: gain) } ?? 0.9
        guard slope > 0, decibels == nil || slope <= 1 else {
            throw .syntax(line: 0, "the slope of \(kind) must be above 0 and at most 12 dB")
        }
        var frequency = frequency
        if kind.count == 2, decibels != nil || q != nil {
            let factor = FilterShape.centre(slope: slope, gain: gain)
            frequency = isLow ? frequency * factor : frequency / factor
        }
        let quality = decibels == nil ? q : nil
        return EQBand(
            isLow ? .lowShelf : .highShelf, frequency: frequency, gain: gain,
            q: quality ?? FilterShape.quality(slope: slope, gain: gain))
    }

    /// The decibels of a preamplifier.
    func decibels() throws(ChainError) -> Double {
        var line = self
        let gain = try line.number("Preamp", .decibels)
        guard line.next() == nil else { throw .syntax(line: 0, "Preamp must be one number of dB") }
        return gain
    }

    /// The time of a delay.
    func seconds() throws(ChainError) -> Double {
        var line = self
        guard words.last?.lowercased().hasSuffix("ms") == true else {
            throw .syntax(line: 0, "a delay must be in ms; samples are not of the same length everywhere")
        }
        let seconds = try line.number("Delay", .seconds)
        guard line.next() == nil else { throw .syntax(line: 0, "Delay must be one time in ms") }
        return seconds
    }

    private mutating func next() -> Substring? {
        guard place < words.count else { return nil }
        defer { place += 1 }
        return words[place]
    }

    /// The next word as a number, together with its unit if that stands apart.
    private mutating func number(_ what: String, _ quantity: NumberText.Quantity) throws(ChainError) -> Double {
        guard let word = next() else { throw .syntax(line: 0, "\(what) needs a number") }
        var text = decimal(word, isFrequency: quantity == .frequency)
        if place < words.count, ["hz", "khz", "db", "ms", "s"].contains(words[place].lowercased()) {
            text += words[place].lowercased()
            place += 1
        }
        guard let number = NumberText.number(text, quantity) else {
            throw .syntax(line: 0, "\(what) must be a number, not \(ChainNode.quoted(text))")
        }
        return number
    }

    /// A number with a point for its decimals and nothing for its thousands. Of two kinds of mark the latter is that of
    /// the decimals. A single mark before three digits of a frequency is that of thousands, if it is not the one that
    /// the file's decimals have.
    private func decimal(_ word: Substring, isFrequency: Bool) -> String {
        let marks = word.filter { $0 == "." || $0 == "," }
        guard let last = marks.last, let place = word.lastIndex(of: last) else { return String(word) }
        let digits = word[word.index(after: place)...].prefix(while: \.isNumber)
        let isThousands = isFrequency && digits.count == 3 && (last == ".") == hasCommas && Set(marks).count == 1
        let whole = word[..<place].filter { $0 != "." && $0 != "," }
        return whole + (isThousands ? "" : ".") + word[word.index(after: place)...]
    }
}
