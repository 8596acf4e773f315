/// A setting that makes no sense: which, and what is allowed.
struct SettingsError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
