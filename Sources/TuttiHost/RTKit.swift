import CLinux
import Dispatch
import Synchronization

/// Why RealtimeKit gave nothing.
struct RTKitRefusal: Error, Equatable {
    /// In a few words.
    let reason: String
}

/// RealtimeKit, the system's service that gives real-time scheduling to programs of a desktop user who has no limit for
/// it (`org.freedesktop.RealtimeKit1`).
///
/// It may have to be started first, and it asks polkit, so it is asked from a thread of its own that nobody waits for.
/// The thread and its connection go away when there is nothing more to ask.
final class RTKit: Sendable {
    private struct Request {
        var thread: Int32
        var priority: Int
        var grant: RealtimeGrant
    }

    private struct State {
        var requests: [Request] = []
        var isRunning = false

        /// The next request; when there is none, perhaps the end of the thread.
        mutating func next(endsIfEmpty: Bool) -> Request? {
            guard requests.isEmpty else { return requests.removeFirst() }
            if endsIfEmpty { isRunning = false }
            return nil
        }

        /// All requests, and the end of the thread.
        mutating func takeAll() -> [Request] {
            defer { (requests, isRunning) = ([], false) }
            return requests
        }
    }

    /// This process's.
    static let shared = RTKit()

    /// The priority that maps to the highest one of RealtimeKit; others follow at a fifth of the distance.
    private static let topPriority = 60
    /// Seconds after the last request until the connection is closed.
    private static let linger = 1.0

    private let state = Mutex(State())
    private let isAsked = DispatchSemaphore(value: 0)

    /// Asks for a thread of this process; `grant` is settled when there is an answer.
    ///
    /// - Parameters:
    ///   - thread: the kernel's number of it.
    ///   - priority: as for `SCHED_FIFO`.
    func request(thread: Int32, priority: Int, grant: RealtimeGrant) {
        let mustStart = state.withLock { state in
            state.requests.append(Request(thread: thread, priority: priority, grant: grant))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        isAsked.signal()
        guard mustStart else { return }
        do {
            _ = try RealtimeThread.spawn(name: "tutti-rtkit", priority: nil) { self.serve() }
        } catch {
            for request in state.withLock({ $0.takeAll() }) {
                request.grant.settle(.failure(RTKitRefusal(reason: error.description)))
            }
        }
    }

    /// The body of the thread.
    private func serve() {
        let service = RTKitService.connected()
        while true {
            let isTimeout = isAsked.wait(timeout: .now() + Self.linger) == .timedOut
            guard let request = state.withLock({ $0.next(endsIfEmpty: isTimeout) }) else {
                if isTimeout { return }
                continue
            }
            request.grant.settle(Self.grant(request, service))
        }
    }

    private static func grant(
        _ request: Request, _ service: Result<RTKitService, RTKitRefusal>
    ) -> Result<Int, RTKitRefusal> {
        service.flatMap { service in
            let priority = min(
                max(1, service.highestPriority - (topPriority - request.priority) / 5), service.highestPriority)
            return RealtimeBudget.limit(microseconds: service.budgetMicroseconds).flatMap {
                service.makeRealtime(thread: request.thread, priority: priority)
            }.map {
                RealtimeBudget.watch(request.thread)
                return priority
            }
        }
    }
}
