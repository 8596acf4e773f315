import Glibc
import Logging
import Synchronization
import TuttiCore
import TuttiEffects
public import TuttiEngine
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering

extension AudioEngine {
    /// An engine that plays on the card of a session, at the rate and in the periods that the session has agreed on.
    ///
    /// - Throws: `output` when there is no such device, or another program has it.
    public convenience init(session: AudioSession) throws(PlaybackError) {
        self.init(output: try SessionOutput(session))
    }
}

/// The card of a session as an engine's output. A card that goes away is looked for once a second, and played on when it
/// is back.
final class SessionOutput: EngineOutput {
    private struct Player: Sendable {
        let thread: ThreadHandle
        let isStopping: StopFlag
    }

    /// Whether the thread is to end.
    private final class StopFlag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    private static let priority = 70
    /// Nanoseconds within which the thread notices that it is to end.
    private static let patience: Int64 = 100_000_000
    /// Microseconds between two attempts to open a device that is gone.
    private static let retry: UInt32 = 1_000_000
    /// Frames of silence after an xrun, in periods.
    private static let recoveryPeriods = 2

    let format: EngineFormat
    let maximumFrameCount: Int
    let latency: Int
    private let request: OutputRequest
    private let logger: Logger
    private let player = Mutex<Player?>(nil)

    /// - Throws: `output` when the session cannot be activated.
    init(_ session: AudioSession) throws(PlaybackError) {
        request = try session.requestForRendering()
        logger = session.logger
        guard let actual = session.state.withLock({ $0.actual }) else {
            throw .output("the session of \(session.device) is not active")
        }
        format = EngineFormat(sampleRate: actual.sampleRate)
        maximumFrameCount = actual.periodFrames
        latency = actual.bufferFrames
    }

    func start(pull: @escaping @Sendable (_ frameCount: Int, _ planes: Planes) -> Void) throws {
        let flag = StopFlag()
        let (request, format, logger) = (request, format, logger)
        let thread = try RealtimeThread.spawn(name: "tutti-engine", priority: Self.priority) {
            Self.run(request, format, flag, logger, pull)
        }
        player.withLock { $0 = Player(thread: thread, isStopping: flag) }
    }

    func stop() {
        let player = player.withLock { player in
            defer { player = nil }
            return player
        }
        player?.isStopping.isSet.store(true, ordering: .relaxed)
        player?.thread.join()
    }

    /// The body of the thread.
    private static func run(
        _ request: OutputRequest, _ format: EngineFormat, _ flag: StopFlag, _ logger: Logger,
        _ pull: @Sendable (Int, Planes) -> Void
    ) {
        let clock = HostClock()
        var isLost = false
        while !flag.isSet.load(ordering: .relaxed) {
            let reason: String
            do throws(OutputError) {
                let device = try OutputDevices.open(request, clock: clock)
                defer { device.close() }
                guard device.actual.sampleRate == format.sampleRate else {
                    throw .invalidDevice(device: request.device, reason: "it came back with another sample rate")
                }
                try device.start()
                isLost = false
                guard let failure = feed(device, flag, pull) else { return }
                reason = "\(failure)"
            } catch {
                reason = "\(error)"
            }
            if !isLost {
                logger.error(
                    "no sound: the output device is missing; retrying every second", metadata: ["reason": "\(reason)"])
            }
            isLost = true
            usleep(Self.retry)
        }
    }

    /// Feeds a device until it is lost, or not wanted any more.
    ///
    /// - Returns: why it was lost; nil when it is not wanted.
    private static func feed(
        _ device: any OutputDevice, _ flag: StopFlag, _ pull: @Sendable (Int, Planes) -> Void
    ) -> OutputError? {
        let period = device.actual.periodFrames
        var memory = PeriodMemory(device.actual)
        let planes = PlaneMemory(channels: 2, frames: period)
        let lost = OutputError.failed(device: device.actual.name, action: "keep using", code: EIO)
        while !flag.isSet.load(ordering: .relaxed) {
            switch device.wait(timeoutNanoseconds: patience) {
            case .timeout: continue
            case .lost: return device.failure ?? lost
            case .xrun:
                guard (try? device.recover(silence: recoveryPeriods * period)) != nil else {
                    return device.failure ?? lost
                }
            case .writable:
                var room = device.timing()?.writableFrames ?? 0
                while room >= period {
                    pull(period, planes.planes)
                    planes.planes.interleave(into: memory.floats, frames: period)
                    memory.encode(dither: true)
                    let taken = device.write(memory.encoded, frames: period)
                    if taken == OutputWait.lost.rawValue { return device.failure ?? lost }
                    // What is not taken now is lost, and the next wait tells why.
                    guard taken == period else { break }
                    room -= period
                }
            }
        }
        return nil
    }
}
