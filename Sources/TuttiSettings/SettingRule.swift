/// What holds for a setting whatever its type is.
package struct SettingRule: Sendable {
    package let name: String
    package let allowed: String
    let accepts: @Sendable (SettingValue) -> Bool

    /// Whether a name of a file means this setting.
    func isMeant(by name: String) -> Bool {
        guard self.name.hasSuffix(".*") else { return name == self.name }
        let prefix = self.name.dropLast()
        return name.hasPrefix(prefix) && name.count > prefix.count
    }
}
