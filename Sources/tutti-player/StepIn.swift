import Dispatch
import Glibc
import Logging
import Synchronization
import TuttiCommandLine
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Asks the player or the service of this user; if neither runs, this program carries out the one command itself.
enum StepIn {
    /// Gets a request answered.
    ///
    /// - Throws: what the player said, or `.nothingPlaying`.
    static func ask(_ request: ControlRequest) throws(SenderError) -> ControlResponse {
        let response: ControlResponse
        do throws(SenderError) {
            response = try GroupOption.client.ask(request)
        } catch .nothingPlaying {
            response = try alone(request)
        } catch {
            throw error
        }
        for notice in response.notices ?? [] { Terminal.error(notice) }
        return response
    }

    /// How a player stands after a request.
    static func send(_ request: ControlRequest) throws(SenderError) -> PlayerStatus {
        let response = try ask(request)
        if let status = response.status { return status }
        throw .severalPlaying((response.playing ?? []).compactMap(\.group))
    }

    private static func alone(_ request: ControlRequest) throws(SenderError) -> ControlResponse {
        let directory = PlayerSettings.paths.stateDirectory
        let needsStore = request.word == .volume || request.word == .mute
        guard needsStore || access(directory + "/" + HouseStore.fileName, F_OK) == 0 else { throw .nothingPlaying }
        // A read-only request needs no lock.
        let lock = request.word == .status ? nil : try lock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try PlayerSettings.store()
        var logger = Logger(label: "tutti")
        logger.logLevel = .critical
        let house = House(try HouseConfiguration(store: store, clock: HostClock(), logger: logger))
        let response = wait { await house.stepIn(for: request) }
        guard response.ok else {
            throw .refused(response.error ?? "the command failed", exitCode: response.exitCode ?? 1)
        }
        return response
    }

    private static func lock(_ directory: String) throws(SenderError) -> FileLock {
        let lock: FileLock?
        do {
            lock = try StoreLock.take(in: directory)
        } catch {
            throw .system(error.description)
        }
        guard let lock else { throw .notNow("the service is starting or stopping; try again") }
        return lock
    }

    /// Blocks this thread until `body` has finished on others.
    static func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let result = Box<Value>()
        Task.detached {
            let value = await body()
            result.value.withLock { $0 = value }
            result.done.signal()
        }
        while true {
            result.done.wait()
            if let value = result.value.withLock({ $0 }) { return value }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
    }
}
