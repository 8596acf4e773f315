/// What holds for a setting whatever its type is.
package struct SettingRule: Sendable {
    package let name: String
    package let allowed: String
    let accepts: @Sendable (SettingValue) -> Bool

    /// Whether a name of a file means this setting.
    func isMeant(by name: String) -> Bool {
        part(of: name) != nil || name == self.name
    }

    /// Whether a table in a table may hold it.
    var isNested: Bool { name.count(where: { $0 == "." }) > 1 }

    /// What stands in a name in the place of this one's `*`: anything at the end, no point before that.
    func part(of name: String) -> String? {
        guard let star = self.name.firstIndex(of: "*") else { return nil }
        let (prefix, suffix) = (self.name[..<star], self.name[self.name.index(after: star)...])
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count
        else { return nil }
        let part = name.dropFirst(prefix.count).dropLast(suffix.count)
        return suffix.isEmpty || !part.contains(".") ? String(part) : nil
    }
}
