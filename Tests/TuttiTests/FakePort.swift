import Synchronization
import Tutti

/// A route that is told things and tells things, as one of rooms would: it needs time, and says what became of a flush
/// later.
final class FakePort: RoutePort {
    struct Told: Sendable {
        var buffers: [SampleBuffer] = []
        var lines: [Timebase] = []
        var flushes: [MediaTime?] = []
        var isClosed = false
    }

    let told = Mutex(Told())
    private let processing = Mutex<AudioEngine?>(nil)
    let flushesSucceed: Bool
    let startLead: Int64 = 300_000_000
    let stopLead: Int64 = 50_000_000
    let handoverLead: Int64 = 200_000_000

    init(flushesSucceed: Bool) { self.flushesSucceed = flushesSucceed }

    /// A route of minutes that opens this port.
    func route(clock: PlaybackClock, handler: @escaping @Sendable (@escaping RoutePortHandler) -> Void) -> PlaybackRoute
    {
        PlaybackRoute(
            id: "fake", name: "Fake", kind: .local, traits: RouteTraits(depth: 300, flushMargin: 200_000_000),
            clock: clock
        ) { newHandler throws(PlaybackError) in
            handler(newHandler)
            return self
        }
    }

    var engine: AudioEngine? { processing.withLock(\.self) }

    func process(through engine: AudioEngine) { processing.withLock { $0 = engine } }

    func insert(_ buffer: SampleBuffer) { told.withLock { $0.buffers.append(buffer) } }

    func reconsider(from time: MediaTime) {}

    func set(_ line: Timebase) { told.withLock { $0.lines.append(line) } }

    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        told.withLock { $0.flushes.append(time) }
        Task { [flushesSucceed] in completion(flushesSucceed) }
    }

    func setEnd(_ time: MediaTime) {}

    func setGain(_ gain: Float, rampMilliseconds: Int) {}

    func close() { told.withLock { $0.isClosed = true } }
}
