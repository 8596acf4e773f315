import Dispatch
import Synchronization

/// Does independent work on several threads.
enum Workers {
    /// The results of `body` for every number below `count`, in their order; made on so many threads at once.
    static func map<Value: Sendable>(_ count: Int, threads: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
        let values = Mutex<[Value?]>(Array(repeating: nil, count: count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                let value = body(index)
                values.withLock { $0[index] = value }
            }
        }
        return values.withLock { $0.compactMap(\.self) }
    }
}
