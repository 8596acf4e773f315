import Foundation
import TuttiCommandLine

/// A text file that is written line by line.
struct SimulateFile {
    private let path: String
    private let handle: FileHandle

    /// A new file, in place of one that is there.
    ///
    /// - Throws: `Failure` when it cannot be written.
    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else { throw Failure("cannot write \(path)") }
        self.path = path
        self.handle = handle
    }

    func write(_ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(lines.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined().utf8))
        } catch {
            throw Failure("cannot write \(path)")
        }
    }
}
