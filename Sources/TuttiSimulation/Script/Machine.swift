/// A process of the house and the host of its own that it runs on.
package enum Machine: Sendable, Hashable, Codable {
    /// The speaker of the room of that name.
    case speaker(String)
    /// The sender of that name.
    case sender(String)

    /// The room's or the sender's name.
    package var name: String {
        switch self {
        case .speaker(let name), .sender(let name): name
        }
    }
}
