import Dispatch
import NIOCore

/// An event loop in virtual time: the actors and channels of one process live on it.
final class VirtualEventLoop: NIOSerialEventLoopExecutor, @unchecked Sendable {
    private let process: VirtualProcess

    init(_ process: VirtualProcess) { self.process = process }

    /// There is one thread, and everybody is on it.
    var inEventLoop: Bool { true }

    var now: NIODeadline { .uptimeNanoseconds(UInt64(process.host.agenda.now)) }

    func execute(_ task: @escaping @Sendable () -> Void) { process.after(0, task) }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let ticket = Ticket()
        process.after((deadline - now).nanoseconds) {
            guard !ticket.isCancelled else { return }
            promise.assumeIsolated().completeWith(Result(catching: task))
        }
        return Scheduled(promise: promise) { ticket.isCancelled = true }
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + delay, task)
    }

    func preconditionInEventLoop(file: StaticString, line: UInt) {}

    func preconditionNotInEventLoop(file: StaticString, line: UInt) {}

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        callback(nil)
    }

    private final class Ticket: @unchecked Sendable {
        var isCancelled = false
    }
}
