/// A radio station that is kept by name, as an input: `station:NAME`.
package enum StationName {
    /// What the input begins with.
    private static let prefix = "station:"
    /// Characters of a name.
    package static let lengths = 1...100

    /// The name in an input; nil for any other input.
    package static func name(in uri: String) -> String? {
        uri.hasPrefix(prefix) ? String(uri.dropFirst(prefix.count)) : nil
    }

    /// The input for a name.
    package static func uri(of name: String) -> String { prefix + name }
}
