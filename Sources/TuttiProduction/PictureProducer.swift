import Dispatch
import Synchronization
package import TuttiAssets
package import TuttiCore
import TuttiHost
package import TuttiRooms

/// What is to be read of a timeline's pictures.
package struct PictureWork: Sendable, Equatable {
    /// The number of the work, which grows; what was read for an older one is dropped.
    package var serial: Int
    /// The tracks, by time.
    package var spans: [PictureSpan]
    /// From where on the timeline.
    package var from: MediaTime
    /// Up to where, for now.
    package var limit: MediaTime
    /// Bytes of coded pictures that may be read now.
    package var bytes: Int

    package init(serial: Int, spans: [PictureSpan], from: MediaTime, limit: MediaTime, bytes: Int) {
        self.serial = serial
        self.spans = spans
        self.from = from
        self.limit = limit
        self.bytes = bytes
    }
}

/// What comes of it.
package struct PictureBatch: Sendable {
    /// The pictures, in the order in which they are decoded.
    package var pictures: [VideoSampleBuffer] = []
    /// Whether the first of them takes the place of all from its time on.
    package var beginsAnew = false
    /// Up to where all of the timeline's pictures have been given.
    package var reached = MediaTime.zero
    /// Why a track's pictures cannot be read, or not to the end.
    package var problem: (serial: Int, text: String)?

    package init() {}
}

/// Reads a timeline's pictures as far ahead as it is told to, and reports as it goes.
package protocol PictureMaking: Sendable {
    /// Takes what is to be read now.
    func take(_ work: PictureWork)
    /// Ends for good.
    func stop()
}

/// Reads pictures on a thread of its own, so that a film that is hard to read holds no sound back.
package final class PictureProducer: PictureMaking {
    private struct State {
        var work: PictureWork?
        var isStopping = false
        /// Of the work that is being read, and its number.
        var current: (serial: Int, interrupter: Interrupter)?
    }

    /// A batch ends with so many bytes.
    private static let batchBytes = 1 << 20

    private let report: @Sendable (Int, PictureBatch) -> Void
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameter report: called on the producer's thread with the work's number and what there is of it.
    package init(report: @escaping @Sendable (Int, PictureBatch) -> Void) { self.report = report }

    /// Starts the thread; it ends after `stop`.
    ///
    /// - Throws: `SenderError.system` when the system gives no thread.
    package func run() throws(SenderError) {
        do {
            _ = try RealtimeThread.spawn(name: "tutti-pictures", priority: nil) { self.loop() }
        } catch {
            throw .system(error.description)
        }
    }

    package func take(_ work: PictureWork) {
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
        var reading: PictureReading?
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

    private func begin(_ work: PictureWork) -> PictureReading {
        let reading = PictureReading(work)
        // Newer work may have come by now, and would find nothing to interrupt.
        let isOld = state.withLock { state in
            state.current = (work.serial, reading.interrupter)
            return state.isStopping || state.work?.serial != work.serial
        }
        if isOld { reading.interrupter.interrupt() }
        return reading
    }
}
