import Logging
import TuttiAssets
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Something new to play.
extension House {
    /// What is being played for an order.
    struct Started: Sendable {
        let name: String
        let player: Player
        let events: AsyncStream<PlayerEvent>
    }

    /// Plays an order in its rooms, instead of what the group plays; the rooms leave other groups.
    ///
    /// - Parameters:
    ///   - name: what the group is to be called; nil for a name made of its groups or rooms.
    ///   - plan: the rooms and tracks, which have been checked.
    ///   - start: the instant of the first sound; nil for at once.
    ///   - keepsStopped: whether a stopped queue of the group is to be there again once this has ended.
    func play(
        _ order: PlayOrder, _ plan: Takeover, as name: String?, at start: HostTime? = nil, keepsStopped: Bool = false
    ) async throws(SenderError) -> Started {
        let rooms = plan.rooms
        let name = spelled(name ?? Self.name(of: order, rooms))
        let key = Names.fold(name)
        let reference = try order.reference(among: rooms, known: await knownReference(of: key))
        if start == nil, reference == (await knownReference(of: key)), let group = playing[key],
            await canGoOn(group, with: order, rooms),
            let started = try? await replace(plan, in: key)
        {
            playing[key]?.order = order
            playing[key]?.isAlarm = false
            putBackLevels(of: key)
            return started
        }
        let sound = await knownSound(of: key)
        let tracks = try order.tracks(known: sound.tracks)
        if order.subtitle != nil { try tracks.checkFile() }
        await end(key, keepsQueue: false)
        try await free(rooms, except: key)
        var configuration = try configuration(order, plan)
        (configuration.normalization, configuration.isNight) = (order.normalise ?? sound.normalization, sound.isNight)
        configuration.tracks = tracks
        (configuration.reference, configuration.startsAt) = (reference, start)
        let rows = PlayerRows(store, name: name)
        let player = Playing(
            serial: nextSerial(), player: try Player(configuration, journal: rows), rows: rows, order: order)
        let events = await player.player.events()
        enter(player, as: name)
        playing[key]?.isAlarm = start != nil
        if !keepsStopped { dropStopped(key) }
        await player.player.begun()
        for absence in plan.absences { logger.notice("\(absence)", metadata: ["group": "\(name)"]) }
        logger.info(
            "playback started", metadata: ["group": "\(name)", "rooms": "\(rooms.map(\.label).joined(separator: " "))"])
        if start != nil || order.volume != nil || order.fade != nil { comeUp(order, key, start) }
        return Started(name: name, player: player.player, events: events)
    }

    /// Makes an announcement.
    func say(_ order: PlayOrder) async throws(SenderError) -> Started {
        let plan = try await plan(order)
        var configuration = PlayerConfiguration(
            inputs: plan.assets, rooms: plan.rooms, encoding: try order.encoding(),
            allowsMissingRooms: order.any ?? false, identity: configuration.identity.forAnnouncement,
            clock: configuration.clock)
        configuration.isAnnouncement = true
        configuration.opened = plan.opened
        let player = try Player(configuration)
        let events = await player.events()
        Task { _ = await player.run() }
        self.configuration.onAnnouncement?(plan.rooms.map(\.label))
        return Started(name: "", player: player, events: events)
    }

    /// What an order is played with.
    private func configuration(_ order: PlayOrder, _ plan: Takeover) throws(SenderError) -> PlayerConfiguration {
        var configuration = PlayerConfiguration(
            inputs: plan.assets, rooms: plan.rooms, startAt: try order.start(), encoding: try order.encoding(),
            allowsMissingRooms: order.any ?? false, identity: configuration.identity,
            clock: configuration.clock)
        configuration.rate = order.rate ?? 1
        configuration.crossfade = try order.crossfadeTime()
        configuration.loudness = loudnessLookup
        configuration.tags = self.configuration.tags
        configuration.opened = plan.opened
        return configuration
    }

