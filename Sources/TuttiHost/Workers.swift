import Dispatch
import Synchronization

/// Does independent work on several threads.
package enum Workers {
    /// Calls `body` for every number below `count`, in order, on so many threads at once; returns when all is done.
    package static func forEach(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
        let next = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
            while let index = next.withLock({ next in
                defer { next += 1 }
                return next < count ? next : nil
            }) {
                body(index)
            }
        }
    }

    /// The same with results, in the order of the numbers.
    package static func map<Value: Sendable>(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
        let values = Mutex<[Value?]>(Array(repeating: nil, count: max(0, count)))
        forEach(count, threads: threads) { index in
            let value = body(index)
            values.withLock { $0[index] = value }
        }
        return values.withLock { $0.compactMap(\.self) }
    }
}
