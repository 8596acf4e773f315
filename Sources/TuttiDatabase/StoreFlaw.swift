/// Why a store is renamed and replaced.
package enum StoreFlaw: Error, Equatable {
    /// It is not a store, or is broken.
    case unreadable(String)
    /// A newer version made it.
    case newer

    /// A part of the name that it gets.
    var word: String {
        switch self {
        case .unreadable: "unreadable"
        case .newer: "newer"
        }
    }
}

extension StoreFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let reason): "cannot be read (\(reason))"
        case .newer: "is from a newer version"
        }
    }
}
