import TuttiCore
package import TuttiRemote
package import TuttiSchema

/// What a sink asks of the service.
package enum SinkRequest {
    /// Asks the service for something and waits for the answer.
    package typealias Asking = (ControlRequest) throws(ServiceClient.Failure) -> ControlResponse

    /// The track that a sink plays, and what it has interrupted.
    package struct Track: Sendable, Equatable {
        /// Its number in the queue; nil if it is not known.
        package var entry: UInt64?
        /// The group that it plays in; nil for the only one.
        package var group: String?
        package var interrupted: Interrupted?

        /// A track.
        package init(entry: UInt64?, group: String?, interrupted: Interrupted?) {
            (self.entry, self.group, self.interrupted) = (entry, group, interrupted)
        }
    }

    /// What played before.
    package struct Interrupted: Sendable, Equatable {
        package var entry: UInt64
        /// Seconds into it.
        package var position: Double
        package var wasPaused: Bool

        /// A track that was at a place.
        package init(entry: UInt64, position: Double, wasPaused: Bool) {
            (self.entry, self.position, self.wasPaused) = (entry, position, wasPaused)
        }
    }

    // MARK: Playing

    /// Has a sink's sound played in its group. What plays there is interrupted; a queue that is stopped is replaced, as by
    /// `tutti play`.
    ///
    /// - Parameter pause: waits a moment.
    package static func play(
        _ input: ControlInput, in group: HouseView.Group, at now: Double, asking ask: Asking, pause: () -> Void
    ) throws(ServiceClient.Failure) -> Track {
        let status = group.status
        guard let status, let item = status.item, status.state != .stopped, status.state != .ended else {
            let response = try ask(
                ControlRequest(
                    .play(order(for: input, in: group), name: group.name.isEmpty ? nil : group.name, detach: true)))
            let name = response.status?.group ?? (group.name.isEmpty ? nil : group.name)
            return Track(entry: try entry(of: input, inGroup: name, asking: ask), group: name, interrupted: nil)
        }
        let name = status.group ?? (group.name.isEmpty ? nil : group.name)
        _ = try ask(ControlRequest(.insert([input]), group: name))
        guard let own = try entry(of: input, inGroup: name, asking: ask) else {
            throw .refused("it is not in the queue", exitCode: 1)
        }
        var track = Track(entry: own, group: name, interrupted: nil)
        if item.uri != input.uri, let entry = item.id {
            let position = group.position(at: now)
            track.interrupted = Interrupted(entry: entry, position: position, wasPaused: status.state == .paused)
        }
        do throws(ServiceClient.Failure) {
            _ = try ask(ControlRequest(.jump(.id(own)), group: name))
            _ = try ask(ControlRequest(.resume(), group: name))
        } catch {
            // A track that cannot be played has ended the queue.
            pause()
            try? finish(track, asking: ask)
            throw error
        }
        return track
    }

    /// The latest entry of the queue that is this input; it has the greatest number.
    private static func entry(
        of input: ControlInput, inGroup group: String?, asking ask: Asking
    ) throws(ServiceClient.Failure) -> UInt64? {
        let entries = try ask(ControlRequest(.queue, group: group)).queue?.entries ?? []
        return entries.filter { $0.uri == input.uri }.map(\.id).max()
    }

    private static func order(for input: ControlInput, in group: HouseView.Group) -> PlayOrder {
        var order = PlayOrder(inputs: [input])
        if group.isNamed { order.groups = [group.name] } else { order.rooms = group.rooms }
        order.any = true
        return order
    }

    // MARK: Ending

    /// Takes a sink's track out of the queue, and goes back to what it has interrupted, unless somebody has gone elsewhere.
    package static func finish(_ track: Track, asking ask: Asking) throws(ServiceClient.Failure) {
        guard let own = track.entry else { return }
        let listing = try ask(ControlRequest(.queue, group: track.group)).queue
        guard let listing, let place = listing.entries.firstIndex(where: { $0.id == own }) else { return }
        let hasFailed = listing.entries[place].failure != nil
        if listing.index == place || hasFailed, let interrupted = track.interrupted,
            listing.entries.contains(where: { $0.id == interrupted.entry })
        {
            _ = try ask(ControlRequest(.jump(.id(interrupted.entry)), group: track.group))
            if hasFailed { _ = try ask(ControlRequest(.resume(), group: track.group)) }
            if let time = MediaTime(seconds: interrupted.position, preferredTimescale: 1000) {
                // A station has no place to go to.
                _ = try? ask(ControlRequest(.seek(.to(time)), group: track.group))
            }
            if interrupted.wasPaused { _ = try ask(ControlRequest(.pause, group: track.group)) }
        }
        _ = try ask(ControlRequest(.remove([.id(own)]), group: track.group))
    }

    // MARK: Volume

    /// How often a volume is asked for once more.
    private static let retries = 4

    /// Makes a group as loud as its sink: the loudest room gets the volume, and the others keep their distance to it.
    ///
    /// - Parameter pause: waits a moment.
    package static func setLevel(
        _ level: GroupLevel, from before: GroupLevel?, of group: HouseView.Group, asking service: Asking,
        pause: () -> Void
    ) throws(ServiceClient.Failure) {
        let name = group.name.isEmpty ? group.status?.group : group.name
        // Where nothing plays, a speaker listens to one request at a time, and turns away a second one.
        func ask(_ request: ControlRequest) throws(ServiceClient.Failure) {
            for _ in 0..<retries {
                if (try? service(request)) != nil { return }
                pause()
            }
            _ = try service(request)
        }
        // All rooms of a house in which nothing plays are no group: each is asked for.
        let rooms: [String?] = name == nil ? group.rooms : [nil]
        let volume = min(max(level.volume, 0), 100)
        for room in rooms {
            if before?.isMuted != level.isMuted {
                try ask(ControlRequest(.mute(level.isMuted, room: room), group: name))
            }
            guard before.map({ abs($0.volume - volume) >= 0.5 }) ?? true else { continue }
            let alone = before.map { VolumeChange.by(volume - $0.volume) } ?? .to(volume)
            try ask(ControlRequest(.volume(room == nil ? .balanced(volume) : alone, room: room), group: name))
        }
    }
}
