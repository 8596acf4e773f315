/// A setting that is none, or a file that cannot be read: one line that says where, what, and what is allowed.
package enum SettingsError: Error, Sendable, Equatable {
    /// The file cannot be read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    /// What stands there is no list of settings; `reason` reads on from the place.
    case malformed(SettingsPlace, reason: String)
    /// There is no setting of that name; `known` are all that there are.
    case unknown(SettingsPlace, name: String, known: [String])
    /// The setting takes other values; `allowed` reads on from "is not".
    case wrong(SettingsPlace, name: String, value: String, allowed: String)
}

extension SettingsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .malformed(let place, let reason): "\(place): \(reason)"
        case .unknown(let place, let name, let known):
            "\(place): no such setting: \(name); use \(known.joined(separator: ", "))"
        case .wrong(let place, let name, let value, let allowed):
            "\(place): \(name): \(value.isEmpty ? "an empty value" : value) is not \(allowed)"
        }
    }
}
