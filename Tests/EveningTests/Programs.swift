import Foundation

/// The programs that were built with these tests.
enum Programs {
    /// Where they lie: beside the tests.
    static let folder: String = {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [path, CommandLine.arguments.first].compactMap(\.self).map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().path
        }
        let tests = CommandLine.arguments.compactMap { argument in
            argument.hasSuffix(".xctest") ? URL(fileURLWithPath: argument).deletingLastPathComponent().path : nil
        }
        let isThere = { (folder: String) in FileManager.default.isExecutableFile(atPath: folder + "/tutti-player") }
        return (tests + candidates).first(where: isThere) ?? ".build/debug"
    }()

    /// What a command printed, on both streams, and its exit status.
    struct Outcome: Sendable, Equatable, CustomStringConvertible {
        let code: Int32
        let output: String
        let errors: String

        var description: String { "exit status \(code), output '\(output)', errors '\(errors)'" }
    }

    /// Runs a process to its end.
    static func run(_ process: Process) throws -> Outcome {
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        // Both are short: neither pipe fills up.
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }
}
