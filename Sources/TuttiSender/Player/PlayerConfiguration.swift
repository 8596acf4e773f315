package import TuttiAssets
package import TuttiCore
package import TuttiHost
package import TuttiProduction
package import TuttiRooms
import TuttiStretch
import TuttiWire

/// What a player is to play, where and how.
package struct PlayerConfiguration: Sendable {
    /// The tracks, in order.
    package var inputs: [AssetInput]
    /// The rooms; those without a host are looked up on the network.
    package var rooms: [RoomAddress]
    /// Where the timeline begins.
    package var startAt: MediaTime
    /// Seconds of the tracks that pass in a second, 0.5 … 2; the pitch stays.
    package var rate = 1.0
    /// How long a track and the next one overlap at most: 0 … 12 s; not at all when zero.
    package var crossfade = MediaTime.zero
    /// What is made equally loud.
    package var normalization = LoudnessNormalization.off
    /// Whether there is less difference between loud and soft.
    package var isNight = false
    /// Which tracks of films play.
    package var tracks = TrackChoices()
    /// Tells how loud inputs were measured to be; nil when nothing was.
    package var loudness: TrackLevel.Lookup?
    /// What live sources say that they play; nil where nobody reads that.
    package var tags: StreamTagBoard?
    /// The room whose card leads playback time, by its name, so that it plays without resampling; nil for none.
    package var reference: String?
    /// How it travels.
    package var encoding: EncodingOptions
    /// Whether to play in the rooms that answer when others do not.
    package var allowsMissingRooms: Bool
    /// Who plays.
    package var identity: SenderIdentity
    /// This host's clock.
    package var clock: HostClock
    /// For timelines that are not the same in all rooms: the stretches that a room plays, by the label of its address;
    /// it is silent in the others. Rooms that are not named play everything. Needs the codec PCM.
    package var parts: [String: [TimeRange]] = [:]
    /// Whether the timeline is an announcement, which is mixed into what the rooms play and leaves their clocks and
    /// settings alone. Otherwise it owns the rooms.
    package var isAnnouncement = false
    /// Whether the player stays in its rooms, paused, when the queue is over or empty, and plays what is added then.
    /// Otherwise that is its end.
    package var staysAtEnd = false
    /// The instant at which the first sound is to play; rooms that are ready sooner are told of it at once, and wait.
    /// Nil, or one that has passed, for as soon as the rooms are ready.
    package var startsAt: HostTime?
    /// An input that has been opened already.
    package var opened: OpenedAsset?
    /// Nanoseconds within which all rooms must have answered.
    package var connectTimeout: Int64 = 2_200_000_000

    /// The rates there are.
    package static var rates: ClosedRange<Double> { TimeStretcher.rates }

    /// A configuration.
    package init(
        inputs: [AssetInput], rooms: [RoomAddress], startAt: MediaTime = .zero, encoding: EncodingOptions,
        allowsMissingRooms: Bool = false, identity: SenderIdentity, clock: HostClock
    ) {
        self.inputs = inputs
        self.rooms = rooms
        self.startAt = startAt
        self.encoding = encoding
        self.allowsMissingRooms = allowsMissingRooms
        self.identity = identity
        self.clock = clock
    }

    /// How the rooms are played to.
    ///
    /// - Parameter streamID: names the timeline to them; nil for a new name.
    func group(streamID: UInt32?) -> RoomGroupConfiguration {
        var group = RoomGroupConfiguration(identity: identity, clock: clock)
        group.policy = isAnnouncement ? .default : .longForm
        (group.codec, group.keepsOriginals) = (encoding.codec, encoding.keepsOriginals)
        group.reference = isAnnouncement ? nil : reference
        (group.streamID, group.parts) = (streamID, parts)
        return group
    }
}
