public import Logging
import Synchronization
import TuttiHost
import TuttiOutput
public import TuttiPlayback

/// The agreement with one output device of this host: what is preferred before, and what holds after, it is activated.
///
/// Preferred values are hints. Set them while the session is inactive; after `activate` the actual values say what came
/// of them, and are the only ones to work with. Setting one while the session is active stops the device, configures it
/// and starts it again: the renderers are flushed automatically and say from where to enqueue again.
///
/// Every renderer opens the device for itself, so for several at once it must be one that mixes ("default" is on most
/// hosts).
public final class AudioSession: Sendable {
    /// The default device.
    public static let shared = AudioSession()

    struct State {
        var request: OutputRequest
        var actual: OutputParameters?
        var isInterrupted = false
        var handlers: [Int: RoutePortHandler] = [:]
        var nextNumber = 0
    }

    /// An ALSA PCM ("default", "plughw:CARD=USB"), `file:PATH.wav` or `null`.
    public let device: String
    /// Whether the sound follows the clock that it is played by. Off, a card plays at its own speed, so it runs away
    /// from other outputs by some milliseconds a minute; what has the card's sample rate then passes bit for bit at
    /// rate 1 and full volume.
    public let correctsDrift: Bool
    let logger: Logger
    let state: Mutex<State>
    private let broadcaster = Broadcaster<AudioSessionEvent>()

    /// An inactive session for a device.
    ///
    /// - Parameters:
    ///   - device: an ALSA PCM, `file:PATH.wav` or `null`.
    ///   - correctsDrift: whether the sound follows the clock that it is played by.
    ///   - logger: told of devices that open, go and come back; nil for none.
    public init(device: String = "default", correctsDrift: Bool = true, logger: Logger? = nil) {
        self.device = device
        self.correctsDrift = correctsDrift
        self.logger = logger ?? .silent
        state = Mutex(State(request: OutputRequest(device: device)))
    }

    /// What happens from now on, for one listener.
    public var events: AsyncStream<AudioSessionEvent> { broadcaster.subscribe() }

    // MARK: Hints

    /// The sample rate that is wanted, in Hz: the source's saves a conversion.
    public var preferredSampleRate: Int { state.withLock { $0.request.preferredSampleRate } }

    /// The time between two wake-ups of the device that is wanted.
    public var preferredIOBufferDuration: Duration {
        .nanoseconds(state.withLock { $0.request.preferredIOBufferDuration })
    }

    /// Prefers a sample rate, 8 000 … 192 000 Hz; others count as the nearest of these.
    ///
    /// - Throws: `output` when the session is active and the device cannot be configured so; it has then its old
    ///   values.
    public func setPreferredSampleRate(_ rate: Int) throws(PlaybackError) {
        let limits = OutputRequest.sampleRates
        try prefer { $0.preferredSampleRate = min(max(rate, limits.lowerBound), limits.upperBound) }
    }

    /// Prefers a time between two wake-ups, 1 ms … 1 s; others count as the nearest of these.
    ///
    /// - Throws: `output` when the session is active and the device cannot be configured so; it has then its old
    ///   values.
    public func setPreferredIOBufferDuration(_ duration: Duration) throws(PlaybackError) {
        let nanoseconds = Int64(min(max(duration / .nanoseconds(1), 1e6), 1e9))
        try prefer {
            $0.preferredIOBufferDuration = nanoseconds
            $0.bufferDuration = max(4 * nanoseconds, 20_000_000)
        }
    }

    // MARK: Facts

    /// Whether the device has been configured.
    public var isActive: Bool { state.withLock { $0.actual != nil } }

    /// Whether the device is gone and being looked for.
    public var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Frames a second of the device; nil while the session is inactive.
    public var sampleRate: Int? { state.withLock { $0.actual?.sampleRate } }

