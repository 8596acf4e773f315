import Logging
import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost

/// Follows the group clock on a thread of its own: sends timing requests, takes the replies with their kernel stamps, and
/// publishes the estimate for whoever must know group time.
final class ClockService: Sendable {
    /// Who leads, and which timescale.
    struct Leader: Sendable, Equatable {
        let timescale: TimescaleID
        let address: SocketAddress
        /// How fast the leader's clock ran when it was last followed.
        let remembered: RememberedRate?
    }

    private struct Shared {
        var leader: Leader?
        var isStopping = false
        var statistics: ClockStatistics?
    }

    /// How far a crystal's rate wanders from one evening to the next, in ppm (one standard deviation).
    private static let wander = 0.5

    /// The estimate in force; the render thread and the decode worker read it without locks.
    let estimates = ClockEstimateSlot()

    private let socket: TimestampedUDPSocket
    private let clock: HostClock
    private let logger: Logger
    private let shared = Mutex(Shared())

    /// - Throws: `HostError.system` when no UDP socket can be had.
    init(clock: HostClock, logger: Logger) throws(HostError) {
        self.clock = clock
        self.logger = logger
        socket = try TimestampedUDPSocket(address: nil, port: 0, clock: clock)
    }

    /// Follows `leader` from now on; nothing changes when it is followed already. Nil stops following; the last estimate
    /// stays and carries the clock by its drift.
    func follow(_ leader: Leader?) {
        let isNew = shared.withLock { shared in
            guard let leader, shared.leader != leader else { return false }
            shared.leader = leader
            return true
        }
        if isNew { socket.wake() }
    }

    /// How the exchange fares.
    var statistics: ClockStatistics? { shared.withLock { $0.statistics } }

    /// Ends `runLoop`.
    func stop() {
        shared.withLock { $0.isStopping = true }
        socket.wake()
    }

    /// The body of the thread.
    func runLoop() {
        var followed: Leader?
        var follower: ClockFollower?
        while true {
            let (leader, isStopping) = shared.withLock { ($0.leader, $0.isStopping) }
            if isStopping { return }
            if leader != followed, let leader {
                // The same clock at another address keeps its estimate.
                if leader.timescale != followed?.timescale {
                    estimates.clear()
                    shared.withLock { $0.statistics = nil }
                    follower = ClockFollower(
                        timescale: leader.timescale, seed: SystemRandomNumberGenerator.seed(), now: clock.now(),
                        rememberedDriftPpm: leader.remembered.map { ($0.ppm, max($0.sigma, Self.wander)) })
                }
                followed = leader
                logger.info("following the group clock", metadata: ["leader": "\(leader.address)"])
            }
            if let leader = followed { step(&follower, leader: leader) } else { wait(&follower, for: -1) }
        }
    }

    private func step(_ follower: inout ClockFollower?, leader: Leader) {
        guard let deadline = follower?.deadline else { return wait(&follower, for: -1) }
        if deadline <= clock.now(), let request = follower?.poll(now: clock.now()) {
            let stamp = socket.send(request, to: leader.address)
            if stamp.isSent { follower?.sent(key: stamp.key, userTime: stamp.userTime) }
        }
        let next = follower?.deadline ?? deadline
        wait(&follower, for: clock.sleepInterval(until: next))
    }

    private func wait(_ follower: inout ClockFollower?, for nanoseconds: Int64) {
        var isChanged = false
        for event in socket.receive(timeoutNanoseconds: nanoseconds) {
            switch event {
            case .transmitted(let key, let instant): follower?.transmitted(key: key, at: instant)
            case .datagram(let bytes, _, let instant, let isKernelStamp):
                _ = follower?.received(bytes, at: instant, isKernelStamp: isKernelStamp, now: clock.now())
                isChanged = true
            }
        }
        guard isChanged, let follower else { return }
        if let estimate = follower.estimate { estimates.publish(estimate) }
        let statistics = follower.statistics
        shared.withLock { $0.statistics = statistics }
    }
}

extension SystemRandomNumberGenerator {
    /// A number that nobody can guess.
    static func seed() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
