/// Why speakers cannot be found or made known.
package enum DiscoveryError: Error, Hashable, Sendable {
    /// Neither the Avahi daemon nor, perhaps, the system message bus that leads to it is there.
    case daemonNotRunning
    /// The daemon refused or failed, with its own words.
    case avahi(String)
    /// What is to be published cannot be.
    case invalidRecord(String)
    /// The system gives no thread or no memory.
    case resources(String)
}

extension DiscoveryError: CustomStringConvertible {
    /// What happened, in one line.
    package var description: String {
        switch self {
        case .daemonNotRunning: "avahi-daemon is not running, so speakers cannot be found or announced by name"
        case .avahi(let what): "Avahi failed: \(what)"
        case .invalidRecord(let what): "the speaker cannot be announced: \(what)"
        case .resources(let what): "discovery cannot start: \(what)"
        }
    }
}
