/// Why a file is no YAML.
struct YAMLFlaw: Error, Sendable, Equatable {
    /// Counted from 1.
    let line: Int
    let reason: String
}
