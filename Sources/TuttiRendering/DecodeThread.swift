import Dispatch
import Synchronization

/// One thread and its workers: whoever has been due for the longest has the next turn.
final class DecodeThread: Sendable {
    private struct News {
        /// Workers to be made.
        var arrived: [(number: UInt64, make: @Sendable () -> DecodeWorker)] = []
        /// Those that were signalled.
        var woken: Set<UInt64> = []
        /// Those that go, with who waits for that.
        var leaving: [(number: UInt64, left: DispatchSemaphore)] = []
        var isOver = false
        var isSignalled = false
        var nextNumber: UInt64 = 0
    }

    /// What the thread alone knows.
    private struct Turn {
        let worker: DecodeWorker
        /// When it is to look again, in ns of uptime.
        var due: UInt64
    }

    private let news = Mutex(News())
    private let wakeUps = DispatchSemaphore(value: 0)

    /// A number for another worker.
    func number() -> UInt64 {
        news.withLock { news in
            news.nextNumber += 1
            return news.nextNumber
        }
    }

    /// Takes a worker on.
    func add(_ number: UInt64, _ make: @escaping @Sendable () -> DecodeWorker) {
        tell { $0.arrived.append((number, make)) }
    }

    /// Lets a worker look at once.
    func wake(_ number: UInt64) { tell { $0.woken.insert(number) } }

    /// Lets a worker go, and waits until it has gone.
    func remove(_ number: UInt64) {
        let left = DispatchSemaphore(value: 0)
        tell { $0.leaving.append((number, left)) }
        left.wait()
    }

    /// Ends the loop.
    func end() { tell { $0.isOver = true } }

    private func tell(_ change: (inout News) -> Void) {
        let isNew = news.withLock { news in
            change(&news)
            defer { news.isSignalled = true }
            return !news.isSignalled
        }
        if isNew { wakeUps.signal() }
    }

    /// The body of the thread.
    func runLoop() {
        var turns: [UInt64: Turn] = [:]
        while takeNews(&turns) {
            let now = DispatchTime.now().uptimeNanoseconds
            guard let next = turns.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) else {
                wakeUps.wait()
                continue
            }
            guard next.value.due <= now else {
                _ = wakeUps.wait(timeout: DispatchTime(uptimeNanoseconds: next.value.due))
                continue
            }
            let milliseconds = next.value.worker.step()
            let end = DispatchTime.now().uptimeNanoseconds
            turns[next.key]?.due = end + UInt64(max(0, milliseconds)) * 1_000_000
        }
    }

    /// - Returns: false at the end.
    private func takeNews(_ turns: inout [UInt64: Turn]) -> Bool {
        let taken = news.withLock { news in
            defer {
                news.arrived = []
                news.woken = []
                news.leaving = []
                news.isSignalled = false
            }
            return news
        }
        let now = DispatchTime.now().uptimeNanoseconds
        for (number, make) in taken.arrived { turns[number] = Turn(worker: make(), due: now) }
        for number in taken.woken {
            if let due = turns[number]?.due { turns[number]?.due = min(due, now) }
        }
        for (number, left) in taken.leaving {
            turns[number] = nil
            left.signal()
        }
        return !taken.isOver
    }
}
