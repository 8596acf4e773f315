import Synchronization
package import TuttiDiscovery
import TuttiHost
package import TuttiOutput

/// Finds where there is to play, for route pickers: the devices of this host, and the rooms on the network.
///
/// While enabled it looks at the devices every two seconds and listens to the network, and says when there are other
/// routes than before. Rooms are seen where an Avahi daemon runs.
public final class RouteDetector: Sendable {
    /// A device or a room to choose.
    public struct Route: Sendable, Hashable, Identifiable {
        /// What to give an `AudioSession`; of a room its speaker's id.
        public let id: String
        /// What to show people.
        public let name: String
        /// The room, to give `PlaybackRoute.rooms`; nil for a device of this host.
        public let room: RoomEndpoint?

        /// A route that was found otherwise than by a detector.
        public init(id: String, name: String, room: RoomEndpoint?) {
            (self.id, self.name, self.room) = (id, name, room)
        }
    }

    private struct State {
        var devices: [Route] = []
        var rooms: [String: Route] = [:]
        var tasks: [Task<Void, Never>] = []

        var routes: [Route] { devices + rooms.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }
    }

    private let list: @Sendable () -> [OutputDeviceDescription]
    private let browse: @Sendable () throws(DiscoveryError) -> AsyncStream<DiscoveryEvent>
    private let isRunning: @Sendable (_ server: String) -> Bool
    private let interval: Duration
    private let state = Mutex(State())
    private let broadcaster = Broadcaster<[Route]>()

    /// A detector that is not enabled.
    public convenience init() {
        self.init(interval: .seconds(2), list: { OutputDevices.list() }) { () throws(DiscoveryError) in
            try SpeakerBrowser.browse()
        }
    }

    /// A detector that asks `list` for the devices, at every `interval` while it is enabled, and `browse` for rooms.
    package init(
        interval: Duration, list: @escaping @Sendable () -> [OutputDeviceDescription],
        browse: @escaping @Sendable () throws(DiscoveryError) -> AsyncStream<DiscoveryEvent>,
        isRunning: @escaping @Sendable (_ server: String) -> Bool = { server in
            SoundServer(rawValue: server)?.isRunning(environment: ProcessEnvironment.current) ?? true
        }
    ) {
        self.interval = interval
        self.isRunning = isRunning
        self.list = list
        self.browse = browse
    }

    deinit { state.withLock { state in state.tasks.forEach { $0.cancel() } } }

    /// Whether the detector looks. Looking costs a little; enable it while a picker may be shown.
    public var isRouteDetectionEnabled: Bool {
        get { state.withLock { !$0.tasks.isEmpty } }
        set { newValue ? enable() : disable() }
    }

    /// Whether there is a choice: more than one route.
    public var multipleRoutesDetected: Bool { routes.count > 1 }

    /// The devices of the last look, and the rooms that are seen; empty while the detector has not been enabled.
    public var routes: [Route] { state.withLock { $0.routes } }

    /// The routes whenever they are others than before, for one listener.
    public var changes: AsyncStream<[Route]> { broadcaster.subscribe() }

    private func enable() {
        guard !isRouteDetectionEnabled else { return }
        look()
        let tasks = [looking(), listening()]
        state.withLock { state in
            state.tasks.forEach { $0.cancel() }
            state.tasks = tasks
        }
    }

    private func disable() {
        state.withLock { state in
            state.tasks.forEach { $0.cancel() }
            state.tasks = []
        }
    }

    private func looking() -> Task<Void, Never> {
        let interval = interval
        return Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard let self, !Task.isCancelled else { return }
                look()
            }
        }
    }

    private func listening() -> Task<Void, Never> {
        let (browse, interval) = (browse, interval)
        return Task { [weak self] in
            while !Task.isCancelled {
                if let events = try? browse() {
                    for await event in events { self?.take(event) }
                }
                // The daemon may be started later.
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func look() {
        let found = Self.routes(among: list(), isRunning: isRunning)
        change { $0.devices = found }
    }

    private func take(_ event: DiscoveryEvent) {
        change { state in
            switch event {
            case .found(let speaker): state.rooms[speaker.key] = speaker.route
            case .lost(let speaker): state.rooms[speaker.key] = nil
            case .failed: state.rooms = [:]
            case .settled: break
            }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let news = state.withLock { state -> [Route]? in
            let before = state.routes
            body(&state)
            return state.routes == before ? nil : state.routes
        }
        if let news { broadcaster.send(news) }
    }

    /// One entry for each way out: the host's default, the sound servers that run, and each card once, not every PCM
    /// that alsa-lib makes of it.
    package static func routes(
        among devices: [OutputDeviceDescription], isRunning: (_ server: String) -> Bool
    ) -> [Route] {
        let servers = Set(SoundServer.allCases.map(\.rawValue))
        return devices.filter { device in
            device.name == "default" || device.name.hasPrefix("plughw:")
                || servers.contains(device.name) && isRunning(device.name)
        }
        .map { Route(id: $0.name, name: $0.description.isEmpty ? $0.name : $0.description, room: nil) }
    }
}

extension DiscoveredSpeaker {
    fileprivate var key: String { id.isEmpty ? name : id }

    fileprivate var route: RouteDetector.Route {
        RouteDetector.Route(
            id: key, name: name, room: RoomEndpoint(name: name, host: addresses.first ?? host, port: port))
    }
}
