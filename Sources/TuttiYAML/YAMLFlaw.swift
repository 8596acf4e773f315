/// Why a file is no YAML.
package struct YAMLFlaw: Error, Sendable, Equatable {
    /// Counted from 1.
    package let line: Int
    package let reason: String
}
