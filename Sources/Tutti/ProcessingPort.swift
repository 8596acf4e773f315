import Synchronization
import TuttiCore
import TuttiPlayback

/// Lets any port play at other rates than 1 with the pitch kept, and lets an engine process what a port takes far ahead:
/// it stands between a renderer, whose times are the programme's, and the port, whose own programme always runs at rate
/// 1.
///
/// At rate 1 and without an engine buffers go through as they are. Otherwise they are decoded, stretched and processed,
/// in order and as far as they are held, on a queue of the port's own; on a manual clock whenever that is moved, so that
/// the same calls give the same frames. While one rate holds, the port's time is the media time divided by it. Each
/// change of rate has its own span of the port's time, so that what is played until the change and what follows it do
/// not meet.
final class ProcessingPort: RoutePort {
    private struct State {
        var plan: ProcessingPlan
        var isReading = false
        var isClosed = false
    }

    private struct Reading: ~Copyable {
        let reader: ProcessingReader
        var generation = 0
    }

    private let port: any RoutePort
    private let clock: PlaybackClock
    private let worker: Courier
    private let state: Mutex<State>
    private let reading: Mutex<Reading>

    /// Stands before `port`, which has been told nothing yet.
    init(_ port: any RoutePort, clock: PlaybackClock) {
        self.port = port
        self.clock = clock
        worker = Courier(workOn: clock, label: "tutti.process")
        state = Mutex(State(plan: ProcessingPlan(hasEngine: port.engine != nil)))
        reading = Mutex(Reading(reader: ProcessingReader(engine: port.engine)))
    }

    var startLead: Int64 { port.startLead }
    var stopLead: Int64 { port.stopLead }
    var handoverLead: Int64 { port.handoverLead }

    func insert(_ buffer: SampleBuffer) {
        state.withLock { state in
            state.plan.insert(buffer, now: now)
            if state.plan.isProcessing {
                readSoon(&state)
            } else if !state.plan.isIdle {
                port.insert(state.plan.scale.shifted(buffer))
            }
        }
    }

    func reconsider(from time: MediaTime) {
        state.withLock { state in
            if state.plan.isProcessing {
                state.plan.doubt(from: time)
            } else {
                port.reconsider(from: state.plan.scale.portTime(of: time))
            }
        }
    }

    func set(_ line: Timebase) {
        state.withLock { state in
            let isFirst = state.plan.isIdle
            let needsOtherScale = state.plan.needsOtherScale(line)
            if needsOtherScale {
                let hadGiven = state.plan.hasGiven
                let clearance = state.plan.change(to: line, now: now)
                if hadGiven { port.flush(from: clearance) { _ in } }
            } else {
                state.plan.follow(line)
            }
            if isFirst || needsOtherScale { giveHeld(state.plan) }
            port.set(state.plan.scale.portLine(of: line))
            if state.plan.isProcessing { readSoon(&state) }
        }
    }

    /// Drops what is held, for a line of another rate to follow: what is heard until that plays on.
    func forget() { state.withLock { $0.plan.remove(from: nil, now: now) } }

    func flush(from time: MediaTime?, completion: @escaping @Sendable (Bool) -> Void) {
        state.withLock { state in
            let portTime = time.map(state.plan.scale.portTime) ?? state.plan.clearance(before: nil, now: now)
            let (buffers, end) = (time.map { state.plan.store.packets(from: $0) } ?? [], state.plan.end)
            state.plan.remove(from: time, now: now)
            port.flush(from: portTime) { [weak self] isDone in
                if !isDone, let time { self?.restore(buffers, end: end, from: time) }
                completion(isDone)
            }
            if state.plan.isProcessing { readSoon(&state) }
        }
    }

    private func restore(_ buffers: [SampleBuffer], end: MediaTime?, from time: MediaTime) {
        state.withLock { state in
            state.plan.restore(buffers, end: end, from: time)
            if state.plan.isProcessing { readSoon(&state) }
        }
    }

    func setEnd(_ time: MediaTime) {
        state.withLock { state in
            state.plan.setEnd(time)
            if state.plan.isProcessing {
                readSoon(&state)
            } else if !state.plan.isIdle {
                port.setEnd(state.plan.scale.portTime(of: time))
            }
        }
    }

    func setGain(_ gain: Float, rampMilliseconds: Int) { port.setGain(gain, rampMilliseconds: rampMilliseconds) }

    func close() {
        state.withLock { $0.isClosed = true }
        port.close()
    }

    private var now: GroupTime { HostTimeline.group(clock.now()) }

    /// Gives the port what is held as it is; what is to be processed comes by itself.
    private func giveHeld(_ plan: ProcessingPlan) {
        guard !plan.isProcessing else { return }
        for buffer in plan.buffers { port.insert(plan.scale.shifted(buffer)) }
        if let end = plan.end { port.setEnd(plan.scale.portTime(of: end)) }
    }

    // MARK: Reading

    private func readSoon(_ state: inout State) {
        guard !state.isReading else { return }
        state.isReading = true
        worker.deliver { [weak self] in self?.readAll() }
    }

    private func readAll() {
        reading.withLock { reading in
            while let (step, generation) = nextStep() {
                if generation != reading.generation { reading.reader.reset() }
                reading.generation = generation
                switch step {
                case .read(let order):
                    let earlier = { self.state.withLock { $0.plan.packets(before: order.packet) } }
                    give(reading.reader.read(order, earlier: earlier), generation)
                case .finish: give(reading.reader.finish(), generation)
                case .end(let time):
                    state.withLock { if $0.plan.generation == generation { port.setEnd(time) } }
                }
            }
        }
    }

    private func nextStep() -> (ProcessingPlan.Step, generation: Int)? {
        state.withLock { state in
            guard !state.isClosed, let step = state.plan.nextStep() else {
                state.isReading = false
                return nil
            }
            return (step, state.plan.generation)
        }
    }

    /// Hands over what was read, unless reading has begun elsewhere meanwhile.
    private func give(_ buffers: [SampleBuffer], _ generation: Int) {
        state.withLock { state in
            guard !state.isClosed, state.plan.generation == generation else { return }
            for buffer in buffers {
                port.insert(buffer)
                if let time = state.plan.noteGiven(upTo: buffer.timeRange.end) { port.reconsider(from: time) }
            }
        }
    }
}
