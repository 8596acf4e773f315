extension Effect: CustomStringConvertible {
    /// Reads an effect as people write it, such as `limit -1` or `eq peak 1000 -3 1.2; lowshelf 80 4`.
    ///
    /// - Throws: `ChainError`, for values outside their limits too.
    public init(parsing text: String) throws(ChainError) { try self.init(parsing: text, line: 0) }

    /// - Parameter line: The line of the text, for errors.
    package init(parsing text: some StringProtocol, line: Int) throws(ChainError) {
        guard text.utf8.count <= EffectChain.Limits.maximumTextSize else {
            throw .syntax(line: line, "an effect is longer than \(EffectChain.Limits.maximumTextSize) bytes")
        }
        let trimmed = text.drop(while: \.isWhitespace)
        let word = trimmed.prefix { !$0.isWhitespace && $0 != "#" }
        guard
            let name = Name.allCases.first(where: { $0.word == word.lowercased() || $0.rawValue == word.lowercased() })
        else {
            let words = Name.allCases.map(\.word).joined(separator: ", ")
            throw .syntax(line: line, "there is no effect \(ChainNode.quoted(word)); use one of \(words)")
        }
        let rest = trimmed[word.endIndex...]
        do {
            self = try Self.effect(name, rest, line)
            try validate()
        } catch { throw error.located(line) }
    }

    /// Whether a text that begins with `word` is one of an effect.
    package static func isWord(_ word: String) -> Bool {
        Name.allCases.contains { $0.word == word || $0.rawValue == word }
    }

    private static func effect(
        _ name: Name, _ text: some StringProtocol, _ line: Int
    ) throws(ChainError) -> Effect {
        if name == .equalizer { return .equalizer(try EqualizerText.bands(text, line: line)) }
        var words = try EffectWords(text, line: line)
        switch name {
        case .gain:
            guard let word = words.removeFirst(), word.name == nil,
                let gain = NumberText.number(word.text, .decibels), words.words.isEmpty
            else { throw words.fault("gain needs one number of decibels, such as gain -6") }
            return .gain(gain)
        case .channels: return .channels(try ChannelMatrix(&words))
        case .convolution: return .convolution(try Convolution(words, name.word))
        case .reverb: return .reverb(try Reverb(words, name.word))
        case .delay: return .delay(try Delay(words, name.word))
        case .compressor: return .compressor(try Compressor(words, name.word))
        case .limiter: return .limiter(try Limiter(words, name.word))
        case .crossfeed: return .crossfeed(try Crossfeed(words, name.word))
        case .crossover, .equalizer: return .crossover(try Crossover(words, name.word))
        }
    }

    /// One line that is read as the same effect. Settings that are as by default are left out.
    public var description: String {
        let settings =
            switch self {
            case .gain(let gain): NumberText.text(gain)
            case .channels(let matrix): matrix.description
            case .equalizer(let bands): EqualizerText(bands).description
            case .convolution(let settings): settings.line
            case .reverb(let settings): settings.line
            case .delay(let settings): settings.line
            case .compressor(let settings): settings.line
            case .limiter(let settings): settings.line
            case .crossfeed(let settings): settings.line
            case .crossover(let settings): settings.line
            }
        return settings.isEmpty ? name.word : "\(name.word) \(settings)"
    }
}

extension EffectChain: CustomStringConvertible {
    /// Reads a chain as people write it: an effect in each line. Empty lines and what follows `#` are skipped.
    ///
    /// - Throws: `ChainError`, for values outside their limits too.
    public init(parsing text: String) throws(ChainError) {
        guard text.utf8.count <= Limits.maximumTextSize else {
            throw .syntax(line: 0, "a chain is longer than \(Limits.maximumTextSize) bytes")
        }
        self.init()
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (place, line) in lines.enumerated() {
            guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
            let number = lines.count > 1 ? place + 1 : 0
            guard effects.count < Self.maximumCount else {
                throw ChainError.tooMany(what: "effects", maximum: Self.maximumCount).located(number)
            }
            effects.append(try Effect(parsing: line, line: number))
        }
    }

    /// A line for each effect; the text is read as the same chain.
    public var description: String { effects.map(\.description).joined(separator: "\n") }
}

