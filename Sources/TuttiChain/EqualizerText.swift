/// The filters of an equaliser as people write them: `peak 1000 -3 1.2; lowshelf 80 4 0.7; highpass 30`.
///
/// A filter is its kind, its frequency in Hz (`1k` and `1.5kHz` too), its gain in dB if the kind has one, and its
/// quality factor, which may be left out. Semicolons, commas or new lines stand between filters.
public struct EqualizerText: Sendable, Hashable, CustomStringConvertible {
    /// The filters.
    public var bands: [EQBand]

    /// The text of filters.
    public init(_ bands: [EQBand]) { self.bands = bands }

    /// Reads a text.
    ///
    /// - Throws: `ChainError`, for values outside their limits too.
    public init(parsing text: String) throws(ChainError) {
        guard text.utf8.count <= EffectChain.Limits.maximumTextSize else {
            throw .syntax(line: 0, "the filters are longer than \(EffectChain.Limits.maximumTextSize) bytes")
        }
        bands = try Self.bands(text, line: 0)
        try Self.check(bands, "")
    }

    /// A text that is read as the same filters.
    public var description: String {
        bands.map { band in
            // For kinds without a gain, the quality factor is the third word.
            let gain = band.kind.hasGain ? " " + NumberText.text(band.gain) : ""
            let q = band.q == EQBand.template.q ? "" : " " + NumberText.text(band.q)
            return "\(band.kind.rawValue.lowercased()) \(NumberText.text(band.frequency))\(gain)\(q)"
        }.joined(separator: "; ")
    }

    /// - Parameter line: The line of an effect in a longer text, 0 for a text of its own, whose lines are counted then.
    static func bands(_ text: some StringProtocol, line: Int) throws(ChainError) -> [EQBand] {
        var bands: [EQBand] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (place, content) in lines.enumerated() {
            let number = line > 0 ? line + place : lines.count > 1 ? place + 1 : 0
            for part in content.prefix(while: { $0 != "#" }).split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let words = try EffectWords(part, line: number)
                guard !words.words.isEmpty else { continue }
                guard bands.count < EffectChain.Limits.bandCounts.upperBound else { throw tooMany.located(number) }
                let band = try band(words)
                do { try band.validate() } catch { throw error.located(number) }
                bands.append(band)
            }
        }
        guard !bands.isEmpty else { throw .syntax(line: line, noBands) }
        return bands
    }

    private static func band(_ words: EffectWords) throws(ChainError) -> EQBand {
        var words = words
        let kinds = { EQBand.Kind.allCases.map { $0.rawValue.lowercased() }.joined(separator: ", ") }
        guard let first = words.removeFirst(), first.name == nil else {
            throw words.fault("a filter begins with its kind: \(kinds())")
        }
        let folded = first.text.lowercased().filter { $0 != "-" && $0 != "_" }
        guard let kind = EQBand.Kind.allCases.first(where: { $0.rawValue.lowercased() == folded }) else {
            let advice = NumberText.number(first.text) == nil ? "" : " (decimals are written with a point)"
            throw words.fault("there is no filter \(ChainNode.quoted(first.text)); use \(kinds())\(advice)")
        }
        let what = kind.rawValue.lowercased()
        var fields = EQBand.fields.dropFirst()
        if !kind.hasGain { fields.removeAll { $0.name == "gain" } }
        var band = EQBand(kind, frequency: 0)
        var missing: Set<String> = kind.hasGain ? ["frequency", "gain"] : ["frequency"]
        var given: Set<String> = []
        for word in words.words {
            let matches = { (field: SettingsField<EQBand>) in
                word.name.map { $0 == field.word } ?? !given.contains(field.name)
            }
            guard let field = fields.first(where: matches) else {
                let form = kind.hasGain ? "FREQUENCY GAIN [Q]" : "FREQUENCY [Q], for it has no gain"
                throw words.fault("\(ChainNode.quoted(word.name ?? word.text)) is not wanted; write \(what) \(form)")
            }
            guard given.insert(field.name).inserted else { throw words.fault("\(what): \(field.word) is given twice") }
            missing.remove(field.name)
            try field.read(word, words, what, into: &band)
        }
        if let name = missing.sorted().first { throw words.fault("\(what) needs a \(name)") }
        return band
    }

    /// Reads JSON and YAML: a list of filters, each a table of fields; in YAML a text too.
    static func bands(_ node: ChainNode) throws(ChainError) -> [EQBand] {
        if let text = node.text {
            do { return try bands(text, line: node.line) } catch { throw error.located(node.line) }
        }
        let list = try node.list("equalizer")
        guard list.count <= EffectChain.Limits.bandCounts.upperBound else { throw tooMany.located(node.line) }
        guard !list.isEmpty else { throw node.fault(noBands) }
        var bands: [EQBand] = []
        for (place, item) in list.enumerated() {
            let band = try EQBand(item, "filter \(place + 1)")
            do { try band.check("equalizer, filter \(place + 1): ") } catch { throw error.located(item.line) }
            bands.append(band)
        }
        return bands
    }

    private static let tooMany = ChainError.tooMany(
        what: "filters of an equaliser", maximum: EffectChain.Limits.bandCounts.upperBound)
    private static let noBands = "an equalizer needs a filter, such as peak 1000 -3 1.2"

    /// Checks filters and their number.
    static func check(_ bands: [EQBand], _ prefix: String) throws(ChainError) {
        guard !bands.isEmpty else { throw .syntax(line: 0, noBands) }
        guard bands.count <= EffectChain.Limits.bandCounts.upperBound else { throw tooMany }
        for (place, band) in bands.enumerated() { try band.check("\(prefix)filter \(place + 1): ") }
    }
}
