import Glibc
import Logging
import TuttiHost
import TuttiHouse
import TuttiSender
import TuttiStore

/// The house with its socket, from the first signal to the last.
struct Service {
    let paths: StatePaths
    let logger: Logger

    /// Between two words to systemd about how it goes, if it wants none more often.
    private static let interval = Duration.seconds(5)

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: `SenderError` when it cannot begin.
    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals()
        let lock = try lock()
        let store = try openStore()
        let clock = try HostClock.system(environment: ProcessEnvironment.current)
        let house = House(try HouseConfiguration(store: store, clock: clock, logger: logger))
        let server = try await listen(for: house)
        await house.start()
        let notifier = ServiceNotifier(environment: ProcessEnvironment.current)
        logger.info(
            "ready",
            metadata: [
                "socket": "\(ControlServer.path(in: paths.runtimeDirectory))", "store": "\(store.path ?? "in memory")",
            ])
        notifier.tell("READY=1", "STATUS=nothing plays")
        let serving = Task { await server.run() }
        let reporting = Task { await Self.report(on: house, to: notifier) }
        await signals.first()
        notifier.tell("STOPPING=1")
        let count = await house.count
        logger.info("ends; \(count == 0 ? "nothing plays" : "the rooms play on from what they hold")")
        reporting.cancel()
        serving.cancel()
        await serving.value
        await house.leave()
        withExtendedLifetime(lock) {}
    }

    private func listen(for house: House) async throws -> ControlServer {
        do {
            return try await ControlServer(for: house, runtimeDirectory: paths.runtimeDirectory)
        } catch {
            guard case .alreadyPlaying(let socket) = error else { throw error }
            throw Failure("another `tutti serve` or `tutti play` has the socket \(socket); end it first")
        }
    }

    /// There is one service for a store.
    private func lock() throws -> FileLock? {
        do {
            try StatePaths.prepare(paths.stateDirectory)
            if let lock = try FileLock(path: paths.stateDirectory + "/serve.lock") { return lock }
        } catch {
            // A directory that cannot be written is told of by the store.
            return nil
        }
        throw Failure("another `tutti serve` uses \(paths.stateDirectory); end it first")
    }

    /// The store or, where there can be none, one in memory: music matters more.
    private func openStore() throws(SenderError) -> HouseStore {
        do {
            return try HouseStore(directory: paths.stateDirectory)
        } catch {
            return try HouseStore.inMemory(because: error.description)
        }
    }

    private static func report(on house: House, to notifier: ServiceNotifier) async {
        let wanted = notifier.watchdogMicroseconds.map { Duration.microseconds(Int64(clamping: $0 / 2)) }
        while !Task.isCancelled {
            try? await Task.sleep(for: min(wanted ?? interval, interval))
            // The house answers, or there is no sign of life.
            let count = await house.count
            notifier.tell(
                "STATUS=\(count == 0 ? "nothing plays" : count == 1 ? "one group plays" : "\(count) groups play")",
                "WATCHDOG=1")
        }
    }
}
