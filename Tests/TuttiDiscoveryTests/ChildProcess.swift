import Glibc

/// A program that a test started and ends itself.
///
/// Spawned by hand: Foundation's `Process` hands down the signal mask of the test's thread, with which a daemon would
/// never see that it is to end.
final class ChildProcess {
    private var pid: pid_t

    /// Starts `path`; its output goes nowhere. Nil when it cannot be started.
    init?(_ path: String, _ arguments: [String]) {
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let strings = ([path] + arguments).map { strdup($0) }
        defer { strings.forEach { free($0) } }
        pid = 0
        guard posix_spawn(&pid, path, &actions, &attributes, strings + [nil], environ) == 0 else { return nil }
    }

    deinit { end() }

    /// Waits for the program to end by itself; true when it succeeded.
    func succeeds() -> Bool {
        var status: Int32 = 0
        guard pid > 0, waitpid(pid, &status, 0) == pid else { return false }
        pid = 0
        return status == 0
    }

    /// Asks the program to end, insists after three seconds, and waits until it has.
    func end() {
        guard pid > 0 else { return }
        kill(pid, SIGTERM)
        for _ in 0..<300 {
            if waitpid(pid, nil, WNOHANG) == pid {
                pid = 0
                return
            }
            usleep(10_000)
        }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        pid = 0
    }
}
