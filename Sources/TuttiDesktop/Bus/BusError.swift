/// Why there is nothing to be on.
package enum BusError: Error, Equatable, CustomStringConvertible {
    /// The environment names no session bus.
    case noAddress
    /// No bus answers there.
    case unreachable(address: String, reason: String)
    /// Another process has the name.
    case nameTaken(String)
    /// The bus does not give the name.
    case nameRefused(String, reason: String)
    /// The bus has ended the connection.
    case gone

    /// In one line, for people.
    package var description: String {
        switch self {
        case .noAddress:
            "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set; run this in your desktop session"
        case .unreachable(let address, let reason): "the session bus at \(address) does not answer: \(reason)"
        case .nameTaken(let name): "another process has the name \(name)"
        case .nameRefused(let name, let reason): "the session bus does not give the name \(name): \(reason)"
        case .gone: "the session bus is gone"
        }
    }
}
