/// How far a `SpeakerPublisher` has come.
package enum PublisherState: Sendable, Hashable {
    /// The speaker is not known on the network, for this reason; the publisher goes on trying.
    case waiting(DiscoveryError)
    /// The daemon is making sure that the name is free.
    case registering
    /// The speaker is known under this name, which differs from the wanted one when that was taken.
    case published(name: String)
    /// The publisher was stopped.
    case stopped
}
