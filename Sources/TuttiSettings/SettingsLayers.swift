/// The settings of a program: the command line before the environment, that before the files, earlier files before
/// later ones.
package struct SettingsLayers: Sendable {
    private let environment: [String: String]
    private let files: [SettingsFile]

    /// Settings of these files, all of which hold what `rules` say.
    ///
    /// - Throws: `SettingsError.unknown`, `.wrong`.
    package init(files: [SettingsFile], environment: [String: String], rules: [SettingRule]) throws(SettingsError) {
        for file in files { try file.check(against: rules) }
        self.files = files
        self.environment = environment
    }

    /// What a setting is set to; nil where it is not. A variable that is empty sets nothing.
    ///
    /// - Parameter flag: what the command line says.
    /// - Throws: `SettingsError.wrong` for what is not allowed.
    package func value<Value>(_ setting: Setting<Value>, flag: String? = nil) throws(SettingsError) -> Value? {
        if let flag { return try Self.parse(setting, .text(flag), at: .commandLine) }
        if let text = environment[setting.variable], !text.isEmpty {
            return try Self.parse(setting, .text(text), at: .environment(setting.variable))
        }
        for file in files {
            guard let entry = file.entry(setting.name) else { continue }
            return try Self.parse(setting, entry.value, at: .file(path: file.path, line: entry.line))
        }
        return nil
    }

    /// The names that files have in the place of these settings' `*`, in order.
    package func names(of rules: [SettingRule]) -> [String] {
        let parts = files.flatMap { file in
            file.entries.compactMap { entry in rules.lazy.compactMap { $0.part(of: entry.name) }.first }
        }
        return Set(parts).sorted()
    }

    /// The value of a setting with a list; nil where nobody has set it.
    ///
    /// - Parameter flags: what the command line has, none for nothing.
    package func value(_ setting: Setting<[String]>, flags: [String]) throws(SettingsError) -> [String]? {
        flags.isEmpty ? try value(setting) : try Self.parse(setting, .list(flags), at: .commandLine)
    }

    private static func parse<Value>(
        _ setting: Setting<Value>, _ value: SettingValue, at place: SettingsPlace
    ) throws(SettingsError) -> Value {
        guard let parsed = setting.parse(value) else {
            throw .wrong(place, name: setting.name, value: value.words, allowed: setting.allowed)
        }
        return parsed
    }
}
