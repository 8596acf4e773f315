import Glibc
import Logging
import TuttiHost

/// A program beside the service: started, and started again when it ends. Nothing that plays depends on it. Its
/// standard input is a pipe of this process, so it notices when this process is gone, however that happened.
struct SupervisedProgram {
    /// Between two starts, in milliseconds: at first, and at most.
    private static let (shortestPause, longestPause) = (250, 5_000)
    /// What lived that long began well.
    private static let calm = Duration.seconds(30)

    /// What people call it.
    let name: String
    /// Its path, then what it is told.
    let arguments: [String]
    /// What there is none of if it is not installed, such as "HTTP".
    let purpose: String
    let logger: Logger

    /// Runs until the task is cancelled.
    func run() async {
        guard access(arguments[0], X_OK) == 0 else {
            return logger.notice("no \(purpose): \(arguments[0]) is not installed")
        }
        var pause = Self.shortestPause
        while !Task.isCancelled {
            let began = ContinuousClock.now
            let ending = await runOnce()
            guard !Task.isCancelled else { return }
            pause = ContinuousClock.now - began > Self.calm ? Self.shortestPause : min(pause * 2, Self.longestPause)
            logger.warning("\(name) \(ending); it is started again", metadata: ["in": "\(Double(pause) / 1000) s"])
            try? await Task.sleep(for: .milliseconds(pause))
        }
    }

    /// Starts it once, and waits for its end.
    ///
    /// - Returns: how it ended, for people.
    private func runOnce() async -> String {
        let ends: (source: Int32, sink: Int32)
        do {
            ends = try ChildProgram.pipe()
        } catch {
            return "cannot start: \(HostError.text(ofErrno: error.code))"
        }
        defer { close(ends.sink) }
        let child: ChildProgram
        do {
            defer { close(ends.source) }
            child = try ChildProgram(arguments, input: ends.source)
        } catch {
            return "cannot start: \(HostError.text(ofErrno: error.code))"
        }
        return await withTaskCancellationHandler {
            await child.end() ?? "ended"
        } onCancel: {
            kill(child.process, SIGTERM)
        }
    }
}
