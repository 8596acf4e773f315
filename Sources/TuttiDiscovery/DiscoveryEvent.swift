/// What a browser tells.
package enum DiscoveryEvent: Sendable, Hashable {
    /// A speaker appeared, or something about it changed (an address, the port, the claim).
    case found(DiscoveredSpeaker)
    /// A speaker went away; the value is what was last known of it.
    case lost(DiscoveredSpeaker)
    /// Everything that was on the network at the start has been told; comes once, a second or so after the start.
    case settled
    /// The daemon is gone or refuses; the browser goes on trying, and tells `found` again when it succeeds.
    case failed(DiscoveryError)
}
