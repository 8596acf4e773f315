import CLab
import Glibc

/// The switch at work: receives frames in batches, keeps each until it is due, sends them in batches.
///
/// Precise frames (clock exchanges and other short messages) are met by sleeping until shortly before they are due and
/// spinning for the rest; the others leave when the loop comes by, at most `coalescing` late, which is what lets bulk
/// data pass at a small cost. Spinning has a budget, so that a machine of two cores keeps its cores.
///
/// Used by the switch's thread alone.
final class SwitchLoop {
    /// The spin before a precise frame: longer than a sleeping thread takes to wake.
    private static let spin: Int64 = 100_000
    /// Between two rounds while bulk data passes; below the least delay of the profiles.
    private static let coalescing: Int64 = 50_000
    /// A pause shorter than this costs more than it spares.
    private static let shortestPause: Int64 = 10_000
    /// Part of the time that may be spun through, and how much of it may be saved up.
    private static let spinShare = 0.25
    private static let spinSavings: Int64 = 200_000_000
    /// Frames under way at once.
    private static let capacity = 32_768

    private let ports: [PacketPort]
    private let wake: Int32
    private let pool = FramePool(slots: capacity)
    private var fabric: SwitchFabric
    /// From port i to port j at `i * ports.count + j`; behind them, in the same order, the lanes of frames that are
    /// held back; then both once more, of frames that are still on the link of port i.
    private var lanes: [FrameLane]
    private(set) var statistics = SwitchStatistics()
    private let start: Int64
    private var spinBudget = SwitchLoop.spinSavings
    private var lastRound: Int64 = 0

    /// - Parameter wake: a descriptor that becomes readable when a waiting `step` shall return.
    init(ports: [PacketPort], fabric: SwitchFabric, wake: Int32) {
        self.ports = ports
        self.wake = wake
        self.fabric = fabric
        lanes = (0..<4 * ports.count * ports.count).map { _ in FrameLane() }
        start = clab_now(CLOCK_MONOTONIC)
    }

    /// Frames to come on this port have another profile.
    func setProfile(_ profile: LinkProfile, port: Int) {
        fabric.setProfile(profile, port: port)
    }

    /// From now on these ports reach one another and none of the others.
    func split(_ ports: SwitchFabric.PortSet) { fabric.split(ports) }

    /// One round: waits until there is something to do, does it.
    func step() {
        waitForWork()
        let now = self.now
        spinBudget = min(spinBudget + Int64(Double(now - lastRound) * Self.spinShare), Self.spinSavings)
        lastRound = now
        receiveAll()
        releaseDue()
        meetPreciseFrames()
    }

    /// Reads the processor time of this thread into the statistics.
    func readProcessorTime() {
        statistics.processorNanoseconds = clab_now(CLOCK_THREAD_CPUTIME_ID)
    }

    /// Nanoseconds since the switch started.
    private var now: Int64 { clab_now(CLOCK_MONOTONIC) - start }
}

// MARK: - Waiting

extension SwitchLoop {
    private var nextDue: Int64 { lanes.reduce(.max) { min($0, $1.nextDue) } }
    private var nextPreciseDue: Int64 { lanes.reduce(.max) { min($0, $1.nextPreciseDue) } }

    private func waitForWork() {
        let due = nextDue
        let preciseDue = nextPreciseDue
        let spinStart = preciseDue == .max ? Int64.max : preciseDue - Self.spin
        if due != .max {
            // Their delays run since the kernel stamped them: arrivals need not wake the loop one by one.
            let pause = min(lastRound + Self.coalescing, spinStart) - now
            if pause > Self.shortestPause { clab_sleep(pause) }
        }
        let until = min(max(due, lastRound + Self.coalescing), spinStart)
        poll(timeout: due == .max ? -1 : max(until - now, 0))
    }

    private func poll(timeout: Int64) {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: ports.count + 1) { descriptors in
            for (index, port) in ports.enumerated() {
                descriptors[index] = pollfd(fd: port.descriptor, events: Int16(POLLIN), revents: 0)
            }
            descriptors[ports.count] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            _ = clab_wait(descriptors.baseAddress, Int32(ports.count + 1), timeout)
        }
    }

    /// While a precise frame is about to be due: spins, forwards it, and takes in what arrives meanwhile.
    private func meetPreciseFrames() {
        var due = nextPreciseDue
        while due != .max {
            let begin = now
            guard due - begin <= Self.spin, spinBudget > 0 else { return }
            // The instant itself is waited for in short pieces, for an arrival may be due before it.
            let piece = min(due, begin + Self.coalescing)
            var time = begin
            while time < piece { time = now }
            spinBudget -= time - begin
            statistics.spunNanoseconds += time - begin
            if time < due { receiveAll() }
            releaseDue()
            due = nextPreciseDue
        }
    }
}

// MARK: - Forwarding

extension SwitchLoop {
    private func receiveAll() {
        for (index, port) in ports.enumerated() {
            var received: Int
            repeat {
                received = port.receive(into: pool)
                // Stamps are of CLOCK_REALTIME, which may be set: only their distance from now is used.
                let now = self.now
                let realtime = clab_now(CLOCK_REALTIME)
                for frame in 0..<received {
                    let arrival = port.arrival(frame)
                    accept(arrival, from: index, at: arrival.stamp == 0 ? now : now - max(0, realtime - arrival.stamp))
                }
            } while received == PacketPort.batch
        }
    }

