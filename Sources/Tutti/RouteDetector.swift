import Synchronization
package import TuttiOutput

/// Finds the devices of this host that can be played to, for route pickers.
///
/// While enabled it looks every two seconds, and says when there are others than before.
public final class RouteDetector: Sendable {
    /// A device to choose.
    public struct Route: Sendable, Hashable, Identifiable {
        /// What to give an `AudioSession`.
        public let id: String
        /// What to show people.
        public let name: String
    }

    private struct State {
        var routes: [Route] = []
        var task: Task<Void, Never>?
    }

    private let list: @Sendable () -> [OutputDeviceDescription]
    private let interval: Duration
    private let state = Mutex(State())
    private let broadcaster = Broadcaster<[Route]>()

    /// A detector that is not enabled.
    public convenience init() { self.init(interval: .seconds(2), list: { OutputDevices.list() }) }

    /// A detector that asks `list` for the devices, at every `interval` while it is enabled.
    package init(interval: Duration, list: @escaping @Sendable () -> [OutputDeviceDescription]) {
        self.interval = interval
        self.list = list
    }

    deinit { state.withLock { $0.task?.cancel() } }

    /// Whether the detector looks. Looking costs a little; enable it while a picker may be shown.
    public var isRouteDetectionEnabled: Bool {
        get { state.withLock { $0.task != nil } }
        set { newValue ? enable() : disable() }
    }

    /// Whether there is a choice: more than one device.
    public var multipleRoutesDetected: Bool { routes.count > 1 }

    /// The devices of the last look; empty while the detector has not been enabled.
    public var routes: [Route] { state.withLock { $0.routes } }

    /// The devices whenever they are others than before, for one listener.
    public var changes: AsyncStream<[Route]> { broadcaster.subscribe() }

    private func enable() {
        guard !isRouteDetectionEnabled else { return }
        look()
        let interval = interval
        let task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard let self, !Task.isCancelled else { return }
                look()
            }
        }
        state.withLock { state in
            state.task?.cancel()
            state.task = task
        }
    }

    private func disable() {
        state.withLock { state in
            state.task?.cancel()
            state.task = nil
        }
    }

    private func look() {
        let found = Self.routes(among: list())
        let isNew = state.withLock { state in
            defer { state.routes = found }
            return state.routes != found
        }
        if isNew { broadcaster.send(found) }
    }

    /// One entry for each way out: the host's default, its sound servers, and each card once, not every PCM that
    /// alsa-lib makes of it.
    package static func routes(among devices: [OutputDeviceDescription]) -> [Route] {
        let servers: Set = ["default", "pipewire", "pulse", "jack"]
        return devices.filter { servers.contains($0.name) || $0.name.hasPrefix("plughw:") }
            .map { Route(id: $0.name, name: $0.description.isEmpty ? $0.name : $0.description) }
    }
}