extension EffectSettings {
    /// Reads words by their places, and by their names.
    init(_ words: EffectWords, _ what: String) throws(ChainError) {
        self = Self.template
        var given: Set<String> = []
        for word in words.words {
            let field = try Self.field(of: word, given, words, what)
            guard given.insert(field.name).inserted else { throw words.fault("\(what): \(field.word) is given twice") }
            try field.read(word, words, what, into: &self)
        }
        if let missing = Self.fields.first(where: { $0.isRequired && !given.contains($0.name) }) {
            throw words.fault("\(what): the \(missing.word) is missing")
        }
    }

    /// The field that a word is for.
    private static func field(
        of word: EffectWords.Word, _ given: Set<String>, _ words: EffectWords, _ what: String
    ) throws(ChainError) -> SettingsField<Self> {
        if let name = word.name {
            if let field = fields.first(where: { $0.word == name || $0.name.lowercased() == name }) { return field }
            let names = fields.map(\.word).joined(separator: ", ")
            throw words.fault("\(what) has no \(ChainNode.quoted(name)); use \(names)")
        }
        if let field = fields.first(where: { $0.isPositional && !given.contains($0.name) }) { return field }
        for field in fields where !word.isQuoted {
            if case .flag = field.value, field.word == word.text.lowercased() { return field }
        }
        let names = fields.filter { !$0.isPositional }.map { "\($0.word)=" }.joined(separator: ", ")
        let advice = names.isEmpty ? "" : "; use \(names)"
        throw words.fault("\(what): \(ChainNode.quoted(word.text)) is one too many\(advice)")
    }

    /// The settings as words.
    var line: String {
        var parts: [String] = []
        var isInOrder = true
        for field in Self.fields {
            let isDefault = !field.isRequired && field.text(self) == field.text(Self.template)
            // By its place a value can stand only if all before it do.
            if isDefault {
                isInOrder = isInOrder && !field.isPositional
                continue
            }
            if case .flag = field.value {
                parts.append(field.word)
            } else {
                parts.append((field.isPositional && isInOrder ? "" : field.word + "=") + field.text(self))
            }
        }
        return parts.joined(separator: " ")
    }
}

extension SettingsField {
    func read(
        _ word: EffectWords.Word, _ words: EffectWords, _ what: String, into settings: inout Settings
    ) throws(ChainError) {
        switch value {
        case .number(let path, _, let quantity):
            guard !word.isQuoted, let number = NumberText.number(word.text, quantity) else {
                throw words.fault("\(what): \(self.word) must be a number, not \(ChainNode.quoted(word.text))")
            }
            settings[keyPath: path] = number
        case .flag(let path):
            guard let flag = word.name == nil ? true : Bool(word.text) else {
                throw words.fault("\(what): \(self.word) must be true or false")
            }
            settings[keyPath: path] = flag
        case .name(let path), .label(let path): settings[keyPath: path] = word.text
        case .choice(let choice):
            guard let place = choice.place(of: word.text) else {
                let names = choice.words.joined(separator: ", ")
                throw words.fault("\(what): there is no \(self.word) \(ChainNode.quoted(word.text)); use \(names)")
            }
            choice.set(&settings, place)
        }
    }

    fileprivate func text(_ settings: Settings) -> String {
        switch value {
        case .number(let path, _, _): NumberText.text(settings[keyPath: path])
        case .flag(let path): settings[keyPath: path].description
        case .name(let path), .label(let path): EffectWords.word(settings[keyPath: path])
        case .choice(let choice): choice.get(settings).map { choice.words[$0] } ?? "?"
        }
    }
}

extension ChannelMatrix: CustomStringConvertible {
    /// Reads a name, or rows of gains with `/` between them.
    init(_ words: inout EffectWords) throws(ChainError) {
        guard let first = words.words.first else {
            let names = Self.named.map(\.name).joined(separator: ", ")
            throw words.fault("channels needs one of \(names), or rows of gains such as 0.5 0.5 / 0.5 0.5")
        }
        if words.words.count == 1, NumberText.number(first.text) == nil {
            try self.init(named: first.text)
            return
        }
        var rows: [[Double]] = [[]]
        for word in words.words {
            if word.text == "/" {
                rows.append([])
            } else if word.name == nil, let number = NumberText.number(word.text) {
                rows[rows.count - 1].append(number)
            } else {
                throw words.fault("channels: \(ChainNode.quoted(word.text)) must be a gain, or / between two rows")
            }
        }
        self.init(rows)
    }

    /// The name, or the rows with `/` between them.
    public var description: String {
        if let name = Self.named.first(where: { $0.matrix == self })?.name { return name }
        return gains.map { $0.map(NumberText.text).joined(separator: " ") }.joined(separator: " / ")
    }
}
