import Glibc
import TuttiCommandLine

/// A text file that is written line by line.
final class SimulateFile {
    private let path: String
    private let descriptor: Int32

    /// A new file, in place of one that is there.
    ///
    /// - Throws: `Failure` when it cannot be written.
    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        self.path = path
        guard descriptor >= 0 else { throw Failure("cannot write \(path)") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func write(_ lines: [String]) throws {
        let text = lines.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
        guard Terminal.write(Array(text.utf8), to: descriptor) else { throw Failure("cannot write \(path)") }
    }
}
