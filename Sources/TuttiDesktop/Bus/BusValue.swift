/// A value in a message of D-Bus: those types that media players use, and the name of any other.
package indirect enum BusValue: Sendable, Equatable {
    case boolean(Bool)
    case int64(Int64)
    case double(Double)
    case string(String)
    /// Begins with a slash; only letters, digits, underscores and single slashes.
    case objectPath(String)
    case strings([String])
    /// Names with values of any type: `a{sv}`.
    case dictionary([String: BusValue])
    /// A value that says of which type it is.
    case variant(BusValue)
    /// One of a type that nobody here reads, by its signature.
    case other(signature: String)

    /// Its type as D-Bus writes it.
    package var signature: String {
        switch self {
        case .boolean: "b"
        case .int64: "x"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .strings: "as"
        case .dictionary: "a{sv}"
        case .variant: "v"
        case .other(let signature): signature
        }
    }
}
