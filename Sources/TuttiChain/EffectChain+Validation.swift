extension EffectChain {
    /// Checks that there are not too many effects, and that all their settings are within their limits.
    ///
    /// - Throws: `ChainError` for the first that is not; it names the effect by its place, counted from 1.
    public func validate() throws(ChainError) {
        guard effects.count <= Self.maximumCount else {
            throw .tooMany(what: "effects", maximum: Self.maximumCount)
        }
        for (place, effect) in effects.enumerated() {
            try effect.check("effect \(place + 1), \(effect.name.rawValue): ")
        }
    }
}

extension Effect {
    /// Checks that the settings are within their limits.
    ///
    /// - Throws: `ChainError` for the first that is not.
    public func validate() throws(ChainError) { try check("\(name.rawValue): ") }

    /// - Parameter prefix: what the error's name begins with.
    func check(_ prefix: String) throws(ChainError) {
        switch self {
        case .gain(let gain): try Self.check(gain, EffectChain.Limits.gains, prefix + "gain")
        case .channels(let matrix): try matrix.validate()
        case .equalizer(let bands): try EqualizerText.check(bands, prefix)
        case .convolution(let settings): try settings.check(prefix)
        case .reverb(let settings): try settings.check(prefix)
        case .delay(let settings): try settings.check(prefix)
        case .compressor(let settings): try settings.check(prefix)
        case .limiter(let settings): try settings.check(prefix)
        case .crossfeed(let settings): try settings.check(prefix)
        case .crossover(let settings): try settings.check(prefix)
        }
    }

    /// What is not finite is within no limits.
    static func check(_ value: Double, _ limits: ClosedRange<Double>, _ name: String) throws(ChainError) {
        guard limits.contains(value) else { throw .outOfRange(name: name, value: value, allowed: limits) }
    }
}

extension EQBand {
    /// Checks that the settings are within their limits, and that a kind without a gain has none.
    ///
    /// - Throws: `ChainError`.
    public func validate() throws(ChainError) { try check("") }

    package func checkTogether(_ prefix: String) throws(ChainError) {
        if !kind.hasGain { try Effect.check(gain, 0...0, prefix + "gain (\(kind.rawValue) has none)") }
    }
}

extension EffectSettings {
    func check(_ prefix: String) throws(ChainError) {
        for field in Self.fields {
            switch field.value {
            case .number(let path, let limits, _):
                try Effect.check(self[keyPath: path], limits, prefix + field.name)
            case .flag: break
            case .name(let path), .label(let path):
                let (text, sizes) = (self[keyPath: path], field.textSizes)
                if let fault = Convolution.fault(inName: text, sizes) {
                    throw .syntax(line: 0, "\(prefix)\(field.name) \(fault)")
                }
            case .choice(let choice):
                guard choice.get(self) == nil else { break }
                throw .syntax(line: 0, "\(prefix)\(field.name) must be one of \(choice.names.joined(separator: ", "))")
            }
        }
        try checkTogether(prefix)
    }

    package func checkTogether(_ prefix: String) throws(ChainError) {}
}

extension SettingsField {
    /// Bytes that a name or a label may have.
    fileprivate var textSizes: ClosedRange<Int> {
        if case .label = value { Convolution.Limits.labelSizes } else { Convolution.Limits.nameSizes }
    }
}

extension Convolution {
    /// What is wrong with the name of an impulse response; nil if nothing is.
    static func fault(inName name: String, _ sizes: ClosedRange<Int>) -> String? {
        if name.utf8.count < sizes.lowerBound { return "must name an impulse response" }
        if name.utf8.count > sizes.upperBound { return "is longer than \(sizes.upperBound) bytes" }
        return name.unicodeScalars.contains(where: isControl) ? "must have no control characters" : nil
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}

extension ChannelMatrix {
    /// Checks that it is a rectangle of 1 … 8 rows and columns, and that all gains are within their limits.
    ///
    /// - Throws: `ChainError`.
    public func validate() throws(ChainError) {
        guard Limits.channelCounts.contains(outputCount), Limits.channelCounts.contains(inputCount),
            gains.allSatisfy({ $0.count == inputCount })
        else { throw .notAMatrix }
        for gain in gains.joined() { try Effect.check(gain, Limits.gains, "channels: a gain") }
    }
}
