package import Glibc

/// How another program is started: never through a shell, and with signals as a program expects them.
package struct ProgramStart: Sendable {
    /// Why it cannot be started.
    package struct Failure: Error, Equatable {
        /// An `errno`.
        package let code: Int32
    }

    /// The program, by its path or found through PATH, and what it is told.
    package var arguments: [String]
    /// The whole environment.
    package var environment = ProcessEnvironment.current
    /// The descriptor of its standard input; nil for nothing to read.
    package var input: Int32?
    /// A file for its standard output, made anew; nil to share this process's.
    package var output: String?
    /// A descriptor for its standard output, in place of a file.
    package var outputDescriptor: Int32?
    /// A file for standard error; may be the same file.
    package var errors: String?
    /// Whether it has a process group of its own, so that a terminal's ^C does not reach it before this process.
    package var hasOwnGroup = true
    /// Whether descriptors that libraries have open, and would hand on without a word, are kept from it.
    package var closesOthers = false

    /// - Parameter arguments: the program first.
    package init(_ arguments: [String]) { self.arguments = arguments }

    /// Starts it.
    ///
    /// - Returns: its process.
    package func begin() throws(Failure) -> pid_t {
        guard let program = arguments.first else { throw Failure(code: EINVAL) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        redirect(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let outcome = posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
        guard outcome == 0 else { throw Failure(code: outcome) }
        return process
    }

    private func redirect(_ actions: inout posix_spawn_file_actions_t) {
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        let fresh = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        if let outputDescriptor { posix_spawn_file_actions_adddup2(&actions, outputDescriptor, 1) }
        if let output { posix_spawn_file_actions_addopen(&actions, 1, output, fresh, 0o644) }
        if let errors, errors == output {
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        } else if let errors {
            posix_spawn_file_actions_addopen(&actions, 2, errors, fresh, 0o644)
        }
        guard closesOthers else { return }
        for descriptor in Int32(3)..<1_024 {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0, flags & FD_CLOEXEC == 0 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        }
    }
}
