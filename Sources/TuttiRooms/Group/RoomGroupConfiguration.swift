package import TuttiCore
package import TuttiHost
import TuttiWire

/// How a group of rooms is played to.
package struct RoomGroupConfiguration {
    /// Who plays.
    let identity: SenderIdentity
    /// This host's clock.
    let clock: HostClock
    /// What the rooms are told that the timeline is.
    package var policy = RouteSharingPolicy.longForm
    /// A codec that every room must decode.
    package var codec = AudioFormat.Codec.flac
    /// Whether packets may be of original formats, which are encoded for the rooms that do not decode them.
    package var keepsOriginals = false
    /// Whether this host leads the clock whatever clock the rooms know: group time is its own time and a constant then.
    package var alwaysLeads = false
    /// The room whose card leads playback time, by its name.
    package var reference: String?
    /// Names the timeline to the rooms; nil for a new name.
    package var streamID: UInt32?
    /// The stretches that a room plays, by the label of its address, where not all play everything.
    package var parts: [String: [TimeRange]] = [:]

    package init(identity: SenderIdentity, clock: HostClock) {
        self.identity = identity
        self.clock = clock
    }
}
