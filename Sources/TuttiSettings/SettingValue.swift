/// What a setting is set to, as it is written.
package enum SettingValue: Sendable, Equatable {
    case text(String)
    case list([String])

    /// As it is told in an error.
    var words: String {
        switch self {
        case .text(let text): text
        case .list(let items): "[\(items.joined(separator: ", "))]"
        }
    }
}
