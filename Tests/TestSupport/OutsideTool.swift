package import Foundation

/// Programs of this host that make test files; where one is missing, its tests are skipped by name.
package enum OutsideTool {
    /// It ended with something else than 0.
    package struct Failure: Error {
        package let command: [String]
    }

    /// Whether ffmpeg is installed, which most of the files are made with.
    package static let hasFFmpeg = has("ffmpeg")

    /// Whether a program of this name is found.
    package static func has(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }

    /// Runs a command and waits for it; nothing of what it says is seen.
    ///
    /// - Parameter folder: where it runs; nil for this process's own.
    /// - Throws: `Failure` when it fails.
    package static func run(_ command: [String], in folder: URL? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let folder { process.currentDirectoryURL = folder }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: command) }
    }
}
