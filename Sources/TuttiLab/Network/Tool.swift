import Foundation
import Glibc

/// Programs of the system that the lab needs.
package enum Tool {
    /// Whether a program is on PATH (or in the administrators' folders).
    package static func isInstalled(_ name: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"])
            .contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Runs a program to its end with the given lines for its input.
    /// - Returns: what it printed.
    @discardableResult
    package static func run(_ arguments: [String], input lines: [String] = []) throws(LabError) -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tutti-lab-\(UUID().uuidString)")
        let output = folder.path + ".out"
        let input = folder.path + ".in"
        defer { for path in [input, output] { unlink(path) } }
        guard FileManager.default.createFile(atPath: input, contents: Data((lines + [""]).joined(separator: "\n").utf8))
        else { throw .runFailed("cannot write \(input)") }
        let descriptor = open(input, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open \(input)", errno: errno) }
        defer { close(descriptor) }
        let ending = try ChildProcess(arguments, input: descriptor, output: output, errors: output).wait()
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard ending == .exited(code: 0) else {
            throw .toolFailed(
                command: arguments.joined(separator: " "), message: text.trimmingCharacters(in: .whitespacesAndNewlines)
            )
        }
        return text
    }
}
