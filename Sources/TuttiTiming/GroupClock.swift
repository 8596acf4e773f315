import Glibc
import Synchronization
package import TuttiClock
package import TuttiCore
package import TuttiHost

/// This host's part in a group clock: a `ClockMember` with its UDP socket and its thread.
///
/// Speakers and senders use the same one; who leads is what they are told, not what they are.
///
/// Orders and questions may come from any thread. The lock that guards the member is held for microseconds and never
/// while waiting; render threads read `estimates`, which has none.
package final class GroupClock: Sendable {
    /// Where this member stands.
    package struct Standing: Sendable, Equatable {
        /// The clock that is known.
        package var timescale: TimescaleID
        /// Whom it is asked from; nil when this member keeps it.
        package var parent: SocketAddress?
    }

    /// The line in force.
    package let estimates = ClockEstimateSlot()
    /// This host's clock.
    package let hostClock: HostClock
    private let socket: any TimingSocket
    private let member: Mutex<ClockMember<SocketAddress>>
    /// The system clock, where group clocks may be taken from that.
    private let system: Mutex<SystemClock?>
    private let random: RandomSource
    /// What signs datagrams, and lets signed ones in alone; nil while everybody's count.
    private let seal = Mutex<(any DatagramSeal)?>(nil)
    private let askers = Mutex(RecentAskers())
    private let isStopping = Atomic<Bool>(false)

    /// A member without a clock, bound to the UDP port `port`, or to any when that is 0 or taken.
    ///
    /// - Throws: `HostError.system` when no UDP socket can be had.
    package convenience init(hostClock: HostClock, address: String? = nil, port: UInt16 = 0) throws(HostError) {
        let socket: TimestampedUDPSocket
        do {
            socket = try TimestampedUDPSocket(
                address: address, port: port, clock: hostClock, hardwareStamps: hostClock.hardwareStamps)
        } catch {
            guard port != 0 else { throw error }
            socket = try TimestampedUDPSocket(
                address: address, port: 0, clock: hostClock, hardwareStamps: hostClock.hardwareStamps)
        }
        self.init(hostClock: hostClock, socket: socket, random: .system)
        guard hostClock.usesSystemClock else { return }
        // So that a clock that is begun at once is begun where the system clock has it.
        for _ in 0..<Self.firstLooks {
            system.withLock { $0?.take(hostClock.systemReading()) }
            usleep(Self.firstPause)
        }
    }

    /// A member without a clock behind a socket of any kind. Who has no thread for `runLoop` calls `sendDue` when the
    /// socket is woken and when it asks for that, and `take` with what comes.
    ///
    /// - Parameter pollDivisor: how many times as seldom it asks others as it should for the best estimate.
    package init(hostClock: HostClock, socket: any TimingSocket, random: RandomSource, pollDivisor: Int64 = 1) {
        self.hostClock = hostClock
        self.socket = socket
        self.random = random
        var first = ClockMember<SocketAddress>(seed: random.next(), pollDivisor: pollDivisor)
        first.usesSystemClock = hostClock.usesSystemClock
        member = Mutex(first)
        system = Mutex(hostClock.usesSystemClock ? SystemClock() : nil)
    }

    /// The UDP port on which others may ask.
    package var port: UInt16 { socket.localPort }

    // MARK: Orders

    /// Begins a clock of its own, with a random id and epoch.
    package func lead() -> TimescaleID {
        var random = random
        let timescale = TimescaleID(rawValue: UInt64.random(in: 1...UInt64.max, using: &random))
        let (now, epoch) = (hostClock.now(), Int64.random(in: 0...Self.maximumEpoch, using: &random))
        let offset = system.withLock { $0?.firstOffset(near: epoch, now: now) } ?? epoch
        let line = ClockEstimate(
            timescale: timescale, referenceHost: now, offset: offset, drift: 0, offsetSigma: 0, driftSigma: 0)
        change { member, _ in member.lead(line) }
        return timescale
    }

    /// Epochs stay below 2^50 ns (13 days), so that group times stay exact in any JSON reader for years.
    private static let maximumEpoch: Int64 = 1 << 50

    /// Is a member of a clock, with others, as `ClockMember.follow` describes.
    package func follow(
        _ timescale: TimescaleID, parents: [SocketAddress], behind: [SocketAddress] = [],
        rememberedDriftPpm: (value: Double, sigma: Double)? = nil, startingFrom line: ClockEstimate? = nil
    ) {
        change { member, now in
            member.follow(
                timescale, parents: parents, behind: behind, rememberedDriftPpm: rememberedDriftPpm,
                startingFrom: line, now: now)
        }
    }

    /// Signs datagrams from now on, and lets in those alone that are signed; nil where everybody's count.
    package func use(_ seal: (any DatagramSeal)?) { self.seal.withLock { $0 = seal } }

    /// The same with what `body` makes of the seal so far.
    package func renew(_ body: ((any DatagramSeal)?) -> any DatagramSeal) { seal.withLock { $0 = body($0) } }

    /// Whether something is played along this clock, as `ClockMember.isSounding` says.
    package func setSounding(_ isSounding: Bool) {
        member.withLock { $0.isSounding = isSounding }
    }

    /// Whether nothing is to be played along this clock, as `ClockMember.setIdle` says.
    package func setIdle(_ isIdle: Bool) {
        guard member.withLock({ $0.isIdle != isIdle }) else { return }
        change { member, now in member.setIdle(isIdle, now: now) }
    }

    /// Goes on with a clock that this host was a member of, as `ClockMember.resume` describes.
    package func resume(_ line: ClockEstimate, with others: [SocketAddress]) {
        change { member, now in member.resume(line, with: others, now: now) }
    }

    private func change(_ body: (inout ClockMember<SocketAddress>, HostTime) -> Void) {
        member.withLock { member in
            body(&member, hostClock.now())
            publish(&member)
        }
        socket.wake()
    }

    // MARK: Questions

    /// The group time now; nil while no clock is known.
    package func now() -> GroupTime? { estimates.read()?.groupTime(at: hostClock.now()) }

    /// Whether there is no clock, though there was one: this host has kept it, and has slept.
    package var isLost: Bool { member.withLock { $0.timescale == nil } }

    /// Where this member stands; nil while it knows no clock well enough to pass it on.
    package var standing: Standing? {
        member.withLock { member in
            guard member.estimate != nil, let timescale = member.timescale else { return nil }
            return Standing(timescale: timescale, parent: member.parent)
        }
    }

    /// Where the other members are that this one knows of.
    package var acquaintances: [SocketAddress] { member.withLock { $0.peers } }

    /// The hosts that have asked this one for the time in the last `nanoseconds`.
    package func hostsAsking(within nanoseconds: Int64) -> [String] {
        let since = hostClock.now().advanced(byNanoseconds: -nanoseconds)
        return askers.withLock { $0.hosts(since: since) }
    }

    /// How often each host has asked this one for the time; those that did not for long may be forgotten.
    package var requestCounts: [String: Int] { askers.withLock { $0.counts } }

    /// How the exchange fares; nil before there is a clock.
    package var statistics: ClockStatistics? {
        let now = hostClock.now()
        return member.withLock { $0.timescale == nil ? nil : $0.statistics(now: now) }
    }

    /// What has become of the stamps of network interfaces and of the system clock since the last call: lines for the
    /// log.
    package func takeRemarks() -> [String] {
        socket.takeRemarks() + (system.withLock { $0?.takeRemark() }.map { [$0] } ?? [])
    }

    /// How the system clock stands to the group's; nil where that is not wanted.
    package var systemReport: SystemClockReport? { system.withLock { $0?.report } }

    // MARK: The thread

    /// Ends `runLoop`, and all that this member says.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        socket.wake()
    }

    /// Whether `stop` was called.
    package var isStopped: Bool { isStopping.load(ordering: .relaxed) }

    /// The body of the thread: sends what is due, takes what comes, until `stop`.
    package func runLoop() {
        var known = hostClock.slept().upperBound
        while !isStopping.load(ordering: .relaxed) {
            let deadline = sendDue()
            let longest = hostClock.usesSystemClock ? Self.systemInterval : Self.longestWait
            let wait = deadline.map { hostClock.sleepInterval(until: $0) } ?? longest
            let events = socket.receive(timeoutNanoseconds: min(wait, longest))
            lookAtSystemClock()
            // What has come meanwhile may be a question, and the answer would be wrong.
            let slept = hostClock.slept()
            if slept.lowerBound - known > Self.shortestSleep {
                noteSleep(for: slept.lowerBound - known)
                known = slept.upperBound
            }
            known = min(known, slept.upperBound)
            for event in events { take(event) }
        }
    }

    /// Nanoseconds that the clock has to have stood still to count as asleep: no interruption between two readings does
    /// that.
    private static let shortestSleep: Int64 = 20_000_000
    /// Nanoseconds after which is seen whether the host has slept, though nobody asks.
    private static let longestWait: Int64 = 1_000_000_000

    /// Looks at the system clock before anything else, and µs between them: as many as it takes to know its course.
    private static let (firstLooks, firstPause): (Int, UInt32) = (6, 15_000)
    /// Nanoseconds from one look at the system clock to the next.
    private static let systemInterval: Int64 = 250_000_000

    /// Looks at the system clock, if it is time for that.
    private func lookAtSystemClock() {
        guard hostClock.usesSystemClock else { return }
        system.withLock { system in
            guard system?.isDue(at: hostClock.now(), after: Self.systemInterval) == true else { return }
            system?.take(hostClock.systemReading())
        }
    }

    /// Datagrams that are sent before what has come is read: a question to each member of the largest order, and some.
    private static let datagramsAtOnce = 256

    /// This host has slept, as `ClockMember.slept` describes.
    package func noteSleep(for nanoseconds: Int64) {
        change { member, now in member.slept(for: nanoseconds, now: now) }
    }

    /// Sends what is due; gives the next deadline, nil when there is none.
    package func sendDue() -> HostTime? {
        guard !isStopped else { return nil }
        return member.withLock { member in
            for _ in 0..<Self.datagramsAtOnce {
                guard let datagram = member.poll(now: hostClock.now()) else { break }
                send(datagram, of: &member)
            }
            publish(&member)
            return member.deadline
        }
    }

    /// Takes what the socket has to tell.
    package func take(_ event: UDPEvent) {
        guard !isStopped else { return }
        member.withLock { member in
            switch event {
            case .transmitted(let key, let instant, let stamp):
                member.transmitted(key: key, at: instant, stamp: stamp)
            case .datagram(let signed, let peer, let instant, let stamp):
                let opened = seal.withLock { seal in seal == nil ? signed : seal?.open(signed) }
                guard let bytes = opened else { return }
                let reply = member.received(bytes, from: peer, at: instant, stamp: stamp, now: hostClock.now())
                guard let reply else { return publish(&member) }
                send(reply, of: &member)
                askers.withLock { $0.note(peer, now: instant) }
            }
        }
    }

    private func send(_ datagram: ClockMember<SocketAddress>.Datagram, of member: inout ClockMember<SocketAddress>) {
        let closed = seal.withLock { seal in seal == nil ? datagram.bytes : seal?.close(datagram.bytes) }
        guard let bytes = closed else { return }
        let stamp = socket.send(bytes, to: datagram.address)
        if stamp.isSent { member.sent(datagram, key: stamp.key, userTime: stamp.userTime) }
    }

    /// Under the member's lock, which makes this the slot's one writer at a time.
    private func publish(_ member: inout ClockMember<SocketAddress>) {
        guard let own = member.estimate else { return estimates.clear() }
        estimates.publish(hostClock.usesSystemClock ? chosen(own, &member) : own)
    }

    /// The line of the system clock where that is taken, and the member's own elsewhere.
    private func chosen(_ own: ClockEstimate, _ member: inout ClockMember<SocketAddress>) -> ClockEstimate {
        system.withLock { system in
            let (now, isLeading) = (hostClock.now(), member.isLeading)
            let isOfAll = member.isSystemGroup(now: now)
            guard let line = system?.line(own, isLeading: isLeading, isOfAll: isOfAll, now: now) else { return own }
            if isLeading {
                member.steer(line)
                member.leadsBySystemClock = system?.isSettled ?? false
            }
            return line
        }
    }
}
