import Dispatch
import Synchronization
import TuttiAssets
import TuttiCore
import TuttiHost

/// Reads, converts and encodes the programme once, for all rooms, on a thread of its own, as far ahead as it is told to.
final class Producer: Sendable {
    private struct State {
        var order: ProducerOrder?
        var limit = MediaTime.zero
        var isStopping = false
        /// The item that is being read, to wake it from slow input.
        var interrupter: Interrupter?
    }

    private let inputs: [AssetInput]
    private let options: EncodingOptions
    private let report: @Sendable (Int, ProducerEvent) -> Void
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter report: called on the producer's thread with the epoch and what happened.
    init(
        inputs: [AssetInput], options: EncodingOptions, report: @escaping @Sendable (Int, ProducerEvent) -> Void
    ) {
        self.inputs = inputs
        self.options = options
        self.report = report
    }

    /// Starts the thread; it ends after `stop`.
    ///
    /// - Throws: `SenderError.system` when the system gives no thread.
    func run() throws(SenderError) {
        do {
            _ = try RealtimeThread.spawn(name: "tutti-producer", priority: nil) { self.loop() }
        } catch {
            throw .system(error.description)
        }
    }

    /// Drops what is being made and begins anew.
    func begin(_ order: ProducerOrder, limit: MediaTime) {
        let interrupter = state.withLock { state in
            state.order = order
            state.limit = limit
            return state.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    /// Makes packets up to `limit` on the timeline.
    func extend(to limit: MediaTime) {
        state.withLock { $0.limit = max($0.limit, limit) }
        wake.signal()
    }

    /// Ends the thread.
    func stop() {
        let interrupter = state.withLock { state in
            state.isStopping = true
            return state.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    // MARK: The thread

    private func loop() {
        var done = -1
        while true {
            let (order, isStopping) = state.withLock { ($0.order, $0.isStopping) }
            if isStopping { return }
            guard let order, order.epoch != done else {
                wake.wait()
                continue
            }
            carryOut(order)
            done = order.epoch
        }
    }

    private func carryOut(_ order: ProducerOrder) {
        var start = order.start
        var offset = order.offset
        for index in order.item..<max(inputs.count, order.item) {
            guard isCurrent(order) else { return }
            let interrupter = Interrupter()
            state.withLock {
                $0.interrupter = inputs[index].isRemote || inputs[index].isStandardInput ? interrupter : nil
            }
            defer { state.withLock { $0.interrupter = nil } }
            let item = ItemProducer(index: index, start: start, offset: offset) { self.report(order.epoch, $0) }
            item.produce(inputs[index], options: options, interrupter: interrupter) { self.mayContinue(order, at: $0) }
            guard isCurrent(order) else { return }
            offset = item.remainingOffset
            start = item.end
        }
        report(order.epoch, .finished(end: start))
    }

    private func isCurrent(_ order: ProducerOrder) -> Bool {
        state.withLock { $0.order?.epoch == order.epoch && !$0.isStopping }
    }

    /// Waits until more is wanted beyond `time`; false when the order is obsolete.
    private func mayContinue(_ order: ProducerOrder, at time: MediaTime) -> Bool {
        while true {
            let (isCurrent, limit) = state.withLock { ($0.order?.epoch == order.epoch && !$0.isStopping, $0.limit) }
            if !isCurrent { return false }
            if time < limit { return true }
            wake.wait()
        }
    }
}
