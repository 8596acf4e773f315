import Foundation
import Synchronization

/// Work on a thread of its own that is on one of the lab's hosts: the sockets that it opens are that host's.
package final class HostErrand<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, LabError>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// Begins it.
    /// - Parameter namespace: the host's.
    package init(in namespace: String, _ work: @escaping @Sendable () throws(LabError) -> Value) {
        Thread { [self] in
            let result = Result { () throws(LabError) -> Value in
                try NetworkNamespace.enter(namespace)
                return try work()
            }
            outcome.withLock { $0 = result }
            done.signal()
        }.start()
    }

    /// Waits for its end. Call it once.
    ///
    /// - Throws: what went wrong.
    package func value() throws(LabError) -> Value {
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { throw .runFailed("nothing was done on the host") }
        return try result.get()
    }
}
