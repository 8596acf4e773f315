extension Effect {
    /// The effects by their names in JSON and YAML.
    enum Name: String, CaseIterable {
        case gain, channels, equalizer, convolution, reverb, delay, compressor, limiter, crossfeed, crossover

        /// What the effect is called in a text.
        var word: String {
            switch self {
            case .equalizer: "eq"
            case .convolution: "convolve"
            case .compressor: "compress"
            case .limiter: "limit"
            default: rawValue
            }
        }
    }

    var name: Name {
        switch self {
        case .gain: .gain
        case .channels: .channels
        case .equalizer: .equalizer
        case .convolution: .convolution
        case .reverb: .reverb
        case .delay: .delay
        case .compressor: .compressor
        case .limiter: .limiter
        case .crossfeed: .crossfeed
        case .crossover: .crossover
        }
    }

    /// Reads a table of one name with its settings. Values are checked by `validate`.
    ///
    /// - Throws: `ChainError`.
    package init(_ node: ChainNode) throws(ChainError) {
        let names = { Name.allCases.map(\.rawValue).joined(separator: ", ") }
        let entries = try node.table("an effect")
        guard let entry = entries.first, entries.count == 1 else {
            throw node.fault("an effect must be a table of one name; use one of \(names())")
        }
        guard let name = Name(rawValue: entry.name) else {
            throw node.fault("there is no effect \(ChainNode.quoted(entry.name)); use one of \(names())")
        }
        let value = entry.value
        switch name {
        case .gain: self = .gain(try value.number("gain", .decibels))
        case .channels: self = .channels(try ChannelMatrix(value))
        case .equalizer: self = .equalizer(try EqualizerText.bands(value))
        case .convolution: self = .convolution(try Convolution(value, name.rawValue))
        case .reverb: self = .reverb(try Reverb(value, name.rawValue))
        case .delay: self = .delay(try Delay(value, name.rawValue))
        case .compressor: self = .compressor(try Compressor(value, name.rawValue))
        case .limiter: self = .limiter(try Limiter(value, name.rawValue))
        case .crossfeed: self = .crossfeed(try Crossfeed(value, name.rawValue))
        case .crossover: self = .crossover(try Crossover(value, name.rawValue))
        }
    }

    /// The effect with all of its settings, those that are as by default too.
    package var node: ChainNode {
        let value =
            switch self {
            case .gain(let gain): ChainNode(.number(gain))
            case .channels(let matrix): matrix.node
            case .equalizer(let bands): ChainNode(.list(bands.map(\.node)))
            case .convolution(let settings): settings.node
            case .reverb(let settings): settings.node
            case .delay(let settings): settings.node
            case .compressor(let settings): settings.node
            case .limiter(let settings): settings.node
            case .crossfeed(let settings): settings.node
            case .crossover(let settings): settings.node
            }
        return ChainNode(.table([.init(name.rawValue, value)]))
    }
}

extension EffectChain {
    /// Reads a table whose only name is `effects`. Values are checked by `validate`.
    ///
    /// - Throws: `ChainError`.
    package init(_ node: ChainNode) throws(ChainError) {
        var effects: ChainNode?
        for entry in try node.table("a chain") {
            guard entry.name == "effects" else {
                throw entry.value.fault("a chain has no field \(ChainNode.quoted(entry.name)); use effects")
            }
            effects = entry.value
        }
        guard let list = try effects?.list("effects") else { throw node.fault("a chain must have a list of effects") }
        guard list.count <= Self.maximumCount else {
            throw ChainError.tooMany(what: "effects", maximum: Self.maximumCount).located(node.line)
        }
        self.init()
        for item in list { self.effects.append(try Effect(item)) }
    }
}

extension EffectSettings {
    /// Reads a table of fields.
    ///
    /// - Parameter what: What errors call it.
    /// - Throws: `ChainError`, for fields that there are not and for those that are missing too.
    init(_ node: ChainNode, _ what: String) throws(ChainError) {
        self = Self.template
        var missing = Set(Self.fields.lazy.filter(\.isRequired).map(\.name))
        for entry in try node.table(what) {
            guard let field = Self.fields.first(where: { $0.name == entry.name }) else {
                let names = Self.fields.map(\.name).joined(separator: ", ")
                throw entry.value.fault("\(what) has no field \(ChainNode.quoted(entry.name)); use \(names)")
            }
            missing.remove(field.name)
            try field.read(entry.value, "\(what): \(field.name)", into: &self)
        }
        guard let first = Self.fields.first(where: { missing.contains($0.name) }) else { return }
        throw node.fault("\(what): the \(first.name) is missing")
    }

    var node: ChainNode {
        ChainNode(.table(Self.fields.filter { $0.isSaid(self) }.map { .init($0.name, $0.node(self)) }))
    }
}

extension SettingsField {
    /// Whether there is something to write: all but an empty label.
    fileprivate func isSaid(_ settings: Settings) -> Bool {
        if case .label(let path) = value { !settings[keyPath: path].isEmpty } else { true }
    }

    fileprivate func read(_ node: ChainNode, _ what: String, into settings: inout Settings) throws(ChainError) {
        switch value {
        case .number(let path, _, let quantity): settings[keyPath: path] = try node.number(what, quantity)
        case .flag(let path): settings[keyPath: path] = try node.flag(what)
        case .name(let path), .label(let path):
            guard let text = node.text else { throw node.fault("\(what) must be a text") }
            settings[keyPath: path] = text
        case .choice(let choice):
            let text = if case .number(let number) = node.content { NumberText.text(number) } else { node.text }
            guard let place = text.flatMap(choice.place) else {
                throw node.fault("\(what) must be one of \(choice.names.joined(separator: ", "))")
            }
            choice.set(&settings, place)
        }
    }

    fileprivate func node(_ settings: Settings) -> ChainNode {
        switch value {
        case .number(let path, _, _): return ChainNode(.number(settings[keyPath: path]))
        case .flag(let path): return ChainNode(.flag(settings[keyPath: path]))
        case .name(let path), .label(let path): return ChainNode(.text(settings[keyPath: path]))
        case .choice(let choice):
            let name = choice.get(settings).map { choice.names[$0] } ?? ""
            return ChainNode(NumberText.number(name).map(ChainNode.Content.number) ?? .text(name))
        }
    }
}

extension ChannelMatrix {
    /// Matrices that have a name, by it.
    static let named: [(name: String, matrix: ChannelMatrix)] = [
        ("stereo", .stereo), ("left", .left), ("right", .right), ("mono", .mono), ("swap", .swapped),
    ]

    /// The matrix of a name.
    ///
    /// - Throws: `ChainError.syntax` without a line.
    init(named name: String) throws(ChainError) {
        guard let found = Self.named.first(where: { $0.name == name.lowercased() }) else {
            let names = Self.named.map(\.name).joined(separator: ", ")
            throw .syntax(line: 0, "there are no channels \(ChainNode.quoted(name)); use \(names) or rows of gains")
        }
        self = found.matrix
    }

    init(_ node: ChainNode) throws(ChainError) {
        if let name = node.text {
            do { try self.init(named: name) } catch { throw error.located(node.line) }
            return
        }
        self.init([])
        for row in try node.list("channels") {
            var numbers: [Double] = []
            for number in try row.list("a row of channels") { numbers.append(try number.number("a gain of channels")) }
            gains.append(numbers)
        }
    }

    var node: ChainNode {
        if let name = Self.named.first(where: { $0.matrix == self })?.name { return ChainNode(.text(name)) }
        return ChainNode(.list(gains.map { ChainNode(.list($0.map { ChainNode(.number($0)) })) }))
    }
}
