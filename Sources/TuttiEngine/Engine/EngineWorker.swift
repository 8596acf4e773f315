import Glibc
import Synchronization

/// The thread that reads files ahead and calls handlers while an engine runs in real time. It ends with the engine, or
/// when it is told to.
final class EngineWorker: Sendable {
    /// Microseconds between two looks.
    private static let interval: UInt32 = 5_000

    private final class Start: Sendable {
        let worker: EngineWorker
        let engine: @Sendable () -> AudioEngine?

        init(_ worker: EngineWorker, _ engine: AudioEngine) {
            self.worker = worker
            self.engine = { [weak engine] in engine }
        }

        func run() {
            while !worker.isOver.load(ordering: .acquiring), pass() { usleep(EngineWorker.interval) }
        }

        private func pass() -> Bool {
            guard let engine = engine() else { return false }
            engine.keepHouse()
            return true
        }
    }

    private let isOver = Atomic<Bool>(false)

    init(_ engine: AudioEngine) {
        let start = Unmanaged.passRetained(Start(self, engine))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, start.toOpaque())
        if result == 0 { pthread_detach(thread) } else { start.release() }
    }

    /// Looks no more, but may do so once.
    func end() { isOver.store(true, ordering: .releasing) }
}