    private func accept(_ arrival: PacketPort.Arrival, from port: Int, at time: Int64) {
        guard arrival.length >= EthernetHeader.bytes else {
            pool.giveBack(arrival.slot)
            statistics.framesDropped += 1
            return
        }
        let header = EthernetHeader(pool.bytes(of: arrival.slot), length: arrival.length)
        var targets = fabric.route(destination: header.destination, source: header.source, from: port)
        guard targets != 0 else {
            pool.giveBack(arrival.slot)
            return
        }
        let frame = LinkFrame(pool.bytes(of: arrival.slot), length: arrival.length)
        guard let entrance = fabric.ascend(from: port, at: time, frame) else {
            pool.giveBack(arrival.slot)
            statistics.framesLost += 1
            return
        }
        let flight = Flight(arrival: arrival, port: port, isPrecise: header.isPrecise, frame: frame)
        while targets != 0 {
            let target = targets.trailingZeroBitCount
            targets &= targets - 1
            let isLast = targets == 0
            if let again = entrance.copyDue { deliver(flight, at: again, to: target, isHeldBack: true, isLast: false) }
            deliver(flight, at: entrance.due, to: target, isHeldBack: entrance.isHeldBack, isLast: isLast)
        }
    }

    /// A frame inside the switch.
    private struct Flight {
        let arrival: PacketPort.Arrival
        let port: Int
        let isPrecise: Bool
        let frame: LinkFrame
    }

    /// Takes on a frame that will be in the switch at `time`, and goes to this port.
    ///
    /// A link of limited rate carries frames as they come to it. What waits on a slower one until then must not have
    /// its turn already: so such frames are kept until they are there.
    ///
    /// - Parameter isLast: the frame is needed no more: the lane gets itself, and no copy.
    private func deliver(_ flight: Flight, at time: Int64, to target: Int, isHeldBack: Bool, isLast: Bool) {
        guard fabric.isLimited(target) else {
            return descend(flight, at: time, to: target, isHeldBack: isHeldBack, isLast: isLast)
        }
        guard let slot = isLast ? flight.arrival.slot : copy(flight.arrival) else {
            statistics.framesDropped += 1
            return
        }
        append(flight, slot, due: time, to: target, isHeldBack: isHeldBack, isRising: true)
    }

    /// Puts a frame that is in the switch at `time` into the lane to its port, and its copy if the link makes one.
    private func descend(_ flight: Flight, at time: Int64, to target: Int, isHeldBack: Bool, isLast: Bool) {
        guard let passage = fabric.descend(to: target, at: time, flight.frame) else {
            if isLast { pool.giveBack(flight.arrival.slot) }
            statistics.framesLost += 1
            return
        }
        if let again = passage.copyDue, let slot = copy(flight.arrival) {
            append(flight, slot, due: again, to: target, isHeldBack: true)
        }
        guard let slot = isLast ? flight.arrival.slot : copy(flight.arrival) else {
            statistics.framesDropped += 1
            return
        }
        append(flight, slot, due: passage.due, to: target, isHeldBack: isHeldBack || passage.isHeldBack)
    }

    private func append(
        _ flight: Flight, _ slot: Int32, due: Int64, to target: Int, isHeldBack: Bool, isRising: Bool = false
    ) {
        // Frames that are held back go by a lane of their own, so that others overtake them.
        let group = (isRising ? 2 : 0) + (isHeldBack ? 1 : 0)
        lanes[(group * ports.count + flight.port) * ports.count + target].append(
            WaitingFrame(due: due, slot: slot, length: flight.arrival.length, isPrecise: flight.isPrecise))
    }

    private func copy(_ arrival: PacketPort.Arrival) -> Int32? {
        guard let slot = pool.take() else { return nil }
        pool.bytes(of: slot).update(from: pool.bytes(of: arrival.slot), count: Int(arrival.length))
        return slot
    }

    /// Sends every frame that is due, those to one port in the order of their times.
    private func releaseDue() {
        let now = self.now
        for target in ports.indices {
            while let lane = earliestLane(to: target, dueBy: now, isRising: true) { takeIn(lane, to: target) }
            while let lane = earliestLane(to: target, dueBy: now) {
                let frame = lanes[lane].removeFirst()
                statistics.framesForwarded += 1
                statistics.bytesForwarded += UInt64(frame.length)
                if frame.isPrecise {
                    let last = statistics.latenessMicroseconds.count - 1
                    statistics.latenessMicroseconds[min(Int((now - frame.due) / 1000), last)] += 1
                }
                if ports[target].stage(frame) { statistics.framesDropped += UInt64(ports[target].flush(pool)) }
            }
            statistics.framesDropped += UInt64(ports[target].flush(pool))
        }
    }

    /// The first frame of this lane has come up its link and goes down the one to its port.
    private func takeIn(_ lane: Int, to target: Int) {
        let frame = lanes[lane].removeFirst()
        let (source, group) = (lane / ports.count % ports.count, lane / ports.count / ports.count)
        let flight = Flight(
            arrival: PacketPort.Arrival(slot: frame.slot, length: frame.length, stamp: 0), port: source,
            isPrecise: frame.isPrecise, frame: LinkFrame(pool.bytes(of: frame.slot), length: frame.length))
        descend(flight, at: frame.due, to: target, isHeldBack: group % 2 == 1, isLast: true)
    }

    private func earliestLane(to target: Int, dueBy now: Int64, isRising: Bool = false) -> Int? {
        var earliest: Int?
        var due = now
        let first = isRising ? 2 * ports.count : 0
        for source in first..<first + 2 * ports.count {
            let lane = source * ports.count + target
            guard !lanes[lane].isEmpty, lanes[lane].nextDue <= due else { continue }
            due = lanes[lane].nextDue
            earliest = lane
        }
        return earliest
    }
}
