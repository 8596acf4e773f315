import Dispatch
import Logging
import Synchronization
import TuttiHost
import TuttiSpeaker

/// The speaker of a screen, in a program whose main thread has the window and waits for it.
struct ScreenService {
    private let service: SpeakerService

    /// Starts it.
    ///
    /// - Throws: `SpeakerError`.
    init(_ configuration: SpeakerConfiguration, clock: HostClock, logger: Logger) throws(SpeakerError) {
        service = try Self.wait {
            do throws(SpeakerError) {
                let service = try await SpeakerService(configuration: configuration, clock: clock, logger: logger)
                return Result<SpeakerService, SpeakerError>.success(service)
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Says goodbye, and ends its threads.
    func stop() {
        let service = service
        Self.wait { await service.shutdown() }
    }

    private static func wait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let isDone = DispatchSemaphore(value: 0)
        let box = Box<Value>()
        Task.detached {
            let result = await work()
            box.state.withLock { $0 = result }
            isDone.signal()
        }
        while true {
            isDone.wait()
            if let result = box.state.withLock({ $0 }) { return result }
        }
    }
}

/// What a task leaves.
private final class Box<Value: Sendable>: Sendable {
    let state = Mutex<Value?>(nil)
}
