/// A setting as it stands in a file.
struct SettingsEntry: Sendable, Equatable {
    /// Names of tables come before it, with full stops between them.
    let name: String
    let value: SettingValue
    /// Counted from 1.
    let line: Int
}
