import Dispatch

/// A serial queue as an executor: what renderers and synchronizers call their clients on.
public final class SerializationQueue: SerialExecutor {
    private let queue: DispatchQueue

    /// A queue; `label` shows in debuggers.
    public init(label: String) { queue = DispatchQueue(label: label) }

    /// Runs `work` after what was submitted before, without waiting for it.
    public func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs `work` after what was submitted before, and waits for it. Not from the queue itself.
    public func sync<Result>(_ work: () throws -> Result) rethrows -> Result { try queue.sync(execute: work) }

    /// Runs a job of Swift's concurrency on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
