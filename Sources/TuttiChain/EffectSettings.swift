/// Settings of an effect that know their own fields: texts, JSON, YAML and checks all go by this one list.
package protocol EffectSettings: Sendable {
    /// The fields, in the order in which they are written.
    static var fields: [SettingsField<Self>] { get }
    /// Settings with the default of every field; those without one are replaced while reading.
    static var template: Self { get }
    /// Checks what no field can check alone.
    func checkTogether(_ prefix: String) throws(ChainError)
}

/// A field of an effect's settings.
package struct SettingsField<Settings: Sendable>: Sendable {
    /// How a field is kept, and what it may be.
    package enum Value: Sendable {
        /// A number within limits.
        case number(any WritableKeyPath<Settings, Double> & Sendable, ClosedRange<Double>, NumberText.Quantity)
        /// Yes or no.
        case flag(any WritableKeyPath<Settings, Bool> & Sendable)
        /// The name of an impulse response.
        case name(any WritableKeyPath<Settings, String> & Sendable)
        /// What people call something; empty where they do not.
        case label(any WritableKeyPath<Settings, String> & Sendable)
        /// One of several names.
        case choice(Choice)
    }

    /// One of several names: as JSON has them, and as people write them.
    package struct Choice: Sendable {
        let names: [String]
        let words: [String]
        /// The place of the current one; nil for a value that is none of them.
        let get: @Sendable (Settings) -> Int?
        let set: @Sendable (inout Settings, Int) -> Void

        /// The place of a name in JSON or of a word, in capitals or not.
        func place(of text: String) -> Int? {
            let text = text.lowercased().filter { $0 != "-" && $0 != "_" }
            return words.firstIndex(of: text) ?? names.firstIndex { $0.lowercased() == text }
        }
    }

    /// The name in JSON and YAML.
    package let name: String
    /// The name in a text.
    package let word: String
    /// Whether texts give it by its place, without a name.
    package let isPositional: Bool
    /// Whether it has no default.
    package let isRequired: Bool
    package let value: Value

    init(_ name: String, word: String? = nil, positional: Bool = false, required: Bool = false, _ value: Value) {
        self.name = name
        self.word = word ?? name.lowercased()
        isPositional = positional
        isRequired = required
        self.value = value
    }
}

extension SettingsField.Value {
    /// The cases of an enumeration.
    static func choice<Case: CaseIterable & RawRepresentable & Equatable & Sendable>(
        _ path: any WritableKeyPath<Settings, Case> & Sendable,
        word: (Case) -> String = { $0.rawValue.lowercased() }
    ) -> Self where Case.RawValue == String {
        let cases = Array(Case.allCases)
        return .choice(
            .init(
                names: cases.map(\.rawValue), words: cases.map(word),
                get: { settings in cases.firstIndex(of: settings[keyPath: path]) },
                set: { settings, place in settings[keyPath: path] = cases[place] }))
    }

    /// One of a few whole numbers.
    static func choice(_ path: any WritableKeyPath<Settings, Int> & Sendable, of numbers: [Int]) -> Self {
        .choice(
            .init(
                names: numbers.map(String.init), words: numbers.map(String.init),
                get: { settings in numbers.firstIndex(of: settings[keyPath: path]) },
                set: { settings, place in settings[keyPath: path] = numbers[place] }))
    }
}

extension EQBand: EffectSettings {
    package static let template = EQBand(.peak, frequency: 1_000)
    package static let fields: [SettingsField<EQBand>] = [
        .init("kind", positional: true, required: true, .choice(\.kind)),
        .init("frequency", positional: true, required: true, .number(\.frequency, Limits.frequencies, .frequency)),
        .init("gain", positional: true, .number(\.gain, Limits.gains, .decibels)),
        .init("q", positional: true, .number(\.q, Limits.qualities, .plain)),
    ]
}

extension Convolution: EffectSettings {
    package static let template = Convolution(impulse: "")
    package static let fields: [SettingsField<Convolution>] = [
        .init("impulse", positional: true, required: true, .name(\.impulse)),
        .init("gain", .number(\.gain, Limits.gains, .decibels)),
        .init("zeroLatency", .flag(\.hasZeroLatency)),
        .init("name", .label(\.name)),
    ]
}

extension Reverb: EffectSettings {
    package static let template = Reverb()
    package static let fields: [SettingsField<Reverb>] = [
        .init(
            "preset", positional: true,
            .choice(\.preset) { preset in
                switch preset {
                case .mediumRoom: "room"
                case .mediumHall: "hall"
                default: preset.rawValue.lowercased()
                }
            }),
        .init("wetDryMix", word: "mix", positional: true, .number(\.wetDryMix, Limits.wetDryMixes, .percent)),
    ]
}

extension Delay: EffectSettings {
    package static let template = Delay(time: 0)
    package static let fields: [SettingsField<Delay>] = [
        .init("time", positional: true, required: true, .number(\.time, Limits.times, .seconds)),
        .init("feedback", .number(\.feedback, Limits.feedbacks, .percent)),
        .init("wetDryMix", word: "mix", .number(\.wetDryMix, Limits.wetDryMixes, .percent)),
    ]
}

extension Compressor: EffectSettings {
    package static let template = Compressor()
    package static let fields: [SettingsField<Compressor>] = [
        .init("threshold", .number(\.threshold, Limits.thresholds, .decibels)),
        .init("ratio", .number(\.ratio, Limits.ratios, .plain)),
        .init("knee", .number(\.knee, Limits.knees, .decibels)),
        .init("attack", .number(\.attack, Limits.attacks, .seconds)),
        .init("release", .number(\.release, Limits.releases, .seconds)),
        .init("makeUpGain", word: "makeup", .number(\.makeUpGain, Limits.makeUpGains, .decibels)),
    ]
}

extension Limiter: EffectSettings {
    package static let template = Limiter()
    package static let fields: [SettingsField<Limiter>] = [
        .init("ceiling", positional: true, .number(\.ceiling, Limits.ceilings, .decibels)),
        .init("release", .number(\.release, Limits.releases, .seconds)),
    ]
}

extension Crossfeed: EffectSettings {
    package static let template = Crossfeed()
    package static let fields: [SettingsField<Crossfeed>] = [
        .init("frequency", positional: true, .number(\.frequency, Limits.frequencies, .frequency)),
        .init("level", positional: true, .number(\.level, Limits.levels, .decibels)),
    ]
}

extension Crossover: EffectSettings {
    package static let template = Crossover(.low, frequency: 80)
    package static let fields: [SettingsField<Crossover>] = [
        .init("side", positional: true, required: true, .choice(\.side)),
        .init("frequency", positional: true, required: true, .number(\.frequency, Limits.frequencies, .frequency)),
        .init("slope", positional: true, .choice(\.slope, of: Limits.slopes)),
    ]
}
