import Dispatch
import Glibc
import TuttiHost

/// A program whose standard output is read, ended with this object.
final class LiveProgram {
    private let child: ChildProgram

    /// Milliseconds that it has to end by itself.
    private static let grace = 2_000

    /// Starts a command of the shell. What it says on standard error goes where this process's goes.
    ///
    /// - Returns: the program, and what its output is read from.
    static func start(_ command: String) throws(ProgramStart.Failure) -> (program: LiveProgram, output: Int32) {
        let (source, sink) = try ChildProgram.pipe()
        defer { close(sink) }
        do throws(ProgramStart.Failure) {
            let child = try ChildProgram(["/bin/sh", "-c", command], output: sink)
            _ = fcntl(source, F_SETFL, O_NONBLOCK)
            return (LiveProgram(child), source)
        } catch {
            close(source)
            throw error
        }
    }

    private init(_ child: ChildProgram) { self.child = child }

    deinit {
        let child = child
        kill(-child.process, SIGTERM)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.grace)) {
            // Whatever it has started ends with it; a process that has ended keeps its number until it is waited for.
            kill(-child.process, SIGKILL)
            var status: Int32 = 0
            while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
        }
    }
}
