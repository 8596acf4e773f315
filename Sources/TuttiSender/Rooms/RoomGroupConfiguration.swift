import TuttiCore
import TuttiHost
import TuttiWire

/// How a group of rooms is played to.
struct RoomGroupConfiguration {
    /// Who plays.
    let identity: SenderIdentity
    /// This host's clock.
    let clock: HostClock
    /// What the rooms are told that the programme is.
    var policy = RouteSharingPolicy.longForm
    /// A codec that every room must decode.
    var codec = AudioFormat.Codec.flac
    /// Whether packets may be of original formats, which are encoded for the rooms that do not decode them.
    var keepsOriginals = false
    /// Whether this host leads the clock whatever clock the rooms know: group time is its own time and a constant then.
    var alwaysLeads = false
    /// The room whose card leads playback time, by its name.
    var reference: String?
    /// Names the programme to the rooms; nil for a new name.
    var streamID: UInt32?
    /// The stretches that a room plays, by the label of its address, where not all play everything.
    var parts: [String: [TimeRange]] = [:]
}
