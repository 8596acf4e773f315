import Glibc
import Synchronization
import TuttiHost

/// A process that the lab starts: arguments, environment, where its output goes, how it ended.
package final class ChildProcess: Sendable {
    /// How a process ended.
    package enum Ending: Sendable, Equatable {
        case exited(code: Int32)
        case killed(signal: Int32)
    }

    package let id: Int32
    /// The program and its arguments.
    package let arguments: [String]
    /// When it was started: nanoseconds of CLOCK_MONOTONIC_RAW, read just before.
    package let started: Int64
    private let ending = Mutex<Ending?>(nil)

    /// Starts a program found through PATH.
    /// - Parameters:
    ///   - environment: the whole environment; nil for this process's own.
    ///   - input: descriptor of its standard input; nil for /dev/null.
    ///   - output: file for its standard output, made anew; nil to share this process's.
    ///   - errors: likewise for standard error; may be the same file as `output`.
    ///   - ownGroup: in a process group of its own, so that the terminal's ^C does not reach it.
    package init(
        _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil, output: String? = nil,
        errors: String? = nil, ownGroup: Bool = true
    ) throws(LabError) {
        guard let program = arguments.first else { throw .runFailed("no program to run") }
        self.arguments = arguments
        var start = ProgramStart(arguments)
        if let environment { start.environment = environment }
        (start.input, start.output, start.errors, start.hasOwnGroup) = (input, output, errors, ownGroup)
        started = MonotonicRaw.now()
        do {
            id = try start.begin()
        } catch {
            throw error.code == ENOENT
                ? .missingTool(program) : .system(call: "start of \(program)", errno: error.code)
        }
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { poll() == nil }

    /// How it ended, nil while it runs.
    package func poll() -> Ending? { reap(WNOHANG) }

    /// Waits for its end.
    package func wait() -> Ending {
        // waitpid can only fail for a child that is not there any more.
        reap(0) ?? .exited(code: -1)
    }

    /// Waits for its end, but not longer than the given seconds; nil when it still runs then.
    package func wait(seconds: Double) -> Ending? {
        let deadline = MonotonicRaw.now() + Int64(seconds * 1e9)
        repeat {
            if let ending = poll() { return ending }
            usleep(5_000)
        } while MonotonicRaw.now() < deadline
        return poll()
    }

    /// Sends a signal, unless it has ended.
    package func send(_ signal: Int32) {
        ending.withLock { ending in
            if ending == nil { kill(id, signal) }
        }
    }

    /// Asks it to end, and kills it when it has not within the given seconds.
    @discardableResult
    package func stop(signal: Int32 = SIGTERM, within seconds: Double = 3) -> Ending {
        send(signal)
        if let ending = wait(seconds: seconds) { return ending }
        send(SIGKILL)
        return wait()
    }

    private func reap(_ options: Int32) -> Ending? {
        ending.withLock { ending in
            if ending != nil { return ending }
            var status: Int32 = 0
            var outcome: pid_t
            repeat { outcome = waitpid(id, &status, options) } while outcome < 0 && errno == EINTR
            guard outcome != 0 else { return nil }
            let signal = status & 0x7f
            ending =
                outcome < 0
                ? .exited(code: -1) : signal == 0 ? .exited(code: (status >> 8) & 0xff) : .killed(signal: signal)
            return ending
        }
    }
}