    /// Runs a player, and handles its events and its end.
    func enter(_ group: Playing, as name: String) {
        let key = Names.fold(name)
        var group = group
        group.end = Task { [player = group.player, serial = group.serial] in
            let events = await player.events(asOwner: true)
            async let outcome = player.run()
            for await event in events {
                self.note(event, of: key, serial)
                self.pass(event, of: key, serial)
            }
            await self.ended(key, serial, await outcome)
        }
        playing[key] = group
        names[key] = name
        watchers.tell(ControlEvent(.changed(.groups), group: name))
    }

    private func ended(_ key: String, _ serial: Int, _ outcome: PlayerOutcome) async {
        guard let player = playing[key]?.player, playing[key]?.serial == serial else { return }
        let (remains, rooms) = (await player.remains, await player.status().rooms.map(\.name))
        guard !isLeaving, let group = playing[key], group.serial == serial else { return }
        playing[key] = nil
        stopListening(in: key)
        if group.keepsQueue, let remains, stopped[key] == nil || !isInput(remains) {
            park(remains, key, names[key] ?? key, group.rows)
        } else {
            group.rows.remove()
        }
        putBackLevels(in: rooms)
        let name = names.removeValue(forKey: key) ?? key
        let why = outcome.message.map { ": \($0)" } ?? ""
        logger.log(
            level: outcome.exitCode == 0 ? .info : .warning, "playback ended\(why)", metadata: ["group": "\(name)"])
        forgetSleep(of: key)
        watchers.tell(ControlEvent(.changed(.groups), group: name))
    }

    /// Ends what a group plays, and waits until its rooms are free.
    ///
    /// - Parameter keepsQueue: whether it may be resumed.
    func end(_ key: String, keepsQueue: Bool = true) async {
        playing[key]?.keepsQueue = keepsQueue
        guard let group = playing[key] else { return }
        await group.player.stop()
        await group.end?.value
    }

    /// The reference room that a group has, playing or not.
    private func knownReference(of key: String) async -> String? {
        if let group = playing[key] { return await group.player.status().reference }
        return stopped[key]?.record.state.reference
    }

    /// How a group sounds.
    private struct KnownSound {
        var normalization = LoudnessNormalization.off
        var isNight = false
        var tracks = TrackChoices()
    }

    /// How a group sounds, playing or not.
    private func knownSound(of key: String) async -> KnownSound {
        if let group = playing[key] {
            let queue = await group.player.status().queue
            return KnownSound(
                normalization: queue.normalise ?? .off, isNight: queue.night ?? false,
                tracks: await group.player.trackChoices)
        }
        let state = stopped[key]?.record.state
        return KnownSound(
            normalization: state?.normalization ?? .off, isNight: state?.isNight ?? false,
            tracks: state?.tracks ?? TrackChoices())
    }

    // MARK: The same rooms

    /// Whether a group's player can play an order as it is.
    private func canGoOn(_ group: Playing, with order: PlayOrder, _ rooms: [RoomAddress]) async -> Bool {
        guard let before = group.order, order.startAt == nil, order.volume == nil, order.fade == nil,
            (before.codec, before.bitrate) == (order.codec, order.bitrate),
            (before.rate, before.crossfade, before.normalise) == (order.rate, order.crossfade, order.normalise)
        else { return false }
        let tracks = await group.player.trackChoices
        guard (try? order.tracks(known: tracks)) == tracks else { return false }
        let present = await group.player.status().rooms
        return present.count == rooms.count
            && rooms.allSatisfy { room in present.contains { room.isMeant(by: $0.name, $0.address) } }
    }

    private func replace(_ plan: Takeover, in key: String) async throws(SenderError) -> Started {
        guard let group = playing[key] else { throw .nothingPlaying }
        let events = await group.player.events()
        try await group.player.replaceAll(plan.assets, opened: plan.opened)
        return Started(name: names[key] ?? key, player: group.player, events: events)
    }

    // MARK: Names

    /// The name of a group that has no given name.
    static func name(of order: PlayOrder, _ rooms: [RoomAddress]) -> String {
        let parts = order.rooms.isEmpty ? order.groups : rooms.map(\.label)
        return parts.joined(separator: "+")
    }
}
