import Foundation

/// What tests found that stops nobody: printed, and collected in the file that `TUTTI_TEST_NOTES` names, for the end of
/// a long run.
package enum TestNotes {
    private static let path = ProcessInfo.processInfo.environment["TUTTI_TEST_NOTES"]

    /// Reports a line.
    package static func add(_ line: String) {
        print("note: \(line)")
        guard let path else { return }
        append(line, toFileAt: path)
    }

    /// Adds a line to a file, which is made where there is none.
    package static func append(_ line: String, toFileAt path: String) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return print("note: cannot write to \(path)") }
        defer { close(descriptor) }
        // One write, so that lines of tests that run at once do not mix.
        let bytes = Array((line + "\n").utf8)
        if write(descriptor, bytes, bytes.count) != bytes.count { print("note: cannot write to \(path)") }
    }
}
