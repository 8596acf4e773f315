import Synchronization
import TuttiCore
import TuttiEngine
import TuttiHost
import TuttiPlayback
import TuttiRooms
import TuttiSender
import TuttiTrust

/// A renderer's way to rooms, which hold minutes of what it has enqueued and play along its lines.
final class RoomsPort: RoutePort {
    /// How rooms stand, by their last word.
    private final class Standing: Sendable {
        let commandLead = Atomic<Int64>(80_000_000)
        let isReady = Atomic<Bool>(false)
    }

    /// How far ahead of being heard audio must lie to be taken back, in ns; rooms far away need more, and say no then.
    static let flushMargin: Int64 = 500_000_000
    /// What rooms take from nothing until they can start: connections, a clock that is known, audio and a settled card.
    private static let openingTime: Int64 = 2_500_000_000
    /// What they take to be filled where they play already.
    private static let fillingTime: Int64 = 300_000_000
    /// What they take to have another line ready behind a running one.
    private static let stagingTime: Int64 = 200_000_000
    /// What is held here a little longer than in the renderer.
    private static let maximumBytes = RendererCore.maximumBytes / 8 * 9

    private let processing = Mutex<AudioEngine?>(nil)
    private let stream: RoomStream
    private let standing = Standing()
    private let opened = PlaybackClock.system.now()

    /// Begins to connect to the rooms, in the clear without a household.
    init(
        _ rooms: [RoomEndpoint], name: String, trust: Membership?, handler: @escaping RoutePortHandler
    ) throws(PlaybackError) {
        guard !rooms.isEmpty else { throw .output("there is no room to play in") }
        let standing = standing
        do throws(SenderError) {
            stream = try RoomStream(
                rooms.map(\.address), name: name, trust: trust, clock: PlaybackClock.system.hostClock,
                maximumBytes: Self.maximumBytes
            ) { news in
                switch news {
                case .room(let name, let event, let message):
                    handler(.room(name: name, event, message: message))
                case .lost(let error): handler(.lost(.output(error.description)))
                case .restored: handler(.restored)
                case .leads(let command, let isReady):
                    standing.commandLead.store(command, ordering: .relaxed)
                    standing.isReady.store(isReady, ordering: .relaxed)
                }
            }
        } catch {
            throw .output(error.description)
        }
    }

    var engine: AudioEngine? { processing.withLock(\.self) }

    func process(through engine: AudioEngine) throws(PlaybackError) {
        try EngineStage.check(engine)
        processing.withLock { $0 = engine }
    }

    var startLead: Int64 {
        if standing.isReady.load(ordering: .relaxed) { return stopLead }
        let opening = Self.openingTime - PlaybackClock.system.now().nanoseconds(since: opened)
        return max(stopLead + Self.fillingTime, opening)
    }

    var stopLead: Int64 { standing.commandLead.load(ordering: .relaxed) }

    var handoverLead: Int64 { stopLead + Self.stagingTime }

    func insert(_ buffer: SampleBuffer) { stream.insert(buffer) }

    /// The stream looks after what it has made itself.
    func reconsider(from time: MediaTime) {}

    func set(_ line: Timebase) {
        stream.move(
            rate: line.rate, media: line.mediaTime, at: HostTime(nanoseconds: line.groupTime.nanoseconds))
    }

    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        // A start that follows at once must leave time for what replaces it.
        if time == nil { standing.isReady.store(false, ordering: .relaxed) }
        stream.flush(from: time, completion: completion)
    }

    func setEnd(_ time: MediaTime) { stream.setEnd(time) }

    func setGain(_ gain: Float, rampMilliseconds: Int) {
        stream.setGain(gain, rampMilliseconds: rampMilliseconds)
    }

    func close() { stream.close() }
}
