import TuttiCore
package import TuttiRemote
package import TuttiSchema

/// A group as a player on the bus: what it shows, and what those who listen are told when it changes.
package struct MediaPlayer: Sendable {
    /// What listeners are told.
    package enum Signal: Sendable, Equatable {
        /// `PropertiesChanged`: these have other values now.
        case changed([String: BusValue])
        /// `Seeked`: the position is another than playing would have led to; microseconds.
        case seeked(Int64)
    }

    /// The group, as it was last seen.
    package private(set) var group: HouseView.Group
    /// What it shows.
    package private(set) var properties = PlayerProperties()
    /// Where clients think that it is.
    private var belief = Belief(position: 0, time: 0, rate: 0)

    /// How far a position may be from where clients think that it is, in seconds: pauses and starts are seen some
    /// tenths of a second before rooms do them.
    static let tolerance = 0.5

    /// A position that clients carry on by themselves.
    private struct Belief: Sendable {
        var position: Double
        var time: Double
        /// 0 unless it plays.
        var rate: Double

        func position(at now: Double) -> Double { position + max(0, now - time) * rate }
    }

    /// A player for a group.
    ///
    /// - Parameters:
    ///   - rooms: all rooms of the service.
    ///   - artwork: the address of the picture of what it plays.
    ///   - now: seconds, as `HouseView` has them.
    package init(_ group: HouseView.Group, rooms: [RoomStatus], artwork: String?, at now: Double) {
        self.group = group
        properties = Self.properties(of: group, rooms, artwork, after: properties)
        believe(group.position(at: now), at: now)
    }

    /// What it shows as its program's name.
    package var identity: String { group.name.isEmpty ? "Tutti" : "Tutti: \(group.name)" }

    /// Microseconds into the track.
    package func position(at now: Double) -> Int64 { Microseconds.count(ofSeconds: group.position(at: now)) }

    /// Takes how the group stands now.
    ///
    /// - Returns: what listeners are to be told.
    package mutating func take(
        _ group: HouseView.Group, rooms: [RoomStatus], artwork: String?, at now: Double
    ) -> [Signal] {
        let (before, previous) = (self.group, properties)
        self.group = group
        properties = Self.properties(of: group, rooms, artwork, after: previous)
        let changes = properties.changes(since: previous)
        var signals: [Signal] = changes.isEmpty ? [] : [.changed(changes)]

        let actual = group.position(at: now)
        let isSameTrack = properties.track?.id == previous.track?.id
        let expected = isSameTrack ? belief.position(at: now) : 0
        // While rooms fill their buffers only a jump is told; what clients think meanwhile is set right when they play.
        let reference = isSameTrack && isSettling ? before.position(at: now) : expected
        if properties.track != nil, abs(actual - reference) > Self.tolerance {
            signals.append(.seeked(Microseconds.count(ofSeconds: actual)))
            believe(actual, at: now)
        } else {
            believe(expected, at: now)
        }
        return signals
    }

    /// Notes a rate that was set and that the group does not report until it plays.
    package mutating func noteRate(_ rate: Double) -> [Signal] {
        guard properties.playback != .playing, PlayerProperties.rates.contains(rate) else { return [] }
        let previous = properties
        properties.rate = rate
        let changes = properties.changes(since: previous)
        return changes.isEmpty ? [] : [.changed(changes)]
    }

    /// Whether it shows the same as another one that an answer of the service leads to. What can be done follows from
    /// the rest, and pictures come later.
    package func agrees(with other: MediaPlayer, at now: Double) -> Bool {
        let (one, two) = (properties, other.properties)
        return one.playback == two.playback && one.loop == two.loop && one.shuffle == two.shuffle
            && one.rate == two.rate && abs(one.volume - two.volume) < 0.001 && one.track?.item == two.track?.item
            && abs(group.position(at: now) - other.group.position(at: now)) < Self.tolerance
    }

    /// Whether the rooms are about to play from another place.
    private var isSettling: Bool { group.status?.state == .buffering || group.status?.state == .starting }

    private mutating func believe(_ position: Double, at now: Double) {
        belief = Belief(
            position: position, time: now, rate: properties.playback == .playing ? properties.rate : 0)
    }

    // MARK: Properties

    private static func properties(
        of group: HouseView.Group, _ rooms: [RoomStatus], _ artwork: String?, after previous: PlayerProperties
    ) -> PlayerProperties {
        var properties = previous
        properties.volume = volume(of: group, rooms) ?? previous.volume
        guard let status = group.status else {
            (properties.playback, properties.track, properties.abilities) = (.stopped, nil, .init())
            return properties
        }
        properties.playback = playback(status.state, after: previous.playback)
        properties.loop = status.queue.repeat ?? .off
        properties.shuffle = status.queue.shuffle ?? false
        if PlayerProperties.rates.contains(status.rate) { properties.rate = status.rate }
        properties.track = status.item.map { PlayerProperties.Track(item: $0, artwork: artwork) }
        properties.abilities = abilities(status)
        return properties
    }

    /// While rooms connect or fill their buffers, it is what it was.
    private static func playback(
        _ state: PlayerStatus.State, after previous: PlayerProperties.Playback
    ) -> PlayerProperties.Playback {
        switch state {
        case .playing: .playing
        case .paused: .paused
        case .ended, .stopped: .stopped
        case .starting: previous
        case .buffering: previous == .stopped ? .playing : previous
        }
    }

    private static func abilities(_ status: PlayerStatus) -> PlayerProperties.Abilities {
        var abilities = PlayerProperties.Abilities()
        let queue = status.queue
        abilities.canPlay = queue.length > 0 || status.item != nil
        guard status.state != .stopped, status.item != nil else { return abilities }
        let follows = queue.index < queue.length - 1
        abilities.canGoNext = follows || (queue.repeat == .all && (queue.length > 1 || queue.consume != true))
        (abilities.canGoPrevious, abilities.canPause) = (true, true)
        abilities.canSeek = status.item?.duration != nil
        return abilities
    }

    /// The volume of its loudest room, 0 … 1; nil if none is known.
    private static func volume(of group: HouseView.Group, _ rooms: [RoomStatus]) -> Double? {
        GroupLevel(of: group, rooms: rooms).map { $0.isMuted ? 0 : $0.volume / 100 }
    }
}
