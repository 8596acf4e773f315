import Foundation
import TestSupport

/// A temporary folder with sound files made on the spot, gone with the object.
final class Workshop {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A file of the samples on both sides, in the coding that `options` ask ffmpeg for; gives its path.
    func encode(_ samples: [Float], sampleRate: Int, to name: String, _ options: [String]) throws -> String {
        let raw = path("raw-\(name).f32")
        try samples.flatMap { [$0, $0] }.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: raw))
        try OutsideTool.run(
            ["ffmpeg", "-v", "error", "-f", "f32le", "-ar", "\(sampleRate)", "-ac", "2", "-i", raw]
                + options + [path(name)])
        return path(name)
    }
}
