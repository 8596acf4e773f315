import Synchronization
import Tutti

/// An offline output that goes away and is configured anew as a card is.
final class Device: Sendable {
    private let handler = Mutex<RoutePortHandler?>(nil)

    /// A way to `output` that this device says things of.
    func route(_ output: OfflineOutput) -> PlaybackRoute {
        let route = output.route
        return PlaybackRoute(
            id: "device", name: "Device", kind: .local, traits: route.traits, clock: route.clock
        ) { [self] newHandler throws(PlaybackError) in
            handler.withLock { $0 = newHandler }
            return try route.open(newHandler)
        }
    }

    /// Whether anything plays here.
    var isOpen: Bool { handler.withLock { $0 != nil } }

    func tell(_ event: RoutePortEvent) { handler.withLock { $0 }?(event) }
}
