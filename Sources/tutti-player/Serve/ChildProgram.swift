import Dispatch
import Glibc

/// Another program that this one starts: never through a shell, in a process group of its own, with no descriptor but
/// the standard ones.
struct ChildProgram {
    let process: pid_t

    /// Starts it. `errno` says why it cannot be started.
    ///
    /// - Parameters:
    ///   - arguments: its path, then what it is told.
    ///   - input: what it reads; nil for nothing.
    ///   - environment: variables besides those of this process.
    init?(_ arguments: [String], input: Int32? = nil, environment: [String: String] = [:]) {
        guard let path = arguments.first else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
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
        // In a group of its own, so that a terminal's ^C does not reach it before this process.
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words = Self.copies(of: arguments)
        var variables = Self.copies(of: environment.map { "\($0.key)=\($0.value)" })
        let own = variables
        defer { for word in words + own { free(word) } }
        variables.removeLast()
        var inherited = environ
        while let variable = inherited.pointee {
            if !environment.keys.contains(where: { String(cString: variable).hasPrefix($0 + "=") }) {
                variables.append(variable)
            }
            inherited += 1
        }
        variables.append(nil)
        var child: pid_t = 0
        let outcome = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        errno = outcome
        guard outcome == 0 else { return nil }
        process = child
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

    /// Copies for C, with nothing behind the last.
    private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Descriptors that a program would inherit, beside the standard ones.
    private static var inheritable: [Int32] {
        (3..<1_024).filter { descriptor in
            let flags = fcntl(descriptor, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        }
    }
}
