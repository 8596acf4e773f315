import Dispatch
import Glibc
import Logging
import TuttiControl
import TuttiHost
import TuttiSender

/// The program that serves HTTP for a service: started, and started again when it ends. Nothing that plays depends on
/// it. Its standard input is a pipe of this process, so it notices when this process is gone, however that happened.
struct WebProgram {
    /// Between two starts, in milliseconds: at first, and at most.
    private static let (shortestPause, longestPause) = (250, 5_000)
    /// What lived that long began well.
    private static let calm = Duration.seconds(30)

    private let arguments: [String]
    private let logger: Logger

    /// - Returns: nil if HTTP is off.
    init?(_ options: WebOptions, paths: StatePaths, logger: Logger) {
        guard options.address != "off" else { return nil }
        var arguments = [
            SiblingProgram.web.path, "--child", "--listen", options.address,
            "--socket", ControlServer.path(in: paths.runtimeDirectory), "--state-dir", paths.stateDirectory,
            "--log-level", options.logLevel.rawValue,
        ]
        if let certificate = options.certificate { arguments += ["--certificate", certificate] }
        if let key = options.key { arguments += ["--key", key] }
        self.arguments = arguments
        self.logger = logger
    }

    /// Runs until the task is cancelled.
    func run() async {
        guard access(arguments[0], X_OK) == 0 else {
            return logger.notice("no HTTP: \(arguments[0]) is not installed")
        }
        var pause = Self.shortestPause
        while !Task.isCancelled {
            let began = ContinuousClock.now
            let ending = await runOnce()
            guard !Task.isCancelled else { return }
            pause = ContinuousClock.now - began > Self.calm ? Self.shortestPause : min(pause * 2, Self.longestPause)
            logger.warning("tutti-web \(ending); it is started again", metadata: ["in": "\(Double(pause) / 1000) s"])
            try? await Task.sleep(for: .milliseconds(pause))
        }
    }

    /// Starts it once, and waits for its end.
    ///
    /// - Returns: how it ended, for people.
    private func runOnce() async -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return "cannot start: \(HostError.text(ofErrno: errno))" }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let lifeline = ends[1]
        defer { close(lifeline) }
        let child = start(input: ends[0])
        close(ends[0])
        guard let child else { return "cannot start: \(HostError.text(ofErrno: errno))" }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "tutti-web").async { continuation.resume(returning: Self.wait(for: child)) }
            }
        } onCancel: {
            kill(child, SIGTERM)
        }
    }

    private func start(input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        // What libraries have open without a word is none of its business.
        for descriptor in Self.inheritable { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // In a group of its own, so that a terminal's ^C does not reach it before the service.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let outcome = posix_spawn(&child, arguments[0], &actions, &attributes, &words, environ)
        errno = outcome
        return outcome == 0 ? child : nil
    }

    /// Descriptors that a program would inherit, beside the standard ones.
    private static var inheritable: [Int32] {
        (3..<1_024).filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }

    private static func wait(for child: pid_t) -> String {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    }
}
