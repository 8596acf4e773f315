import Foundation

/// A temporary folder with sound files made on the spot, gone with the object.
final class Workshop {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    struct ToolFailure: Error { let command: [String] }

    /// Whether ffmpeg is installed, which makes the files.
    static var hasFFmpeg: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A file of the samples on both sides, in the coding that `options` ask ffmpeg for; gives its path.
    func encode(_ samples: [Float], sampleRate: Int, to name: String, _ options: [String]) throws -> String {
        let raw = path("raw-\(name).f32")
        try samples.flatMap { [$0, $0] }.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: raw))
        let command =
            ["ffmpeg", "-v", "error", "-f", "f32le", "-ar", "\(sampleRate)", "-ac", "2", "-i", raw]
            + options + [path(name)]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ToolFailure(command: command) }
        return path(name)
    }
}
