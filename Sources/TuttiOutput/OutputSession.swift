import Synchronization
package import TuttiHost

/// What happens to a session's device.
package enum OutputSessionEvent: Sendable, Equatable {
    /// A device was opened; it may do other things than the one before.
    case routeChanged(OutputParameters)
    /// The device is gone, or could not be opened: nothing plays until another one does.
    case interruptionBegan(OutputError)
    /// A device plays again after an interruption.
    case interruptionEnded
    /// The owner closed the device.
    case deactivated
}

/// The agreement with one output device: what is preferred before, and what holds after, it is opened.
///
/// Preferred values are hints, set while the session is inactive. `activate` opens the device; `actual` says what came
/// of the hints. The owner of the device tells the session when it is lost, and activates again to get it, or what took
/// its place, back.
package final class OutputSession: Sendable {
    private enum State: Equatable {
        case inactive
        case active(OutputParameters)
    }

    private struct Content {
        var request: OutputRequest
        var state = State.inactive
        /// Whether an interruption was reported, and not its end.
        var isInterrupted = false
        /// What was reported last of what the device does.
        var reported: OutputParameters?
    }

    /// Opens a device.
    package typealias Opener =
        @Sendable (OutputRequest, HostClock) throws(OutputError) -> sending any OutputDevice

    /// What happens to the device, for one listener. The newest 64 events wait for it.
    package let events: AsyncStream<OutputSessionEvent>
    private let continuation: AsyncStream<OutputSessionEvent>.Continuation
    private let clock: HostClock
    private let opener: Opener
    private let content: Mutex<Content>

    /// An inactive session for the device, and with the preferences, of `request`.
    package init(
        request: OutputRequest, clock: HostClock,
        opener: @escaping Opener = { request, clock throws(OutputError) in try OutputDevices.open(request, clock: clock)
        }
    ) {
        self.clock = clock
        self.opener = opener
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
    /// An interruption lasts until `devicePlays`: a device may open and take nothing. What it does is not told again
    /// meanwhile: it may be tried many times.
    ///
    /// - Throws: `OutputError`; the session stays inactive. `.sessionActive` when it is active already.
    package func activate() throws(OutputError) -> sending any OutputDevice {
        let request = try content.withLock { content throws(OutputError) in
            if case .active = content.state { throw .sessionActive }
            return content.request
        }
        let device = try opener(request, clock)
        let actual = device.actual
        let isNews = content.withLock { content in
            defer { (content.state, content.reported) = (.active(actual), actual) }
            return !content.isInterrupted || content.reported != actual
        }
        if isNews { continuation.yield(.routeChanged(actual)) }
        return device
    }

    /// Whether an interruption was reported, and not its end.
    package var isInterrupted: Bool { content.withLock { $0.isInterrupted } }

    /// The device that was activated last has played for a while.
    package func devicePlays() {
        let wasInterrupted = content.withLock { content in
            defer { content.isInterrupted = false }
            return content.isInterrupted
        }
        if wasInterrupted { continuation.yield(.interruptionEnded) }
    }

    /// The device was lost because of `error`, and its owner has closed it; or it could not be opened.
    package func deviceLost(_ error: OutputError) {
        let wasInterrupted = content.withLock { content in
            defer { (content.state, content.isInterrupted) = (.inactive, true) }
            return content.isInterrupted
        }
        if !wasInterrupted { continuation.yield(.interruptionBegan(error)) }
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
