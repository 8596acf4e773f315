import TuttiHost

/// A YAML file of settings: what is set, and on which line.
package struct SettingsFile: Sendable, Equatable {
    /// Where it lies.
    package let path: String
    let entries: [SettingsEntry]

    /// The largest file that is read: settings are short.
    static let sizeLimit = 1 << 20

    /// The file at `path`, or nil when there is none.
    ///
    /// - Throws: `SettingsError.unreadable`, `.malformed`.
    package static func read(_ path: String) throws(SettingsError) -> SettingsFile? {
        let bytes: [UInt8]?
        do {
            bytes = try AtomicFile.read(path)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let bytes else { return nil }
        guard bytes.count <= sizeLimit else {
            throw .unreadable(path: path, reason: "it is larger than \(sizeLimit >> 20) MiB")
        }
        return try SettingsFile(path: path, content: bytes)
    }

    /// What `content` says.
    ///
    /// - Throws: `SettingsError.malformed` for what is no YAML, or no table of names with values, lists and tables of
    ///   these.
    package init(path: String, content: [UInt8]) throws(SettingsError) {
        self.path = path
        var reader = SettingsReader(path: path, content: content)
        entries = try reader.entries()
    }

    /// Checks that only settings that there are are set, to what they may be set to.
    ///
    /// - Throws: `SettingsError.unknown`, `.wrong` for the first line that is not so.
    package func check(against rules: [SettingRule]) throws(SettingsError) {
        for entry in entries {
            let place = SettingsPlace.file(path: path, line: entry.line)
            guard let rule = rules.first(where: { $0.isMeant(by: entry.name) && (entry.depth < 2 || $0.isNested) })
            else {
                throw .unknown(place, name: entry.name, known: rules.map(\.name).sorted())
            }
            guard rule.accepts(entry.value) else {
                throw .wrong(place, name: entry.name, value: entry.value.words, allowed: rule.allowed)
            }
        }
    }

    func entry(_ name: String) -> SettingsEntry? { entries.first { $0.name == name } }
}

extension HostError {
    /// Why, without what was tried.
    fileprivate var reason: String {
        guard case .file(_, _, let code) = self else { return description }
        return Self.text(ofErrno: code)
    }
}
