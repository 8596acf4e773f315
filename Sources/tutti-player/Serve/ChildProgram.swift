import Dispatch
import Glibc
import TuttiHost

/// Another program that this one has started.
struct ChildProgram {
    let process: pid_t

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: its path, then what it is told.
    ///   - input: what it reads; nil for nothing.
    ///   - environment: variables besides those of this process.
    init(
        _ arguments: [String], input: Int32? = nil, environment: [String: String] = [:]
    ) throws(ProgramStart.Failure) {
        var start = ProgramStart(arguments)
        start.environment.merge(environment) { $1 }
        (start.input, start.closesOthers) = (input, true)
        process = try start.begin()
    }

    /// Waits for its end.
    ///
    /// - Returns: how it ended, for people; nil if it ended well.
    func end() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "child").async { [process] in
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                let code = status >> 8 & 0xFF
                let text = signal == 0 ? "ended with status \(code)" : "was ended by signal \(signal)"
                continuation.resume(returning: signal == 0 && code == 0 ? nil : text)
            }
        }
    }
}