    /// The time between two wake-ups of the device; nil while the session is inactive.
    public var ioBufferDuration: Duration? {
        state.withLock { $0.actual.map { Self.duration($0.periodFrames, $0.sampleRate) } }
    }

    /// The time from writing a frame to hearing it; nil while the session is inactive. Synchronizers allow for it: a
    /// programme's `currentTime` is what is heard.
    public var outputLatency: Duration? {
        state.withLock { $0.actual.map { Self.duration($0.bufferFrames, $0.sampleRate) } }
    }

    // MARK: Activation

    /// Configures the device by the hints and reads back what it does. Renderers do this themselves when they begin.
    ///
    /// - Throws: `output` when there is no such device, or another program has it.
    public func activate() throws(PlaybackError) {
        guard !isActive else { return }
        let actual = try Self.probe(state.withLock { $0.request })
        state.withLock { $0.actual = actual }
        broadcaster.send(.routeChanged(.activated))
    }

    /// Lets the hints be set again without a restart. What plays, plays on.
    public func deactivate() {
        let wasActive = state.withLock { state in
            defer { state.actual = nil }
            return state.actual != nil
        }
        if wasActive { broadcaster.send(.deactivated) }
    }

    private func prefer(_ change: (inout OutputRequest) -> Void) throws(PlaybackError) {
        let (old, new, isActive, handlers) = state.withLock { state in
            let old = state.request
            change(&state.request)
            return (old, state.request, state.actual != nil, state.handlers.sorted { $0.key < $1.key }.map(\.value))
        }
        guard isActive, new != old else { return }
        for handler in handlers { handler(.suspended) }
        defer {
            for handler in handlers { handler(.resumed) }
        }
        do {
            let actual = try Self.probe(new)
            state.withLock { $0.actual = actual }
        } catch {
            state.withLock { $0.request = old }
            throw error
        }
        broadcaster.send(.routeChanged(.reconfigured))
    }

    /// What the device makes of `request`. Files are not touched for that.
    private static func probe(_ request: OutputRequest) throws(PlaybackError) -> OutputParameters {
        do throws(OutputError) {
            if let virtual = try VirtualSpecification(parsing: request.device) {
                return virtual.parameters(for: request)
            }
            let device = try OutputDevices.open(request, clock: HostClock())
            defer { device.close() }
            return device.actual
        } catch {
            throw .output(error.description)
        }
    }

    private static func duration(_ frames: Int, _ rate: Int) -> Duration {
        .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(max(rate, 1)))
    }
}

// MARK: For ports

extension AudioSession {
    /// What to open the device with; activates the session first when it is inactive.
    func requestForRendering() throws(PlaybackError) -> OutputRequest {
        try activate()
        return state.withLock { $0.request }
    }

    /// Lets a port know of reconfigurations.
    func register(_ handler: @escaping RoutePortHandler) -> Int {
        state.withLock { state in
            state.handlers[state.nextNumber] = handler
            state.nextNumber += 1
            return state.nextNumber - 1
        }
    }

    func unregister(_ number: Int) { state.withLock { $0.handlers[number] = nil } }

    func deviceOpened(_ actual: OutputParameters) {
        let isNew = state.withLock { state in
            guard let known = state.actual, known != actual else { return false }
            state.actual = actual
            return true
        }
        if isNew { broadcaster.send(.routeChanged(.reconfigured)) }
    }

    func deviceLost(_ error: OutputError) {
        let isNews = state.withLock { state in
            defer { state.isInterrupted = true }
            return !state.isInterrupted
        }
        guard isNews else { return }
        broadcaster.send(.routeChanged(.deviceUnavailable))
        broadcaster.send(.interruptionBegan(.output(error.description)))
    }

    func deviceReturned() {
        let isNews = state.withLock { state in
            defer { state.isInterrupted = false }
            return state.isInterrupted
        }
        guard isNews else { return }
        broadcaster.send(.routeChanged(.deviceAvailable))
        broadcaster.send(.interruptionEnded)
    }
}
