import Dispatch
import Glibc
import Synchronization
import TuttiAssets
package import TuttiCore
import TuttiHost
package import TuttiRooms

/// Reads, converts and encodes the timeline once, for all rooms, on a thread of its own: track by track, as far ahead
/// as it is told to. What comes after a track is asked for when it is through, so that it follows the queue as that is
/// by then.
package final class Producer: TrackProducer {
    private struct State {
        var item: ProducerItem?
        var limit = MediaTime.zero
        /// When what a live track begins with was captured, and the number of its work item.
        var anchor: (serial: Int, instant: HostTime)?
        var latency: (serial: Int, nanoseconds: Int64)?
        var isStopping = false
        /// The item that is being read, to wake it from slow input.
        var interrupter: Interrupter?
    }

    private let options: EncodingOptions
    private let report: @Sendable (Int, ProducerEvent) -> Void
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    /// Nanoseconds: see `ProducerEffort`.
    private let processor = Atomic<Int64>(0)
    private let sound = Atomic<Int64>(0)

    /// - Parameter report: called on the producer's thread with the work item's serial number and what happened.
    package init(options: EncodingOptions, report: @escaping @Sendable (Int, ProducerEvent) -> Void) {
        self.options = options
        self.report = report
    }

    /// Starts the thread; it ends after `stop`.
    ///
    /// - Throws: `SenderError.system` when the system gives no thread.
    package func run() throws(SenderError) {
        do {
            _ = try RealtimeThread.spawn(name: "tutti-producer", priority: nil) { self.loop() }
        } catch {
            throw .system(error.description)
        }
    }

    /// Begins a track; drops what is being made, if it is not through.
    package func begin(_ item: ProducerItem, limit: MediaTime) {
        let interrupter = state.withLock { state in
            precondition(state.item.map { $0.serial < item.serial } ?? true, "the numbers of work items grow")
            state.item = item
            state.limit = limit
            return state.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    /// Drops what is being made.
    package func rest() {
        let interrupter = state.withLock { state in
            state.item = nil
            return state.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    /// Makes packets up to `limit` on the timeline.
    package func extend(to limit: MediaTime) {
        state.withLock { $0.limit = max($0.limit, limit) }
        wake.signal()
    }

    package func anchor(_ serial: Int, at instant: HostTime) { state.withLock { $0.anchor = (serial, instant) } }

    package func raiseLatency(_ serial: Int, to latency: Int64) { state.withLock { $0.latency = (serial, latency) } }

    /// Ends the thread.
    package func stop() {
        let interrupter = state.withLock { state in
            state.isStopping = true
            return state.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    package var effort: ProducerEffort? {
        ProducerEffort(processor: processor.load(ordering: .relaxed), sound: sound.load(ordering: .relaxed))
    }

    // MARK: The thread

    private func loop() {
        var done = -1
        let memory = NightMemory()
        while true {
            let (item, isStopping) = state.withLock { ($0.item, $0.isStopping) }
            if isStopping { return }
            guard let item, item.serial != done else {
                wake.wait()
                continue
            }
            carryOut(item, memory)
            done = item.serial
        }
    }

    private func carryOut(_ item: ProducerItem, _ memory: NightMemory) {
        let asset = item.opened?.take(for: item.input, choice: item.choice)
        let interrupter = asset?.interrupter ?? Interrupter()
        let isWanted = state.withLock { state in
            guard state.item?.serial == item.serial, !state.isStopping else { return false }
            state.interrupter = item.isSlow ? interrupter : nil
            return true
        }
        guard isWanted else { return }
        let producer = ItemProducer(
            item, opened: asset, options: options, interrupter: interrupter, memory: memory,
            report: { self.tell($0, of: item) },
            mayContinue: { self.mayContinue(item, at: $0) })
        producer.produce(
            ItemProducer.LiveAsks(
                anchor: { self.state.withLock { $0.anchor.flatMap { $0.serial == item.serial ? $0.instant : nil } } },
                latency: {
                    self.state.withLock { $0.latency.flatMap { $0.serial == item.serial ? $0.nanoseconds : nil } }
                },
                limit: { self.state.withLock { $0.limit } }))
        state.withLock { $0.interrupter = nil }
    }

    private func tell(_ event: ProducerEvent, of item: ProducerItem) {
        if case .packets(let buffers) = event {
            let seconds = buffers.reduce(0) { $0 + $1.duration.seconds }
            sound.wrappingAdd(Int64(seconds * 1e9), ordering: .relaxed)
        }
        var spent = timespec()
        // The thread does nothing else.
        if clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent) == 0 {
            processor.store(Int64(spent.tv_sec) * 1_000_000_000 + Int64(spent.tv_nsec), ordering: .relaxed)
        }
        report(item.serial, event)
    }

    /// Waits until more is wanted beyond `time`; false when the work item is obsolete.
    private func mayContinue(_ item: ProducerItem, at time: MediaTime) -> Bool {
        while true {
            let (isCurrent, limit) = state.withLock { ($0.item?.serial == item.serial && !$0.isStopping, $0.limit) }
            if !isCurrent { return false }
            if time < limit { return true }
            wake.wait()
        }
    }
}
