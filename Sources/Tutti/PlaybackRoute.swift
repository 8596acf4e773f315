package import TuttiPlayback

/// Where a renderer plays, and how much audio it wants there ahead of the playhead.
public struct PlaybackRoute: Sendable, Identifiable {
    /// The sort of a route.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A card of this host: wants seconds.
        case local
        /// A card that is far behind its driver, as Bluetooth is: wants some more.
        case bluetooth
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
    /// - Parameter depth: what to want ahead of the playhead, 0.25 s … 1 h.
    public static func local(session: AudioSession = .shared, depth: Duration = .seconds(4)) -> PlaybackRoute {
        card(.local, session, depth)
    }

    /// The card of a session that plays over Bluetooth or something like it.
    ///
    /// - Parameter depth: what to want ahead of the playhead, 0.25 s … 1 h.
    public static func bluetooth(session: AudioSession, depth: Duration = .seconds(10)) -> PlaybackRoute {
        card(.bluetooth, session, depth)
    }

    private static func card(_ kind: Kind, _ session: AudioSession, _ depth: Duration) -> PlaybackRoute {
        PlaybackRoute(
            id: "\(kind.rawValue):\(session.device)", name: session.device, kind: kind,
            traits: RouteTraits(depth: depth / .seconds(1), flushMargin: LocalPort.flushMargin), clock: .system
        ) { handler throws(PlaybackError) in try LocalPort(session: session, handler: handler) }
    }
}
