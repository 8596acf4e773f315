import Dispatch
package import Glibc

/// Another program that this one has started.
package struct ChildProgram: Sendable {
    package let process: pid_t

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: its path, then what it is told.
    ///   - input: what it reads; nil for nothing.
    ///   - output: where it writes; nil to share this process's.
    ///   - errors: a file for its standard error; nil to share this process's.
    ///   - environment: variables besides those of this process.
    package init(
        _ arguments: [String], input: Int32? = nil, output: Int32? = nil, errors: String? = nil,
        environment: [String: String] = [:]
    ) throws(ProgramStart.Failure) {
        var start = ProgramStart(arguments)
        start.environment.merge(environment) { $1 }
        (start.input, start.outputDescriptor, start.errors, start.closesOthers) = (input, output, errors, true)
        process = try start.begin()
    }

    /// Waits for its end.
    ///
    /// - Returns: how it ended, for people; nil if it ended well.
    package func end() async -> String? {
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

    /// A pipe that no program inherits but the one that is given an end of it.
    package static func pipe() throws(ProgramStart.Failure) -> (source: Int32, sink: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw ProgramStart.Failure(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Runs a program for what it writes. What it says besides is not heard.
    ///
    /// - Parameters:
    ///   - environment: variables that it has besides this process's own.
    ///   - limit: bytes that it may write; it is ended at one more.
    ///   - seconds: how long it may take.
    /// - Returns: what it wrote; nil if it did not end well.
    package static func output(
        of arguments: [String], environment: [String: String] = [:], limit: Int, within seconds: Double
    ) async -> [UInt8]? {
        guard let (source, sink) = try? pipe() else { return nil }
        let child: ChildProgram
        do {
            defer { close(sink) }
            child = try ChildProgram(arguments, output: sink, errors: "/dev/null", environment: environment)
        } catch {
            close(source)
            return nil
        }
        let watch = Task {
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            kill(-child.process, SIGKILL)
        }
        let bytes: [UInt8]? = await withCheckedContinuation { continuation in
            DispatchQueue(label: "child-output").async {
                let bytes = read(source, limit: limit)
                close(source)
                if bytes == nil { kill(-child.process, SIGKILL) }
                continuation.resume(returning: bytes)
            }
        }
        let trouble = await child.end()
        watch.cancel()
        return trouble == nil ? bytes : nil
    }

    private static func read(_ source: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(source, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
    }
}
