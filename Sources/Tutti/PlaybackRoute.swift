public import TuttiEngine
package import TuttiPlayback
import TuttiRooms
import TuttiTrust

/// Where a renderer plays, and how much audio it wants there ahead of the playhead.
public struct PlaybackRoute: Sendable, Identifiable {
    /// The sort of a route.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A card of this host: wants seconds.
        case local
        /// A card that is far behind its driver, as Bluetooth is: wants some more.
        case bluetooth
        /// Rooms on the network, all in step: want minutes.
        case rooms
        /// An `OfflineOutput`.
        case offline
    }

    /// Names the route among those of this host.
    public let id: String
    /// What to show people.
    public let name: String
    /// The sort of the route.
    public let kind: Kind
    package let traits: RouteTraits
    package let clock: PlaybackClock
    package let open: @Sendable (_ handler: @escaping RoutePortHandler) throws(PlaybackError) -> any RoutePort

    /// A route whose ports `open` makes.
    package init(
        id: String, name: String, kind: Kind, traits: RouteTraits, clock: PlaybackClock,
        open: @escaping @Sendable (_ handler: @escaping RoutePortHandler) throws(PlaybackError) -> any RoutePort
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.traits = traits
        self.clock = clock
        self.open = open
    }

    /// How much audio the route wants ahead of the playhead.
    public var depth: Duration { .nanoseconds(Int64(traits.depth * 1e9)) }

    /// The card of a session.
    ///
    /// - Parameters:
    ///   - session: whose card it is.
    ///   - depth: what to want ahead of the playhead, 0.25 s … 1 h.
    public static func local(session: AudioSession = .shared, depth: Duration = .seconds(4)) -> PlaybackRoute {
        card(.local, session, depth)
    }

    /// The card of a session that plays over Bluetooth or something like it.
    ///
    /// - Parameters:
    ///   - session: whose card it is.
    ///   - depth: what to want ahead of the playhead, 0.25 s … 1 h.
    public static func bluetooth(session: AudioSession, depth: Duration = .seconds(10)) -> PlaybackRoute {
        card(.bluetooth, session, depth)
    }

    /// Rooms on the network, which play as one.
    ///
    /// - Parameters:
    ///   - rooms: which. Those without a host are looked up on the network, until they are found.
    ///   - depth: what to want ahead of the playhead, 0.25 s … 1 h. A room takes as much of it as it has room for, some
    ///     minutes.
    ///   - name: what people are shown, in the rooms too; nil for the rooms' own.
    ///   - stateDirectory: where the household that plays is kept, and made at first use; nil for this user's.
    ///   - speaksInTheClear: whether to speak to rooms in the clear, as to those that were started with `--open`.
    public static func rooms(
        _ rooms: [RoomEndpoint], depth: Duration = .seconds(300), name: String? = nil, stateDirectory: String? = nil,
        speaksInTheClear: Bool = false
    ) -> PlaybackRoute {
        let label = name ?? rooms.map(\.label).joined(separator: ", ")
        return PlaybackRoute(
            id: "rooms:" + rooms.map(\.description).joined(separator: ","), name: label, kind: .rooms,
            traits: RouteTraits(depth: depth / .seconds(1), flushMargin: RoomsPort.flushMargin), clock: .system
        ) { handler throws(PlaybackError) in
            let trust: Membership?
            do throws(SenderError) {
                trust = try speaksInTheClear ? nil : Membership.ofUser(stateDirectory: stateDirectory)
            } catch {
                throw .output(error.description)
            }
            return try RoomsPort(rooms, name: label, trust: trust, handler: handler)
        }
    }

    /// The same way, with an engine before its end: what the renderer plays is the engine's `inputNode`, and what comes out
    /// of the engine is heard. An engine that is late is made up for. The engine is stopped, put into manual rendering and
    /// started when a renderer begins to play; it is for one renderer.
    ///
    /// On a card and offline the engine renders what is about to be heard: change its graph and nodes as you like
    /// meanwhile. What goes to rooms is rendered as soon as it is enqueued, so a change is heard minutes later, and after a
    /// seek or a flush the engine begins anew. For the sound of a room, `tutti room` is better.
    public func through(_ engine: AudioEngine) -> PlaybackRoute {
        let open = open
        return PlaybackRoute(id: id, name: name, kind: kind, traits: traits, clock: clock) {
            handler throws(PlaybackError) in
            let port = try open(handler)
            do throws(PlaybackError) {
                try port.process(through: engine)
            } catch {
                port.close()
                throw error
            }
            return port
        }
    }

    private static func card(_ kind: Kind, _ session: AudioSession, _ depth: Duration) -> PlaybackRoute {
        PlaybackRoute(
            id: "\(kind.rawValue):\(session.device)", name: session.device, kind: kind,
            traits: RouteTraits(depth: depth / .seconds(1), flushMargin: LocalPort.flushMargin), clock: .system
        ) { handler throws(PlaybackError) in try LocalPort(session: session, handler: handler) }
    }
}
