import Synchronization
package import TuttiHost

/// What happens to a session's device.
package enum AudioSessionEvent: Sendable, Equatable {
    /// A device was opened; it may do other things than the one before.
    case routeChanged(OutputParameters)
    /// The device is gone: nothing is heard until another activation succeeds.
    case interruptionBegan(OutputError)
    /// A device is open again after an interruption.
    case interruptionEnded
    /// The owner closed the device.
    case deactivated
}

/// The agreement with one output device: what is preferred before, and what holds after, it is opened.
///
/// Preferred values are hints, set while the session is inactive. `activate` opens the device; `actual` says what came of
/// the hints. The owner of the device tells the session when it is lost, and activates again to get it, or what took its
/// place, back.
package final class AudioSession: Sendable {
    private enum State: Equatable {
        case inactive
        case active(OutputParameters)
        case interrupted
    }

    private struct Content {
        var request: OutputRequest
        var state = State.inactive
    }

    /// What happens to the device, for one listener. The newest 64 events wait for it.
    package let events: AsyncStream<AudioSessionEvent>
    private let continuation: AsyncStream<AudioSessionEvent>.Continuation
    private let clock: HostClock
    private let content: Mutex<Content>

    /// An inactive session for the device, and with the preferences, of `request`.
    package init(request: OutputRequest, clock: HostClock) {
        self.clock = clock
        content = Mutex(Content(request: request))
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit { continuation.finish() }

    /// What the device really does; nil while none is open.
    package var actual: OutputParameters? {
        content.withLock { content in
            guard case .active(let parameters) = content.state else { return nil }
            return parameters
        }
    }

    /// What is preferred.
    package var request: OutputRequest { content.withLock { $0.request } }

    /// Changes what is preferred, for the next activation.
    ///
    /// - Throws: `OutputError.sessionActive` while the device is open.
    package func setPreferred(_ change: (inout OutputRequest) -> Void) throws(OutputError) {
        try content.withLock { content throws(OutputError) in
            if case .active = content.state { throw .sessionActive }
            change(&content.request)
        }
    }

    /// Opens the device and reads back what it does. The caller owns the device and closes it.
    ///
    /// - Throws: `OutputError`; the session stays inactive, or interrupted. `.sessionActive` when it is active already.
    package func activate() throws(OutputError) -> sending any OutputDevice {
        let request = try content.withLock { content throws(OutputError) in
            if case .active = content.state { throw .sessionActive }
            return content.request
        }
        let device = try OutputDevices.open(request, clock: clock)
        let actual = device.actual
        let wasInterrupted = content.withLock { content in
            let wasInterrupted = content.state == .interrupted
            content.state = .active(actual)
            return wasInterrupted
        }
        continuation.yield(.routeChanged(actual))
        if wasInterrupted { continuation.yield(.interruptionEnded) }
        return device
    }

    /// The device was lost because of `error`, and its owner has closed it.
    package func deviceLost(_ error: OutputError) {
        content.withLock { $0.state = .interrupted }
        continuation.yield(.interruptionBegan(error))
    }

    /// The owner has closed the device, or given up to get it back.
    package func deactivate() {
        let wasInactive = content.withLock { content in
            defer { content.state = .inactive }
            return content.state == .inactive
        }
        if !wasInactive { continuation.yield(.deactivated) }
    }
}
