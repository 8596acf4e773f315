import Dispatch
import Synchronization
package import TuttiAssets
import TuttiHost
package import TuttiRooms

/// Reads a timeline's pictures, or the texts above them, as far ahead as it is told to, and reports as it goes.
package protocol SpanMaking: Sendable {
    /// Takes what is to be read now.
    func take(_ work: SpanWork)
    /// Ends for good.
    func stop()
}

/// How far a piece of work has been read. Used by one thread.
package protocol SpanReading: AnyObject, SendableMetatype {
    /// What comes of it.
    associatedtype Batch: Sendable

    /// The number of the work.
    var serial: Int { get }
    /// Makes blocking input give up, from any thread.
    var interrupter: Interrupter { get }

    /// A reading of this work.
    init(_ work: SpanWork)

    /// What comes next; nil when there is nothing to do for now.
    ///
    /// - Parameters:
    ///   - work: the work as it is by now.
    ///   - most: bytes after which there is enough at a time.
    func next(_ work: SpanWork, upToBytes most: Int) -> Batch?
}

/// Reads on a thread of its own, so that a film that is hard to read holds no sound back, and its subtitles no pictures.
package final class SpanProducer<Reading: SpanReading>: SpanMaking {
    private struct State {
        var work: SpanWork?
        var isStopping = false
        /// Of the work that is being read, and its number.
        var current: (serial: Int, interrupter: Interrupter)?
    }

    /// A batch ends with so many bytes.
    private static var batchBytes: Int { 1 << 20 }

    private let report: @Sendable (Int, Reading.Batch) -> Void
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter report: called on the producer's thread with the work's number and what there is of it.
    package init(report: @escaping @Sendable (Int, Reading.Batch) -> Void) { self.report = report }

    /// Starts the thread; it ends after `stop`.
    ///
    /// - Parameter name: the thread's.
    /// - Throws: `SenderError.system` when the system gives no thread.
    package func run(name: String) throws(SenderError) {
        do {
            _ = try RealtimeThread.spawn(name: name, priority: nil) { self.loop() }
        } catch {
            throw .system(error.description)
        }
    }

    package func take(_ work: SpanWork) {
        let interrupter = state.withLock { state -> Interrupter? in
            state.work = work
            return state.current?.serial == work.serial ? nil : state.current?.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    package func stop() {
        let interrupter = state.withLock { state in
            state.isStopping = true
            return state.current?.interrupter
        }
        interrupter?.interrupt()
        wake.signal()
    }

    // MARK: The thread

    private func loop() {
        var reading: Reading?
        while true {
            let (work, isStopping) = state.withLock { ($0.work, $0.isStopping) }
            if isStopping { return }
            guard let work else {
                wake.wait()
                continue
            }
            let current = reading.flatMap { $0.serial == work.serial ? $0 : nil } ?? begin(work)
            reading = current
            if let batch = current.next(work, upToBytes: Self.batchBytes) {
                report(work.serial, batch)
            } else {
                wake.wait()
            }
        }
    }

    private func begin(_ work: SpanWork) -> Reading {
        let reading = Reading(work)
        // Newer work may have come by now, and would find nothing to interrupt.
        let isOld = state.withLock { state in
            state.current = (work.serial, reading.interrupter)
            return state.isStopping || state.work?.serial != work.serial
        }
        if isOld { reading.interrupter.interrupt() }
        return reading
    }
}
