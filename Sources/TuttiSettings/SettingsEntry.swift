/// A setting as it stands in a file.
struct SettingsEntry: Sendable, Equatable {
    /// Names of tables come before it, with full stops between them.
    let name: String
    /// How many tables it stands in.
    let depth: Int
    let value: SettingValue
    /// Counted from 1.
    let line: Int
}
