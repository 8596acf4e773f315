import Synchronization

/// Plays buffers and files, one after the other or at given times. After AVAudioPlayerNode.
public final class PlayerNode: AudioNode, @unchecked Sendable {
    /// The most entries of a schedule.
    public static let maximumScheduleCount = 4_096

    /// When a completion handler is called.
    public enum CompletionCallbackType: Sendable, Hashable, CaseIterable {
        /// The player has taken the last frame: a buffer may be used again.
        case dataConsumed
        /// A render call with the last frame is over.
        case dataRendered
        /// The last frame has left the engine, its effects and its output.
        case dataPlayedBack
    }

    /// How an entry is scheduled.
    public struct ScheduleOptions: OptionSet, Sendable, Hashable {
        /// The options' bits.
        public let rawValue: Int

        /// Options by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It is played again and again, until another interrupts it or the player is stopped.
        public static let loops = ScheduleOptions(rawValue: 1)
        /// It takes the place of everything scheduled before, at its time or at once.
        public static let interrupts = ScheduleOptions(rawValue: 2)
    }

    struct State: Sendable {
        /// Entries that have not been found to be over, in their order.
        var live: [PlayerEntry] = []
        var nextSerial = 0
        /// Entries that are over, but not yet played back, and the engine's time at which they are.
        var awaiting: [(entry: PlayerEntry, due: Int64)] = []
        /// Plans that the player is in; without any the schedule belongs to whoever holds the lock.
        var plans = 0
        var failure: (any Error)?
    }

    let state = Mutex(State())
    /// The feed that has read last; held by the one who feeds.
    let feeding = Mutex<FileFeed?>(nil)
    let voice: VoiceMemory

    /// A player.
    public override init(name: String = "player") {
        voice = VoiceMemory()
        super.init(name: name)
    }

    override var vertex: GraphModel.Vertex { GraphModel.Vertex(name: name, inputCount: 0, hasOutput: true) }

    override func makeUnit(_ shape: UnitShape) throws(AudioEngineError) -> RenderUnit { PlayerUnit(shape, voice) }

    var shared: UnsafeMutablePointer<PlayerShared> { voice.shared }

    override func planBegan() { beginPlan() }
    override func planEnded() { endPlan() }
    override var isAtRest: Bool { state.withLock { $0.plans == 0 } }
    override func feed(isOffline: Bool) { fill(isOffline: isOffline) }
    override func completions(at engineTime: Int64?) -> [@Sendable () -> Void] { dueCalls(at: engineTime) }
    override func settle() -> [@Sendable () -> Void] { flush() }

    // MARK: Transport

    /// Whether it plays, or would if the engine ran.
    public var isPlaying: Bool { shared.pointee.plays.load(ordering: .acquiring) }

    /// Plays what is scheduled, or goes on after `pause`.
    ///
    /// - Parameter time: the node's frame to begin at; at once by default, or where that has passed.
    /// - Throws: `unconnected` when the player's sound leads nowhere.
    public func play(at time: Int64? = nil) throws(AudioEngineError) {
        guard let engine, engine.hasOutput(self) else { throw .unconnected(node: name) }
        shared.pointee.start.store(time ?? .min, ordering: .relaxed)
        shared.pointee.plays.store(true, ordering: .releasing)
    }

    /// Pauses within 5 ms; `play` goes on at the same frame.
    public func pause() { shared.pointee.plays.store(false, ordering: .releasing) }

    /// Stops within 5 ms and empties the schedule. The player's time begins anew with the next `play`. Handlers of what
    /// was scheduled are called.
    public func stop() {
        state.withLock { state in
            shared.pointee.plays.store(false, ordering: .relaxed)
            shared.pointee.stopSerial.store(state.nextSerial, ordering: .releasing)
            shared.pointee.stops.add(1, ordering: .releasing)
        }
        for call in flush() { call() }
    }

    // MARK: Time

    /// The player's frame at a frame of its node; nil while it does not play.
    public func playerTime(forNodeTime time: AudioTime) -> AudioTime? {
        let offset = shared.pointee.offset.load(ordering: .acquiring)
        guard offset != .min else { return nil }
        return AudioTime(sampleTime: time.sampleTime &- offset, sampleRate: time.sampleRate)
    }

    /// The node's frame at a frame of the player; nil while it does not play.
    public func nodeTime(forPlayerTime time: AudioTime) -> AudioTime? {
        let offset = shared.pointee.offset.load(ordering: .acquiring)
        guard offset != .min else { return nil }
        return AudioTime(sampleTime: time.sampleTime &+ offset, sampleRate: time.sampleRate)
    }

    /// Frames that a file did not give in time, since the player was made.
    public var missingFrameCount: Int { shared.pointee.missingFrames.load(ordering: .relaxed) }

    /// Why a file was last not read to the end; nil when all were.
    public var fileError: (any Error)? { state.withLock { $0.failure } }
}

/// The memory of a player's voice.
///
/// Guard of `@unchecked Sendable`: `shared` has atomics and lock-free queues; the voice belongs to the render thread while
/// a plan has the player, and otherwise to the holder of the player's lock.
final class VoiceMemory: @unchecked Sendable {
    let shared: UnsafeMutablePointer<PlayerShared>
    let pointer: UnsafeMutablePointer<PlayerVoice>

    init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: PlayerShared())
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: PlayerVoice(shared))
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
        shared.pointee.releaseEntries()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }
}

final class PlayerUnit: RenderUnit, @unchecked Sendable {
    private let owner: VoiceMemory
    private let voice: UnsafeMutablePointer<PlayerVoice>

    init(_ shape: UnitShape, _ owner: VoiceMemory) {
        self.owner = owner
        voice = owner.pointer
        super.init(shape)
    }

    override func render(_ call: RenderCall) {
        voice.pointee.render(call, into: output, sampleRate: shape.format.sampleRate)
    }
}
